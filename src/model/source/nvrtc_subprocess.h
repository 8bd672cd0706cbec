// SPDX-License-Identifier: Apache-2.0
//
// NVRTC in a process of its own. A library has no program to start for that, so the program that
// uses it offers itself: heddle does, and what NVRTC compiles for it can neither read its files
// nor outgrow its limits. Without a helper NVRTC runs in the process of the caller.
#ifndef HEDDLE_MODEL_SOURCE_NVRTC_SUBPROCESS_H
#define HEDDLE_MODEL_SOURCE_NVRTC_SUBPROCESS_H

#include "compile.h"
#include "compile_helper.h"

#define NVRTC_MAX_FLAGS 96

typedef struct nvrtc_request {
    const char *name, *text;
    char *flags[NVRTC_MAX_FLAGS];
    char **names; // of headers
    const char **texts;
    int flag_count, header_count;
    const char *toolkit; // the folder of CUDA's headers, if they may be included
    bool lost;           // no memory
} nvrtc_request;

typedef enum nvrtc_answer {
    NVRTC_PTX,
    NVRTC_LOG,
    NVRTC_ABSENT,
    NVRTC_REFUSES,
    NVRTC_LOST
} nvrtc_answer;

// In this process; the text (PTX, or the log) is the caller's to free, and may be NULL.
nvrtc_answer hd__model_nvrtc_do(const nvrtc_request *r, char **text);
// Opens all of NVRTC, so that it needs no more files.
void hd__model_nvrtc_load(void);

// NVRTC_LOST: the status, with the model's error.
hd_status hd__model_nvrtc_subprocess(hd_model *model, const char *helper, const nvrtc_request *r,
                                     nvrtc_answer *answer, char **text);

#endif
