// SPDX-License-Identifier: Apache-2.0
//
// The folder of compiled kernels: what is kept comes back, what was damaged does not, and folders
// that others could write to are not used.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "core/system/cache_folder.h"

static char folder[64];

static bool comes_back(const hd__digest *d, const char *want, size_t bytes)
{
    void *image = NULL;
    size_t got = 0;
    const bool found = hd__kept_image(d, &image, &got);
    const bool same = found && got == bytes && memcmp(image, want, bytes) == 0;
    free(image);
    return same;
}

// The only entry's path.
static void entry(char *path, size_t room)
{
    DIR *dir = opendir(folder);
    for (struct dirent *e; dir && (e = readdir(dir)) != NULL;)
        if (strstr(e->d_name, ".kernel")) snprintf(path, room, "%s/%.200s", folder, e->d_name);
    if (dir) closedir(dir);
}

static void test_digests(void)
{
    const hd__digest a = hd__digest_of("nvrtc 13.0", "text", 4),
                     b = hd__digest_of("nvrtc 13.0", "text", 4);
    const hd__digest c = hd__digest_of("nvrtc 13.1", "text", 4),
                     d = hd__digest_of("nvrtc 13.0", "texu", 4);
    CHECK(hd__digest_same(&a, &b), "the same text");
    CHECK(!hd__digest_same(&a, &c) && !hd__digest_same(&a, &d), "another compiler, another text");
}

static void test_damage(void)
{
    char path[400] = "";
    const char image[] = "an image of some bytes";
    const hd__digest d = hd__digest_of("c", "t", 1);
    CHECK(!comes_back(&d, image, sizeof image), "nothing was kept yet");
    CHECK(hd__keep_image(&d, image, sizeof image)[0] == 0, "it is kept");
    CHECK(comes_back(&d, image, sizeof image), "and comes back");
    entry(path, sizeof path);
    const int file = open(path, O_RDWR);
    CHECK(file >= 0 && pwrite(file, "x", 1, 60) == 1, "%s is damaged", path);
    CHECK(!comes_back(&d, image, sizeof image), "a byte that changed is noticed");
    CHECK(hd__keep_image(&d, image, sizeof image)[0] == 0 && comes_back(&d, image, sizeof image),
          "it is made again");
    close(file);
    CHECK(truncate(path, 70) == 0 && !comes_back(&d, image, sizeof image), "one that ends early");
    CHECK(truncate(path, 3) == 0 && !comes_back(&d, image, sizeof image), "one that has no head");
}

// What lies where an image should and is none of the user's own: not waited for, not used,
// replaced.
static void test_strangers(void)
{
    char path[400] = "", elsewhere[400];
    const char image[] = "an image of some bytes";
    const hd__digest d = hd__digest_of("c", "t", 1);
    CHECK(hd__keep_image(&d, image, sizeof image)[0] == 0, "it is kept");
    entry(path, sizeof path);
    struct stat s;
    CHECK(stat(path, &s) == 0 && (s.st_mode & 0777) == 0600, "%o", (unsigned)s.st_mode);
    CHECK(chmod(path, 0620) == 0 && !comes_back(&d, image, sizeof image), "writable by a group");
    CHECK(chmod(path, 0602) == 0 && !comes_back(&d, image, sizeof image), "writable by others");
    CHECK(chmod(path, 0600) == 0 && comes_back(&d, image, sizeof image), "now it is used");
    if (geteuid() == 0) {
        CHECK(chown(path, 65534, 65534) == 0 && !comes_back(&d, image, sizeof image),
              "of another user");
        CHECK(chown(path, 0, 0) == 0 && comes_back(&d, image, sizeof image), "of the user again");
    }
    const int file = open(path, O_WRONLY | O_APPEND);
    CHECK(file >= 0 && write(file, "x", 1) == 1 && close(file) == 0, "one byte more");
    CHECK(!comes_back(&d, image, sizeof image), "one that does not end where it says");
    snprintf(elsewhere, sizeof elsewhere, "%.390s.gone", path);
    CHECK(hd__keep_image(&d, image, sizeof image)[0] == 0 && rename(path, elsewhere) == 0 &&
              symlink(elsewhere, path) == 0 && !comes_back(&d, image, sizeof image),
          "a link");
    CHECK(unlink(path) == 0 && unlink(elsewhere) == 0 && mkfifo(path, 0600) == 0, "a pipe");
    alarm(120); // ends who waits for a writer
    CHECK(!comes_back(&d, image, sizeof image), "of a pipe");
    alarm(0);
    CHECK(hd__keep_image(&d, image, sizeof image)[0] == 0 && comes_back(&d, image, sizeof image),
          "the pipe is replaced");
    CHECK(hd__keep_image(&d, image, (size_t)17 << 20)[0] != 0, "too large to come back");
}

static void test_folders(void)
{
    char path[400];
    const hd__digest d = hd__digest_of("c", "other", 5);
    struct stat s;
    CHECK(stat(folder, &s) == 0 && (s.st_mode & 0777) == 0700,
          "the folder is its owner's alone: %o", (unsigned)s.st_mode);
    CHECK(chmod(folder, 0777) == 0 && hd__kept_folder(path, sizeof path)[0] != 0 &&
              hd__keep_image(&d, "x", 1)[0] != 0 && !comes_back(&d, "x", 1),
          "a folder others may write to is not used");
    CHECK(chmod(folder, 0700) == 0 && hd__kept_folder(path, sizeof path)[0] == 0, "now it is");
    setenv("HEDDLE_CACHE_DIR", "none", 1);
    CHECK(hd__keep_image(&d, "x", 1)[0] != 0, "none: turned off");
    setenv("HEDDLE_CACHE_DIR", "/dev/null/there", 1);
    CHECK(hd__keep_image(&d, "x", 1)[0] != 0, "where no folder can be");
    setenv("HEDDLE_CACHE_DIR", folder, 1);
}

// Processes that keep the same image at once: whoever reads finds a whole one.
static void test_processes(void)
{
    static char image[200000];
    memset(image, 'z', sizeof image);
    const hd__digest d = hd__digest_of("c", "shared", 6);
    hd__keep_image(&d, image, sizeof image);
    for (int k = 0; k < 4; k++) {
        if (fork() != 0) continue;
        for (int i = 0; i < 20; i++)
            if (hd__keep_image(&d, image, sizeof image)[0] != 0 ||
                !comes_back(&d, image, sizeof image))
                _exit(1);
        _exit(0);
    }
    int status;
    while (wait(&status) > 0) CHECK(status == 0, "a process found an image that was not whole");
}

// Beyond its room the oldest go, the newest stay. Files are stretched by what takes no disk.
static void test_room(void)
{
    enum { EACH = 24 << 20, COUNT = 14 };
    char text[2] = "a", path[128];
    int64_t total = 0;
    for (int k = 0; k < COUNT; k++, text[0]++) {
        const hd__digest d = hd__digest_of("room", text, 1);
        CHECK(hd__keep_image(&d, "image", 6)[0] == 0, "image %d", k);
        if (k == COUNT - 1) CHECK(comes_back(&d, "image", 6), "the newest is there");
        snprintf(path, sizeof path, "%s/%016llx%016llx.kernel", folder,
                 (unsigned long long)d.half[0], (unsigned long long)d.half[1]);
        CHECK(truncate(path, EACH) == 0, "image %d is stretched", k);
    }
    DIR *dir = opendir(folder);
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        struct stat s;
        if (fstatat(dirfd(dir), e->d_name, &s, 0) == 0 && S_ISREG(s.st_mode)) total += s.st_size;
    }
    closedir(dir);
    CHECK(total > (int64_t)128 << 20 && total <= (int64_t)280 << 20, "the folder holds %lld bytes",
          (long long)total);
}

int main(void)
{
    char command[128];
    strcpy(folder, "/tmp/heddle-cache-XXXXXX");
    if (!mkdtemp(folder)) return CHECK_SKIP;
    strcat(folder, "/kernels");
    setenv("HEDDLE_CACHE_DIR", folder, 1);
    test_digests();
    test_damage();
    test_strangers();
    test_folders();
    test_processes();
    test_room();
    snprintf(command, sizeof command, "rm -rf '%.*s'", (int)strlen("/tmp/heddle-cache-XXXXXX"),
             folder);
    if (system(command) != 0) printf("%s: not removed\n", folder);
    return check_finish();
}
