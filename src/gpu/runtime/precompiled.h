// SPDX-License-Identifier: Apache-2.0
// Kernels that the build has compiled already, those of src/gpu/runtime/precompiled_calls.c: as
// machine code, so that common calls need not wait for a compiler, and as PTX, for machines with a
// GPU and no compiler. They are found by their text, in a file beside the library that
// cmake/precompiled_kernels.c makes; without the file there are none.
#ifndef HEDDLE_GPU_RUNTIME_PRECOMPILED_H
#define HEDDLE_GPU_RUNTIME_PRECOMPILED_H

#include "core/system/cache_folder.h"
#include "gpu/codegen/source_text.h"

// The file, in the machine's order of bytes: a head, `count` rows, packed images.
typedef struct hd__gpu_precompiled_head {
    char magic[8];      // HD__GPU_PRECOMPILED_MAGIC
    int32_t count, ptx; // all rows; those that are PTX
    char by[16];        // the compiler: "nvrtc", "clang", or ""
    uint64_t bytes;     // of the whole file
} hd__gpu_precompiled_head;

#define HD__GPU_PRECOMPILED_MAGIC "HDKERN1\n"

typedef struct hd__gpu_precompiled {
    hd__digest text; // of the kernel's text, by no compiler
    int32_t arch;    // 0: PTX; 80: machine code for sm_80, which sm_86 runs as well, and so on
    uint32_t packed_bytes, bytes, zero;
    uint64_t offset; // of the packed image in the file
} hd__gpu_precompiled;

typedef struct hd__gpu_precompiled_file {
    const hd__gpu_precompiled_head *head;
    const hd__gpu_precompiled *rows;
    const unsigned char *at; // the file's bytes
    char path[4096];         // the file, or the last that was looked for
    const char *why;         // why there is none, or ""
} hd__gpu_precompiled_file;

// The file of this process, opened by the first call; without one it has no rows. HEDDLE_KERNELS
// names it; else it is searched for beside the library or the program (kernels_file.c).
HD__EXPORTED const hd__gpu_precompiled_file *hd__gpu_precompiled_kernels(void);

// Takes a file's bytes for one; returns "" or what is wrong with them. No row reaches beyond them.
const char *hd__gpu_precompiled_check(const unsigned char *at, size_t bytes);

// The image of a text, with a zero behind it, free()d by the caller: its PTX (arch 0), or machine
// code that a GPU of this architecture runs. NULL: not among them, not whole, or no memory.
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
