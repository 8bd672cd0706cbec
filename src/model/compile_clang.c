// SPDX-License-Identifier: Apache-2.0
//
// clang, run as a program: -x cuda, for the device only, with a device header of our own.
#include "model/compile.h"

hd_status hd__compile_clang(hd_model *model, const compile_job *job, char **ptx)
{
    (void)ptx;
    return hd__model_fail(model, HD_ERROR_BACKEND, "%s: neither NVRTC nor clang is here",
                          job->name);
}
