// SPDX-License-Identifier: Apache-2.0
// Images of colours as images of two axes, for commands that want those.
#ifndef HEDDLE_CLI_ALGORITHMS_GRAY_H
#define HEDDLE_CLI_ALGORITHMS_GRAY_H

#include "cli/run/workspace.h"

// An image of two axes stays as it is. Of one with channels, u8 or u16: gray = 0.299 r + 0.587 g +
// 0.114 b, rounded, or the first of one or two channels; what is opaque is not looked at.
int gray_image(workspace *w, hd_view in, hd_view *gray);

#endif
