// SPDX-License-Identifier: Apache-2.0
//
// dlopen of the peers. The libraries stay loaded to the end: their threads may still run.
#define _GNU_SOURCE // secure_getenv
#include "peer_loader.h"

#include "bench/support/lists.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PREFIX "heddle-peer-"

// From the program's folder to that of installed peers; the build says it.
#ifndef HEDDLE_PEERS_FROM_PROGRAM
#define HEDDLE_PEERS_FROM_PROGRAM "../lib/heddle/peers"
#endif

static int is_plugin(const struct dirent *entry)
{
    const size_t length = strlen(entry->d_name), end = strlen(".so");
    return strncmp(entry->d_name, PREFIX, strlen(PREFIX)) == 0 && length > end &&
           strcmp(entry->d_name + length - end, ".so") == 0;
}

static void open_peer(peer_set *set, const char *path, const char *only, bool on_device,
                      int threads, FILE *log)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(log, "peer left out: %s\n", dlerror());
        return;
    }
    union { // ISO C has no cast from a pointer to data to one to a function
        void *data;
        const peer *(*entry)(void);
    } symbol = {dlsym(library, "heddle_peer")};
    const peer *p = symbol.data ? symbol.entry() : NULL;
    if (!p || (p->abi & 0xff) != PEER_ABI) {
        fprintf(log, "peer left out: %s: built for another version\n", path);
        return;
    }
    if (!list_has(only, p->name)) return;
    if (!(p->abi & PEER_ON_DEVICE) == on_device) return;
    if (!p->open(threads)) {
        union {
            void *data;
            const char *(*entry)(void);
        } why = {dlsym(library, "heddle_peer_why")};
        fprintf(log, "peer left out: %s: %s\n", p->name,
                why.data ? why.entry() : "it cannot work here");
        return;
    }
    if (set->count < PEERS_MAX) set->peer[set->count++] = p;
}

static int open_folder(peer_set *set, const char *folder, const char *only, bool on_device,
                       int threads, FILE *log)
{
    struct dirent **entries;
    const int found = *folder ? scandir(folder, &entries, is_plugin, alphasort) : -1;
    if (found < 0) return 0;
    for (int k = 0; k < found; k++) {
        char path[4096 + 256 + 2];
        snprintf(path, sizeof path, "%s/%s", folder, entries[k]->d_name);
        open_peer(set, path, only, on_device, threads, log);
        free(entries[k]);
    }
    free(entries);
    if (found) snprintf(set->folder, sizeof set->folder, "%s", folder);
    return found;
}

// The folder that the program's file is in. False: it cannot be told.
static bool program_folder(char *folder, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    if (length <= 0) return false;
    folder[length] = 0;
    char *slash = strrchr(folder, '/');
    if (!slash) return false;
    *slash = 0;
    return true;
}

// Peers run with the rights of whoever starts the program. They are taken from where the program
// itself is, installed or built, and from no folder that somebody else may have filled: not the
// working folder, nor a path that an earlier build had.
static void own_folder(char *folder, size_t size)
{
    char program[3072], cache[sizeof program + sizeof "/CMakeCache.txt"];
    folder[0] = 0;
    if (!program_folder(program, sizeof program)) return;
    snprintf(cache, sizeof cache, "%s/CMakeCache.txt", program);
    const bool built_here = access(cache, F_OK) == 0;
    snprintf(folder, size, "%s/%s", program, built_here ? "peers" : HEDDLE_PEERS_FROM_PROGRAM);
}

void peers_open(peer_set *set, const char *only, bool on_device, int threads, FILE *log)
{
    // OpenBLAS's idle threads spin for 2^26 ticks of the clock (64 ms here), into the turns of
    // everyone after it. 2^21 (1 or 2 ms) is still longer than the pause between its own calls.
    setenv("OPENBLAS_THREAD_TIMEOUT", "21", 0);
    memset(set, 0, sizeof *set);
    const char *named = secure_getenv("HEDDLE_PEERS_DIR");
    char own[4096];
    if (!named || !*named) own_folder(own, sizeof own);
    open_folder(set, named && *named ? named : own, only, on_device, threads, log);
}

void peers_close(peer_set *set)
{
    for (int k = 0; k < set->count; k++)
        if (set->peer[k]->close) set->peer[k]->close();
    set->count = 0;
}
