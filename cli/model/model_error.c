// SPDX-License-Identifier: Apache-2.0
//
// The exit code and the message of a status of the model machine.
#include "model.h"

#include "cli/support/exit.h"

int model_failed(const hd_model *model, hd_status status)
{
    const int code = status == HD_ERROR_COMPILE   ? EXIT_COMPILE
                     : status == HD_ERROR_BACKEND ? EXIT_BACKEND
                     : status == HD_ERROR_DEVICE  ? EXIT_HAZARD
                     : status == HD_ERROR_MEMORY  ? EXIT_IO
                                                  : EXIT_USAGE;
    const char *text = hd_model_error(model);
    return fail_lines(code, "model", "%s", *text ? text : hd_status_text(status));
}
