// SPDX-License-Identifier: Apache-2.0
//
// The folder of compiled kernels. Files are written aside and renamed, so that processes may share
// it; a file says how long it is and what its bytes add up to, and one that does not is left out
// and replaced. The folder must belong to the user and be closed to others: what is in it is run.
#define _GNU_SOURCE
#include "cache_folder.h"
#include "environment.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// An image of machine code is 5 to 60 KB, PTX with its lines for the model machine up to 1 MB: room
// for well over a thousand. A quarter of what CUDA's own cache may hold.
#define MAX_BYTES   ((int64_t)256 << 20)
#define MAX_IMAGE   ((uint64_t)16 << 20)
#define PATH_ROOM   4096
#define ENDING      ".kernel"
#define NAME_LENGTH 39 // 32 digits and the ending

// ---- Digests ------------------------------------------------------------------------------------

// Eight bytes at a time, for texts are long. A step loses nothing of h, and a difference anywhere
// in it soon is everywhere.
static uint64_t hash(uint64_t h, const void *data, size_t bytes)
{
    const unsigned char *p = data;
    for (uint64_t word; bytes > 0;) {
        const size_t step = bytes < sizeof word ? bytes : sizeof word;
        word = 0;
        memcpy(&word, p, step);
        h = (h ^ word) * 0x9e3779b97f4a7c15u;
        h ^= h >> 32;
        p += step;
        bytes -= step;
    }
    return h;
}

static uint64_t mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

hd__digest hd__digest_of(const char *compiler, const char *text, size_t length)
{
    // A start of its own for each half.
    static const uint64_t starts[2] = {0xcbf29ce484222325u, 0x2545f4914f6cdd1du};
    hd__digest d;
    for (int k = 0; k < 2; k++) {
        const uint64_t h = hash(starts[k], compiler, strlen(compiler) + 1);
        d.half[k] = mix(hash(k == 0 ? h : mix(h), text, length) + length);
    }
    return d;
}

// ---- The folder ---------------------------------------------------------------------------------

static bool join(char *path, size_t room, const char *folder, const char *name)
{
    return snprintf(path, room, "%s/%s", folder, name) < (int)room;
}

// Makes a folder and those above it.
static bool make_folders(char *path)
{
    for (char *slash = path + 1; *slash != 0; slash++) {
        if (*slash != '/') continue;
        *slash = 0;
        const bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made) return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

// The folder's path, which is made where it is not there, unless it is only to be read.
static const char *find_folder(char *path, size_t room, bool make)
{
    const char *named = hd__trusted_env("HEDDLE_CACHE_DIR"),
               *xdg = hd__trusted_env("XDG_CACHE_HOME");
    const char *home = hd__trusted_env("HOME");
    int length = -1;
    if (named != NULL && strcmp(named, "none") == 0) return "HEDDLE_CACHE_DIR is none";
    if (named != NULL && named[0] != 0)
        length = snprintf(path, room, "%s", named);
    else if (xdg != NULL && xdg[0] == '/')
        length = snprintf(path, room, "%s/heddle", xdg);
    else if (home != NULL && home[0] == '/')
        length = snprintf(path, room, "%s/.cache/heddle", home);
    if (length < 0) return "neither HEDDLE_CACHE_DIR, XDG_CACHE_HOME nor HOME names a folder";
    if ((size_t)length >= room) return "the folder's name is too long";
    if (make && !make_folders(path)) return "the folder cannot be made";
    struct stat s;
    if (lstat(path, &s) != 0 || !S_ISDIR(s.st_mode)) return "it is no folder";
    if (s.st_uid != geteuid()) return "the folder belongs to another user";
    if ((s.st_mode & 022) != 0) return "others may write to the folder";
    return "";
}

const char *hd__kept_folder(char *path, size_t room)
{
    return find_folder(path, room, true);
}

// ---- Files --------------------------------------------------------------------------------------

typedef struct head {
    char magic[16];
    uint64_t digest[2], bytes, sum;
} head;

static const char magic[16] = "heddle kernel 2";

static void file_name(const hd__digest *d, char name[NAME_LENGTH + 1])
{
    snprintf(name, NAME_LENGTH + 1, "%016llx%016llx" ENDING, (unsigned long long)d->half[0],
             (unsigned long long)d->half[1]);
}

static bool read_all(int file, void *to, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        const ssize_t got = read(file, (char *)to + at, bytes - at);
        if (got <= 0) return false;
        at += (size_t)got;
    }
    return true;
}

static bool write_all(int file, const void *from, size_t bytes)
{
    for (size_t at = 0; at < bytes;) {
        const ssize_t put = write(file, (const char *)from + at, bytes - at);
        if (put <= 0) return false;
        at += (size_t)put;
    }
    return true;
}

// What another user made or may write to is not run, and what is no file is not waited for: a pipe
// would be, by open and by read. -1: none that can be used.
static int open_kept(const char *path)
{
    struct stat s;
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) return -1;
    if (fstat(file, &s) == 0 && S_ISREG(s.st_mode) && (s.st_uid == geteuid() || s.st_uid == 0) &&
        (s.st_mode & 022) == 0 && s.st_size > (off_t)sizeof(head) &&
        s.st_size <= (off_t)(sizeof(head) + MAX_IMAGE))
        return file;
    close(file);
    return -1;
}

static bool read_image(int file, const hd__digest *d, void **image, size_t *bytes)
{
    head h;
    if (!read_all(file, &h, sizeof h) || memcmp(h.magic, magic, sizeof magic) != 0 ||
        h.digest[0] != d->half[0] || h.digest[1] != d->half[1] || h.bytes == 0 ||
        h.bytes > MAX_IMAGE)
        return false;
    *image = malloc(h.bytes);
    if (*image == NULL) return false;
    *bytes = h.bytes;
    if (read_all(file, *image, h.bytes) && mix(hash(h.bytes, *image, h.bytes)) == h.sum &&
        !read_all(file, &h, 1)) // and there is no more
        return true;
    free(*image);
    *image = NULL;
    return false;
}

bool hd__kept_image(const hd__digest *digest, void **image, size_t *bytes)
{
    char folder[PATH_ROOM], path[PATH_ROOM], name[NAME_LENGTH + 1];
    file_name(digest, name);
    if (find_folder(folder, sizeof folder, false)[0] != 0 || !join(path, sizeof path, folder, name))
        return false;
    const int file = open_kept(path);
    if (file < 0) return false;
    const bool found = read_image(file, digest, image, bytes);
    if (found) futimens(file, NULL); // the newest are kept longest
    close(file);
    return found;
}

// ---- Its size -----------------------------------------------------------------------------------

typedef struct entry {
    char name[NAME_LENGTH + 1];
    int64_t bytes;
    struct timespec used;
} entry;

static int oldest_first(const void *a, const void *b)
{
    const struct timespec x = ((const entry *)a)->used, y = ((const entry *)b)->used;
    if (x.tv_sec != y.tv_sec) return x.tv_sec < y.tv_sec ? -1 : 1;
    return (x.tv_nsec > y.tv_nsec) - (x.tv_nsec < y.tv_nsec);
}

static int list_entries(DIR *dir, entry *list, int most, int64_t *total)
{
    int count = 0;
    *total = 0;
    for (struct dirent *d; (d = readdir(dir)) != NULL;) {
        struct stat s;
        const size_t length = strlen(d->d_name);
        if (length != NAME_LENGTH || strcmp(d->d_name + 32, ENDING) != 0 ||
            fstatat(dirfd(dir), d->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        *total += s.st_size;
        if (count == most) continue;
        memcpy(list[count].name, d->d_name, NAME_LENGTH + 1);
        list[count].bytes = s.st_size;
        list[count++].used = s.st_mtim;
    }
    return count;
}

// Removes the oldest until three quarters of the room are left.
static void make_room(const char *folder)
{
    enum { MAX = 8192 };
    DIR *dir = opendir(folder);
    entry *list = dir != NULL ? malloc(MAX * sizeof *list) : NULL;
    int64_t total;
    if (list != NULL) {
        const int count = list_entries(dir, list, MAX, &total);
        if (total > MAX_BYTES) {
            qsort(list, (size_t)count, sizeof *list, oldest_first);
            for (int k = 0; k < count && total > MAX_BYTES / 4 * 3; k++)
                if (unlinkat(dirfd(dir), list[k].name, 0) == 0) total -= list[k].bytes;
        }
    }
    free(list);
    if (dir != NULL) closedir(dir);
}

const char *hd__keep_image(const hd__digest *digest, const void *image, size_t bytes)
{
    char folder[PATH_ROOM], path[PATH_ROOM], aside[PATH_ROOM], name[NAME_LENGTH + 1];
    static const char too_long[] = "the folder's name is too long";
    if (bytes > MAX_IMAGE) return "it is too large";
    const char *trouble = hd__kept_folder(folder, sizeof folder);
    if (trouble[0] != 0) return trouble;
    file_name(digest, name);
    if (!join(path, sizeof path, folder, name) || !join(aside, sizeof aside, folder, ".new-XXXXXX"))
        return too_long;
    head h = {.digest = {digest->half[0], digest->half[1]}, .bytes = bytes};
    memcpy(h.magic, magic, sizeof magic);
    h.sum = mix(hash(bytes, image, bytes));
    make_room(folder);
    const int file = mkostemp(aside, O_CLOEXEC);
    if (file < 0) return "no file can be made in the folder";
    bool whole = write_all(file, &h, sizeof h) && write_all(file, image, bytes);
    whole = close(file) == 0 && whole;
    if (whole && rename(aside, path) == 0) return "";
    unlink(aside);
    return "the file cannot be written";
}
