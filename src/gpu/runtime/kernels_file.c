// SPDX-License-Identifier: Apache-2.0
// Finds, checks and maps the file of precompiled kernels: precompiled.h.
#define _GNU_SOURCE // dladdr
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/system/environment.h"
#include "precompiled.h"

enum { MOST_BYTES = 1 << 26 }; // of one image

static const hd__gpu_precompiled_head nothing = {.magic = ""};
static hd__gpu_precompiled_file kernels = {.head = &nothing, .why = "not looked for yet"};

// ---- Checks -------------------------------------------------------------------------------------

static const char *check_row(const hd__gpu_precompiled *row, size_t bytes)
{
    if (row->arch < 0 || row->bytes == 0 || row->bytes > MOST_BYTES) return "a row is not sensible";
    if (row->offset > bytes || row->packed_bytes > bytes - row->offset)
        return "a row reaches beyond its end";
    return "";
}

const char *hd__gpu_precompiled_check(const unsigned char *at, size_t bytes)
{
    hd__gpu_precompiled_head head;
    if (bytes < sizeof head) return "it is too short";
    memcpy(&head, at, sizeof head);
    if (memcmp(head.magic, HD__GPU_PRECOMPILED_MAGIC, sizeof head.magic) != 0)
        return "it is no file of kernels of this version";
    if (head.bytes != bytes) return "it is not whole";
    if (head.by[sizeof head.by - 1] != 0) return "its compiler has no name";
    if (head.count < 0 || head.ptx < 0 || head.ptx > head.count ||
        (size_t)head.count > (bytes - sizeof head) / sizeof(hd__gpu_precompiled))
        return "its table does not fit";
    const char *why = "";
    for (int32_t k = 0; k < head.count && why[0] == 0; k++) {
        hd__gpu_precompiled row;
        memcpy(&row, at + sizeof head + (size_t)k * sizeof row, sizeof row);
        why = check_row(&row, bytes);
    }
    return why;
}

// What is in it is executed: nobody may have written it who could not have written the program.
static const char *check_owner(const struct stat *s, const struct stat *object)
{
    if (!S_ISREG(s->st_mode)) return "it is no plain file";
    if (s->st_uid != 0 && s->st_uid != geteuid() && (object == NULL || s->st_uid != object->st_uid))
        return "it belongs to another user";
    return s->st_mode & (S_IWGRP | S_IWOTH) ? "others may write to it" : "";
}

// ---- Opening ------------------------------------------------------------------------------------

static const char *map(int file, size_t bytes)
{
    void *at = bytes > 0 ? mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    if (at == MAP_FAILED) return bytes > 0 ? "it cannot be mapped" : "it is too short";
    const char *why = hd__gpu_precompiled_check(at, bytes);
    if (why[0] != 0) {
        munmap(at, bytes);
        return why;
    }
    kernels.at = at;
    kernels.head = at;
    kernels.rows = (const void *)(kernels.at + sizeof *kernels.head);
    return "";
}

// True: looking ends here, with the file or with what is wrong with it.
static bool take(const char *path, const struct stat *object)
{
    struct stat s;
    if (snprintf(kernels.path, sizeof kernels.path, "%s", path) >= (int)sizeof kernels.path)
        return false;
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        kernels.why = "there is no such file";
        return false;
    }
    kernels.why = fstat(file, &s) == 0 ? check_owner(&s, object) : "it cannot be read";
    if (kernels.why[0] == 0) kernels.why = map(file, (size_t)s.st_size);
    close(file);
    return true;
}

// Beside what this code is a part of, the shared library or a program: as a release and a build
// folder have it, and where a program in bin/ finds lib/.
static bool take_beside(const char *object_path)
{
    static const char *const places[] = {HEDDLE_KERNELS_NAME, "heddle/" HEDDLE_KERNELS_NAME,
                                         HEDDLE_KERNELS_FROM_BIN "/" HEDDLE_KERNELS_NAME};
    struct stat object;
    char path[4096];
    const char *slash = strrchr(object_path, '/');
    if (slash == NULL || stat(object_path, &object) != 0) return false;
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        const int length = snprintf(path, sizeof path, "%.*s/%s", (int)(slash - object_path),
                                    object_path, places[k]);
        if (length < (int)sizeof path && take(path, &object)) return true;
    }
    return false;
}

static void find(void)
{
    const char *wish = hd__trusted_env("HEDDLE_KERNELS");
    Dl_info info;
    if (wish != NULL && wish[0] != 0) {
        if (strcmp(wish, "none") == 0)
            kernels.why = "HEDDLE_KERNELS is none";
        else
            take(wish, NULL);
        return;
    }
    if (dladdr(&nothing, &info) != 0 && info.dli_fname != NULL && take_beside(info.dli_fname))
        return;
    take(HEDDLE_KERNELS_INSTALLED "/" HEDDLE_KERNELS_NAME, NULL);
}

const hd__gpu_precompiled_file *hd__gpu_precompiled_kernels(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, find);
    return &kernels;
}
