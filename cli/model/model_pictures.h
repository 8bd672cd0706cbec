// SPDX-License-Identifier: Apache-2.0
//
// Pictures of one request of a warp: lanes by banks of shared memory, lanes by sectors of global.
#ifndef HEDDLE_CLI_MODEL_MODEL_PICTURES_H
#define HEDDLE_CLI_MODEL_MODEL_PICTURES_H

#include "heddle_model.h"

#include <stdio.h>

void picture_banks(FILE *out, const hd_model_sample *s, const hd_model_options *o);
void picture_sectors(FILE *out, const hd_model_sample *s, const hd_model_options *o);

#endif
