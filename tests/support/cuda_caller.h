// SPDX-License-Identifier: Apache-2.0
// A caller of Heddle that uses CUDA itself: the driver's functions that it needs, of the card's
// driver or, where there is no card, of the fake one (tests/fake/driver.c).
#ifndef HEDDLE_TESTS_SUPPORT_CUDA_CALLER_H
#define HEDDLE_TESTS_SUPPORT_CUDA_CALLER_H

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

#define CUDA_CALLER_FUNCTIONS(ROW)                                                                 \
    ROW(init, "cuInit", (unsigned))                                                                \
    ROW(device, "cuDeviceGet", (int *, int))                                                       \
    ROW(retain, "cuDevicePrimaryCtxRetain", (void **, int))                                        \
    ROW(use, "cuCtxSetCurrent", (void *))                                                          \
    ROW(stream, "cuStreamCreate", (void **, unsigned))                                             \
    ROW(begin, "cuStreamBeginCapture_v2", (void *, int))                                           \
    ROW(end, "cuStreamEndCapture", (void *, void **))                                              \
    ROW(end_graph, "cuGraphDestroy", (void *))                                                     \
    ROW(end_stream, "cuStreamDestroy_v2", (void *))                                                \
    ROW(wait, "cuStreamSynchronize", (void *))                                                     \
    ROW(allocate, "cuMemAlloc_v2", (unsigned long long *, size_t))                                 \
    ROW(managed, "cuMemAllocManaged", (unsigned long long *, size_t, unsigned))                    \
    ROW(release, "cuMemFree_v2", (unsigned long long))                                             \
    ROW(fill, "cuMemsetD8Async", (unsigned long long, unsigned char, size_t, void *))

static struct {
#define ROW(name, symbol, parameters) int(*name) parameters;
    CUDA_CALLER_FUNCTIONS(ROW)
#undef ROW
    void *library;
    bool fake;
} cu;

#define CU(call)                                                                                   \
    do {                                                                                           \
        const int cu_result = cu.call;                                                             \
        CHECK(cu_result == 0, "%s gives %d", #call, cu_result);                                    \
    } while (0)

// The driver, with its first device's context current. Without a card the program begins again with
// the fake driver. False: there is none, and *why says so.
static inline bool cuda_caller_begin(char **arguments, const char **why)
{
    const char *named = getenv("HEDDLE_CUDA_DRIVER");
    void *context, *symbol;
    int device;
    cu.fake = named != NULL;
    if (!cu.fake && !hd_backend_available(HD_CUDA, why)) {
        setenv("HEDDLE_CUDA_DRIVER", HEDDLE_FAKE_DIR "/driver.so", 1);
        setenv("HEDDLE_CACHE_DIR", "none", 0); // what other tests have compiled will do
        setenv("HEDDLE_PTXAS", "none", 1);
        execv("/proc/self/exe", arguments);
        return false;
    }
    if (!hd_backend_available(HD_CUDA, why)) return false;
    cu.library = dlopen(cu.fake ? named : "libcuda.so.1", RTLD_NOW);
    bool all = cu.library != NULL;
#define ROW(name, text, parameters)                                                                \
    symbol = cu.library != NULL ? dlsym(cu.library, text) : NULL;                                  \
    memcpy(&cu.name, &symbol, sizeof symbol);                                                      \
    all = all && symbol != NULL;
    CUDA_CALLER_FUNCTIONS(ROW)
#undef ROW
    *why = "the driver lacks a function";
    if (!all) return false;
    CU(init(0));
    CU(device(&device, 0));
    CU(retain(&context, device));
    CU(use(context));
    return true;
}

#endif
