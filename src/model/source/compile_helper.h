// SPDX-License-Identifier: Apache-2.0
//
// The program that runs NVRTC in a process of its own, on behalf of the library:
// nvrtc_subprocess.h.
#ifndef HEDDLE_MODEL_SOURCE_COMPILE_HELPER_H
#define HEDDLE_MODEL_SOURCE_COMPILE_HELPER_H

// The program that a request is given to, as its argument __nvrtc; NULL: none.
const char *hd__model_compile_helper(void);
void hd__model_compile_by_helper(const char *program);

// What the helper does: it reads a request from standard input and writes the answer to standard
// output. Returns the exit code.
int hd__model_nvrtc_serve(void);
#define HD_NVRTC_WORD "__nvrtc"

#endif
