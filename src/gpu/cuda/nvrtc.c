// SPDX-License-Identifier: Apache-2.0
// CUDA C into an image by NVRTC.
#include "driver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Whether NVRTC makes code for an architecture; if not, *newest is the last before it that it
// knows.
static bool knows(const hd__gpu_nvrtc *n, int32_t arch, int *newest)
{
    int count = 0, list[64];
    *newest = 75;
    if (n->arch_count(&count) != 0 || count < 1 || count > 64 || n->archs(list) != 0) return true;
    for (int k = 0; k < count; k++) {
        if (list[k] == arch) return true;
        if (list[k] < arch) *newest = list[k];
    }
    return false;
}

static hd_status take_log(hd_context *ctx, const hd__gpu_nvrtc *n, nvrtc_program program)
{
    size_t size = 0;
    char *log = n->log_size(program, &size) == 0 && size > 0 ? malloc(size) : NULL;
    if (log != NULL && n->log(program, log) == 0)
        hd__fail(ctx, HD_ERROR_COMPILE, "the kernel does not compile:\n%s", log);
    else
        hd__fail(ctx, HD_ERROR_COMPILE, "the kernel does not compile, and there is no log");
    free(log);
    return HD_ERROR_COMPILE;
}

static hd_status take_image(hd_context *ctx, const hd__gpu_nvrtc *n, nvrtc_program program,
                            bool cubin, void **image, size_t *bytes)
{
    *bytes = 0;
    if ((cubin ? n->cubin_size : n->ptx_size)(program, bytes) != 0 || *bytes == 0)
        return hd__fail(ctx, HD_ERROR_COMPILE, "NVRTC gave no image");
    *image = malloc(*bytes);
    if (*image == NULL) return hd__fail(ctx, HD_ERROR_MEMORY, "no memory for a kernel");
    if ((cubin ? n->cubin : n->ptx)(program, *image) == 0) return HD_OK;
    free(*image);
    *image = NULL;
    return hd__fail(ctx, HD_ERROR_COMPILE, "NVRTC gave no image");
}

// Contraction would change float results (numerics.md). The last is for small programs: it leaves
// textures and the runtime's own types out, which takes a seventh of the time of a short kernel.
static const char *const usual_options[] = {"--fmad=false", "--std=c++17", "--disable-warnings",
                                            "--minimal"};
enum { USUAL_OPTIONS = sizeof usual_options / sizeof *usual_options, INVALID_OPTION = 5 };

static void target_of(const hd__gpu_nvrtc *n, int32_t arch, char target[48], bool *cubin)
{
    int newest;
    *cubin = knows(n, arch, &newest);
    snprintf(target, 48, "--gpu-architecture=%s_%d", *cubin ? "sm" : "compute",
             *cubin ? (int)arch : newest);
}

bool hd__gpu_nvrtc_name(int32_t arch, char *name, size_t room)
{
    const char *why;
    char target[48];
    bool cubin;
    const hd__gpu_nvrtc *n = hd__gpu_nvrtc_of(&why);
    name[0] = 0;
    if (n == NULL) return false;
    target_of(n, arch, target, &cubin);
    snprintf(name, room, "nvrtc %d.%d %s", n->major, n->minor, target);
    for (int k = 0; k < USUAL_OPTIONS; k++) {
        const size_t length = strlen(name);
        snprintf(name + length, room - length, " %s", usual_options[k]);
    }
    return cubin;
}

hd_status hd__gpu_nvrtc_compile(hd_context *ctx, int32_t arch, const char *text, void **image,
                                size_t *bytes)
{
    const char *why, *options[1 + USUAL_OPTIONS];
    const hd__gpu_nvrtc *n = hd__gpu_nvrtc_of(&why);
    nvrtc_program program;
    char target[48];
    bool cubin;
    if (n == NULL) return hd__fail(ctx, HD_ERROR_BACKEND, "cuda: %s", why);
    target_of(n, arch, target, &cubin);
    options[0] = target;
    memcpy(options + 1, usual_options, sizeof usual_options);
    int result = INVALID_OPTION;
    for (int count = 1 + USUAL_OPTIONS; result == INVALID_OPTION && count >= USUAL_OPTIONS;
         count--) {
        if (count == USUAL_OPTIONS) n->destroy(&program); // an older one does not know the last
        if (n->create(&program, text, "kernel.cu", 0, NULL, NULL) != 0)
            return hd__fail(ctx, HD_ERROR_COMPILE, "NVRTC does not take the text of a kernel");
        result = n->compile(program, count, options);
    }
    const hd_status status =
        result != 0 ? take_log(ctx, n, program) : take_image(ctx, n, program, cubin, image, bytes);
    n->destroy(&program);
    return status;
}
