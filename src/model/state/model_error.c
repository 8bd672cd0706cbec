// SPDX-License-Identifier: Apache-2.0
//
// The text of a model's last error.
#include "model_state.h"

#include <stdarg.h>
#include <stdio.h>

hd_status hd__model_fail(hd_model *model, hd_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(model->error, sizeof model->error, format, arguments);
    va_end(arguments);
    return status;
}
