// SPDX-License-Identifier: Apache-2.0
// Opening the driver library and NVRTC, once a process.
#include "driver.h"
#include "core/system/environment.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// ISO C has no cast from a pointer to data to one to a function.
static bool find(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

// ---- The driver ---------------------------------------------------------------------------------

static hd__gpu_cuda_driver driver;
static char driver_trouble[200];
static pid_t driver_process; // that started it: a fork of it cannot use it

static void find_driver(void)
{
    const char *missing = NULL, *text = NULL;
    int devices = 0;
    const char *named = hd__trusted_env("HEDDLE_CUDA_DRIVER");
    if (named == NULL || named[0] == 0) named = "libcuda.so.1";
    void *library = dlopen(named, RTLD_NOW | RTLD_LOCAL); // never closed
    if (library == NULL) {
        snprintf(driver_trouble, sizeof driver_trouble, "no CUDA driver (%.150s)", named);
        return;
    }
#define ROW(member, symbol, parameters)                                                            \
    if (missing == NULL && !find(library, symbol, &driver.member)) missing = symbol;
    CU_FUNCTIONS(ROW)
#undef ROW
    if (missing != NULL) {
        snprintf(driver_trouble, sizeof driver_trouble,
                 "the CUDA driver is too old: it has no %s (11.2 or newer is needed)", missing);
        return;
    }
#define ROW(member, symbol, parameters) (void)find(library, symbol, &driver.member);
    CU_NEWER_FUNCTIONS(ROW)
#undef ROW
    int version = 0;
    driver.begins_early = driver.launch_more != NULL && driver.version != NULL &&
                          driver.version(&version) == 0 && version >= CU_EARLY_IN_GRAPHS;
    driver_process = getpid();
    cu_result result = driver.init(0);
    if (result == 0) result = driver.device_count(&devices);
    if (result != 0) {
        if (driver.error_text(result, &text) != 0 || text == NULL) text = "unknown error";
        snprintf(driver_trouble, sizeof driver_trouble, "the CUDA driver does not start: %s", text);
    } else if (devices == 0) {
        strcpy(driver_trouble, "the CUDA driver has no device");
    }
}

const hd__gpu_cuda_driver *hd__gpu_cuda_driver_of(const char **why)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_driver);
    *why = driver_trouble;
    if (driver_trouble[0] != 0) return NULL;
    if (driver_process == getpid()) return &driver;
    *why = "the CUDA driver was started before a fork(), and serves only the process that did; use "
           "CUDA first in the new process, or start that by exec";
    return NULL;
}

// ---- NVRTC --------------------------------------------------------------------------------------

static hd__gpu_nvrtc nvrtc;
static char nvrtc_trouble[200];

static void find_nvrtc(void)
{
    static const char *const names[] = {"libnvrtc.so",
                                        "libnvrtc.so.13",
                                        "libnvrtc.so.12",
                                        "libnvrtc.so.11.2",
                                        "/usr/local/cuda/lib64/libnvrtc.so",
                                        "/usr/local/cuda/lib/libnvrtc.so"};
    const char *missing = NULL, *named = hd__trusted_env("HEDDLE_NVRTC");
    void *library = NULL;
    if (named != NULL && strcmp(named, "none") == 0) {
        strcpy(nvrtc_trouble, "no run-time compiler is to be used (HEDDLE_NVRTC=none)");
        return;
    }
    if (named != NULL && named[0] != 0) library = dlopen(named, RTLD_NOW | RTLD_LOCAL);
    for (size_t k = 0; library == NULL && k < sizeof names / sizeof *names; k++)
        library = dlopen(names[k], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        strcpy(nvrtc_trouble, "no run-time compiler (libnvrtc.so)");
        return;
    }
#define ROW(member, symbol, parameters)                                                            \
    if (missing == NULL && !find(library, symbol, &nvrtc.member)) missing = symbol;
    NVRTC_FUNCTIONS(ROW)
#undef ROW
    if (missing != NULL || nvrtc.version(&nvrtc.major, &nvrtc.minor) != 0)
        snprintf(nvrtc_trouble, sizeof nvrtc_trouble, "NVRTC is too old: it has no %s",
                 missing != NULL ? missing : "version");
}

const hd__gpu_nvrtc *hd__gpu_nvrtc_of(const char **why)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_nvrtc);
    *why = nvrtc_trouble;
    return nvrtc_trouble[0] == 0 ? &nvrtc : NULL;
}
