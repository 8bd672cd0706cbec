// SPDX-License-Identifier: Apache-2.0
// Finds the driver of the model machine, which is in a library of its own: linked with the program,
// or loaded when a context first asks for it.
#define _GNU_SOURCE // dladdr
#include "core/backend.h"
#include "device_driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

// A program that is linked with libheddle_model has it; this does not bring it, and is NULL else.
extern HD__WEAK const hd__gpu_driver *hd__gpu_driver_model(void);

#define TEXT(number)    WRITTEN(number)
#define WRITTEN(number) #number
#if HD_VERSION_MAJOR > 0
#define INTERFACE TEXT(HD_VERSION_MAJOR)
#else // each minor version has its own
#define INTERFACE TEXT(HD_VERSION_MAJOR) "." TEXT(HD_VERSION_MINOR)
#endif
#define LIBRARY "libheddle_model.so." INTERFACE

static const hd__gpu_driver *found;
static const char *why_not;

// The folder of the shared library that this is in, with its slash; false: it is in a program.
static bool own_folder(char *folder, size_t room)
{
    Dl_info info;
    if (dladdr(&found, &info) == 0 || info.dli_fname == NULL) return false;
    const char *slash = strrchr(info.dli_fname, '/');
    const char *name = slash != NULL ? slash + 1 : info.dli_fname;
    const size_t length = (size_t)(name - info.dli_fname);
    if (strncmp(name, "libheddle.so", 12) != 0 || length + sizeof LIBRARY > room) return false;
    memcpy(folder, info.dli_fname, length);
    folder[length] = 0;
    return true;
}

// Beside libheddle first, so that the two are of one installation. It is never closed.
static void *load(char *path, size_t length)
{
    memcpy(path + length, LIBRARY, sizeof LIBRARY);
    void *library = length > 0 ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    return library != NULL ? library : dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
}

static void look(void)
{
    char path[4096];
    const hd__gpu_driver *(*driver)(void) = hd__gpu_driver_model;
    if (driver == NULL && own_folder(path, sizeof path)) {
        void *library = load(path, strlen(path));
        void *symbol = library != NULL ? dlsym(library, "hd__gpu_driver_model") : NULL;
        memcpy(&driver, &symbol, sizeof driver);
        why_not = "the model machine is in " LIBRARY
                  ", which is neither beside libheddle.so nor where the loader looks: install it";
    } else if (driver == NULL) {
        why_not = "this program has no model machine: link it with -Wl,-u,hd__gpu_driver_model "
                  "-lheddle_model -lheddle";
    }
    if (driver == NULL) return;
    const hd__gpu_driver *model = driver();
    if (model->version == HD_VERSION && model->bytes == (int32_t)sizeof *model)
        found = model;
    else
        why_not = LIBRARY " is of another version than libheddle.so: install those of one version";
}

const hd__gpu_driver *hd__gpu_find_model(const char **why)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look);
    if (found == NULL && why != NULL) *why = why_not;
    return found;
}
