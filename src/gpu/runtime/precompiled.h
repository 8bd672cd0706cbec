// SPDX-License-Identifier: Apache-2.0
// Kernels that the build has compiled already, those of src/gpu/runtime/precompiled_calls.c: as
// machine code, so that common calls need not wait for a compiler, and as PTX, for machines with a
// GPU and no compiler. They are found by their text; cmake/precompiled_kernels.c makes the table.
#ifndef HEDDLE_GPU_RUNTIME_PRECOMPILED_H
#define HEDDLE_GPU_RUNTIME_PRECOMPILED_H

#include "core/system/cache_folder.h"
#include "gpu/codegen/source_text.h"

typedef struct hd__gpu_precompiled {
    hd__digest text; // of the kernel's text, by no compiler
    int32_t arch;    // 0: PTX; 80: machine code for sm_80, which sm_86 runs as well, and so on
    const unsigned char *packed;
    uint32_t packed_bytes, bytes;
} hd__gpu_precompiled;

extern const hd__gpu_precompiled hd__gpu_precompiled_kernels[];
extern const int32_t hd__gpu_precompiled_count,
    hd__gpu_precompiled_ptx;                // all of them; those that are PTX
extern const char hd__gpu_precompiled_by[]; // the compiler: "nvrtc", "clang", or ""

// The image of a text, with a zero behind it, free()d by the caller: its PTX (arch 0), or machine
// code that a GPU of this architecture runs. NULL: not among them, or no memory.
char *hd__gpu_precompiled_image(const hd__gpu_text *text, int32_t arch, size_t *bytes);

// Whether machine code for one architecture runs on another: on later ones of the same tens. PTX
// (0) is for 0.
bool hd__gpu_runs_on(int32_t code, int32_t arch);

// How it is packed: a byte below 128 stands before so many and one bytes as they are, another (less
// 128, and 4 more) for so many bytes again from as far back as the next two bytes say, the low one
// first. Returns how many bytes it made, or 0 where the packed ones are not whole or do not fit in
// `room`.
size_t hd__gpu_unpack(const unsigned char *from, size_t bytes, unsigned char *to, size_t room);

#endif
