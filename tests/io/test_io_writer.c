// SPDX-License-Identifier: Apache-2.0
//
// Writing arrays: what is read back, and that a file appears whole or not at all.
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/check.h"
#include "io/array.h"
#include "io/support/cleanup.h"
#include "io/writer.h"

static char folder[] = "/tmp/heddle-writer-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[2][256];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static int files_there(void)
{
    int count = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e; (e = readdir(d)) != NULL;) count += e->d_name[0] != '.';
    closedir(d);
    return count;
}

static io_status write_all(const char *name, hd_type type, int32_t ndim, const int64_t *shape,
                           const void *data, int64_t n, io_error *error)
{
    io_writer w;
    IO_TRY(io_writer_open(&w, name, type, ndim, shape, error));
    io_status status = IO_OK;
    for (int64_t at = 0; at < n && status == IO_OK; at += 7) // chunk by chunk
        status = io_writer_put(&w, (const char *)data + (size_t)at * hd_type_size(type),
                               n - at < 7 ? n - at : 7, error);
    if (status == IO_OK) status = io_writer_commit(&w, error);
    io_writer_abandon(&w);
    return status;
}

static void test_round_trips(void)
{
    for (int k = 0; check_type(k) != HD_NONE; k++) {
        const hd_type type = check_type(k);
        const int64_t shape[3] = {2, 3, 4};
        unsigned char x[24 * 8];
        io_array a;
        io_error error = {.text = ""};
        check_fill(type, x, 24, CHECK_ORDINARY, check_seed() + (uint64_t)k);
        CHECK(write_all(in_folder("x.npy"), type, 3, shape, x, 24, &error) == IO_OK, "%s",
              error.text);
        const io_read_options as = {.type = type};
        CHECK(io_array_load(&a, in_folder("x.npy"), &as, &error) == IO_OK, "%s", error.text);
        CHECK(a.view.ndim == 3 && a.view.shape[2] == 4, "%s", hd_type_name(type));
        CHECK_SAME(type, a.view.data, x, 24, "%s", hd_type_name(type));
        io_array_release(&a);
    }
    CHECK(files_there() == 1, "nothing is left beside it");
    unlink(in_folder("x.npy"));
}

static void test_raw(void)
{
    const uint16_t x[3] = {1, 2, 3};
    io_error error = {.text = ""};
    struct stat about;
    CHECK(write_all(in_folder("x.raw"), HD_U16, 1, (int64_t[]){3}, x, 3, &error) == IO_OK, "%s",
          error.text);
    CHECK(stat(in_folder("x.raw"), &about) == 0 && about.st_size == 6, "elements alone");
    unlink(in_folder("x.raw"));
}

static void test_unknown_length(void)
{
    const float x[20] = {1, 2};
    io_error error = {.text = ""};
    io_array a;
    CHECK(write_all(in_folder("x.npy"), HD_F32, 1, (int64_t[]){-1}, x, 20, &error) == IO_OK, "%s",
          error.text);
    CHECK(io_array_load(&a, in_folder("x.npy"), NULL, &error) == IO_OK, "%s", error.text);
    CHECK(hd_count(a.view) == 20 && ((float *)a.view.data)[1] == 2, "20 elements");
    io_array_release(&a);
    unlink(in_folder("x.npy"));
    CHECK(write_all("/dev/null", HD_F32, 1, (int64_t[]){-1}, x, 20, &error) == IO_ARGUMENT,
          "a device cannot go back");
}

static void test_abandoned(void)
{
    const float x[4] = {1, 2, 3, 4};
    io_error error = {.text = ""};
    io_writer w;
    CHECK(io_writer_open(&w, in_folder("x.npy"), HD_F32, 1, (int64_t[]){4}, &error) == IO_OK, "%s",
          error.text);
    CHECK(files_there() == 1 && access(in_folder("x.npy"), F_OK) != 0,
          "written to a temporary file");
    io_writer_abandon(&w);
    io_writer_abandon(&w);
    CHECK(files_there() == 0, "nothing is left");
    CHECK(write_all(in_folder("x.npy"), HD_F32, 1, (int64_t[]){5}, x, 4, &error) == IO_ARGUMENT,
          "one element is missing");
    CHECK(strstr(error.text, "expected 5 elements") != NULL, "%s", error.text);
    CHECK(files_there() == 0, "nothing is left");
    // What a signal handler does.
    CHECK(io_writer_open(&w, in_folder("x.npy"), HD_F32, 1, (int64_t[]){4}, &error) == IO_OK, "%s",
          error.text);
    io_remove_all();
    CHECK(files_there() == 0, "nothing is left");
    io_writer_abandon(&w);
}

static void test_bad_requests(void)
{
    io_error error;
    io_writer w;
    const int64_t one = 1, negative[2] = {3, -1};
    CHECK(io_writer_open(&w, in_folder("x"), HD_NONE, 1, &one, &error) == IO_ARGUMENT, "no type");
    CHECK(io_writer_open(&w, in_folder("x"), HD_F32, 9, &one, &error) == IO_ARGUMENT, "9 axes");
    CHECK(io_writer_open(&w, in_folder("x"), HD_F32, 2, negative, &error) == IO_ARGUMENT, "-1");
    CHECK(io_writer_open(&w, "", HD_F32, 1, &one, &error) == IO_ARGUMENT, "no name");
    CHECK(io_writer_open(&w, folder, HD_F32, 1, &one, &error) == IO_SYSTEM, "a folder");
    CHECK(io_writer_open(&w, "/no/such/folder/x.npy", HD_F32, 1, &one, &error) == IO_SYSTEM,
          "none");
    CHECK(strstr(error.text, "No such file or directory") != NULL, "%s", error.text);
    CHECK(files_there() == 0, "nothing is left");
}

static void test_existing(void)
{
    const float x[1] = {1};
    io_error error = {.text = ""};
    struct stat about;
    const int fd = open(in_folder("old.npy"), O_CREAT | O_WRONLY, 0600);
    close(fd);
    chmod(in_folder("old.npy"), 0640);
    CHECK(symlink("old.npy", in_folder("link.npy")) == 0, "symlink");
    CHECK(write_all(in_folder("link.npy"), HD_F32, 1, (int64_t[]){1}, x, 1, &error) == IO_OK, "%s",
          error.text);
    CHECK(lstat(in_folder("link.npy"), &about) == 0 && S_ISLNK(about.st_mode), "still a link");
    CHECK(stat(in_folder("old.npy"), &about) == 0 && about.st_size == 132, "the file behind it");
    CHECK((about.st_mode & 0777) == 0640, "its permissions, got %o", about.st_mode & 0777u);
    unlink(in_folder("link.npy"));
    unlink(in_folder("old.npy"));
}

static void test_full_disk(void)
{
    static float x[100000];
    io_error error = {.text = ""};
    if (access("/dev/full", W_OK) == 0) {
        CHECK(write_all("/dev/full", HD_F32, 1, (int64_t[]){9}, x, 9, &error) == IO_SYSTEM, "full");
        CHECK(strstr(error.text, "No space left") != NULL, "%s", error.text);
    }
    struct rlimit old, small;
    getrlimit(RLIMIT_FSIZE, &old);
    small = old;
    small.rlim_cur = 4096;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    const io_status status =
        write_all(in_folder("x.npy"), HD_F32, 1, (int64_t[]){100000}, x, 100000, &error);
    setrlimit(RLIMIT_FSIZE, &old);
    CHECK(status == IO_SYSTEM && strstr(error.text, "cannot write: File too large"), "%s",
          error.text);
    CHECK(strstr(error.text, "byte 4096") != NULL, "%s", error.text);
    CHECK(files_there() == 0, "no partial file");
}

int main(void)
{
    CHECK(mkdtemp(folder) != NULL, "a folder in /tmp");
    test_round_trips();
    test_raw();
    test_unknown_length();
    test_abandoned();
    test_bad_requests();
    test_existing();
    test_full_disk();
    rmdir(folder);
    return check_finish();
}
