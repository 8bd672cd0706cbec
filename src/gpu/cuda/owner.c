// SPDX-License-Identifier: Apache-2.0
// Whose memory an address is, by the CUDA driver that somebody else in the process has loaded.
#include "core/system/environment.h"
#include "driver.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

enum { MEMORY_TYPE = 2, IS_MANAGED = 8, ORDINAL = 9 }; // of cuPointerGetAttributes
enum { TYPE_DEVICE = 2 };

typedef cu_result attributes_of(unsigned count, const int *which, void **values,
                                hd__gpu_address address);

static _Atomic(void *) symbol; // found once; a driver stays loaded

// Managed memory is the host's as well. An address that the driver does not know leaves zeros.
static bool is_device_memory(const void *address, int32_t *device)
{
    static const int which[] = {MEMORY_TYPE, IS_MANAGED, ORDINAL};
    unsigned type = 0;
    char managed[8] = {0}; // a bool of the driver's
    int ordinal = 0;
    void *values[] = {&type, managed, &ordinal};
    void *found = atomic_load(&symbol);
    attributes_of *ask;
    memcpy(&ask, &found, sizeof found); // ISO C has no cast to a pointer to a function
    if (ask(3, which, values, (hd__gpu_address)(uintptr_t)address) != 0) return false;
    *device = ordinal;
    return type == TYPE_DEVICE && managed[0] == 0;
}

hd__gpu_owner *hd__gpu_cuda_owner(void)
{
    if (atomic_load(&symbol) != NULL) return is_device_memory;
    const char *named = hd__trusted_env("HEDDLE_CUDA_DRIVER");
    if (named == NULL || named[0] == 0) named = "libcuda.so.1";
    void *library = dlopen(named, RTLD_LAZY | RTLD_NOLOAD);
    if (library == NULL) return NULL;
    atomic_store(&symbol, dlsym(library, "cuPointerGetAttributes"));
    dlclose(library); // whoever loaded it keeps it
    return atomic_load(&symbol) != NULL ? is_device_memory : NULL;
}
