// SPDX-License-Identifier: Apache-2.0
//
// Landlock: files that a process may open from now on. Its interface is written out here, since
// many systems that have it lack its header. seccomp is in seccomp.c.
#define _GNU_SOURCE
#include "confine.h"

#ifdef __linux__

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The numbers are the same on every architecture.
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446 };
enum { VERSION_FLAG = 1, PATH_BENEATH = 1 };

enum {
    EXECUTE = 1 << 0,
    WRITE_FILE = 1 << 1,
    READ_FILE = 1 << 2,
    READ_DIR = 1 << 3,
    CHANGES = 0x1ff0, // remove and make files and folders of every kind: bits 4 to 12
    REFER = 1 << 13,  // from version 2 on
    TRUNCATE = 1 << 14,
    OF_A_FILE = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE
};
#define TCP          UINT64_C(3) // bind and connect: from version 4 on
#define OUT_OF_SCOPE UINT64_C(3) // abstract sockets and signals: from version 6 on

typedef struct ruleset {
    uint64_t files, net, scoped;
} ruleset;

typedef struct __attribute__((packed)) path_beneath {
    uint64_t allowed;
    int32_t folder;
} path_beneath;

static void allow(int rules, const char *path, uint64_t access)
{
    struct stat s;
    const int file = open(path, O_PATH | O_CLOEXEC);
    if (file < 0) return; // nothing is there to be allowed
    if (fstat(file, &s) == 0) {
        const path_beneath rule = {S_ISDIR(s.st_mode) ? access : access & OF_A_FILE, file};
        (void)syscall(ADD_RULE, rules, PATH_BENEATH, &rule, 0);
    }
    close(file);
}

static void allow_all(int rules, const char *const *paths, uint64_t access)
{
    for (int k = 0; paths != NULL && paths[k] != NULL; k++) allow(rules, paths[k], access);
}

bool hd__model_confine_files(const confined_files *f)
{
    const long version = syscall(CREATE_RULESET, NULL, (size_t)0, VERSION_FLAG);
    if (version < 1) return false;
    const uint64_t reading = EXECUTE | READ_FILE | READ_DIR;
    uint64_t writing = WRITE_FILE | CHANGES;
    if (version >= 2) writing |= REFER;
    if (version >= 3) writing |= TRUNCATE;
    const ruleset all = {writing | (f->read_all ? 0 : reading), version >= 4 ? TCP : 0,
                         version >= 6 ? OUT_OF_SCOPE : 0};
    const size_t bytes = version >= 6   ? sizeof all
                         : version >= 4 ? offsetof(ruleset, scoped)
                                        : sizeof all.files;
    const int rules = (int)syscall(CREATE_RULESET, &all, bytes, 0);
    if (rules < 0) return false;
    allow_all(rules, f->read, reading & all.files & ~(uint64_t)EXECUTE);
    allow_all(rules, f->write, (writing | reading) & all.files & ~(uint64_t)EXECUTE);
    const bool done =
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(RESTRICT_SELF, rules, 0) == 0;
    close(rules);
    return done;
}

#else

bool hd__model_confine_files(const confined_files *f)
{
    (void)f;
    return false;
}

#endif
