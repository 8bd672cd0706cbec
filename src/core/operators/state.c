// SPDX-License-Identifier: Apache-2.0
#include "state.h"

hd_status hd__refuse_state(hd_context *ctx, const char *call, const char *kind, const char *name,
                           const hd_state *state)
{
    if (name == NULL) name = "(no name)";
    if (state->size == 0)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: the %s %s was given a state of %llu bytes; expected none", call, kind,
                        name, (unsigned long long)state->bytes);
    if (state->data == NULL)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: the %s %s has no state; expected one of %llu bytes (%.80s), as "
                        "hd_with_state gives it",
                        call, kind, name, (unsigned long long)state->size,
                        state->text != NULL ? state->text : "no text");
    return hd__fail(ctx, HD_ERROR_ARGUMENT,
                    "%s: the %s %s was given a state of %llu bytes; expected %llu (%.80s)", call,
                    kind, name, (unsigned long long)state->bytes, (unsigned long long)state->size,
                    state->text != NULL ? state->text : "no text");
}
