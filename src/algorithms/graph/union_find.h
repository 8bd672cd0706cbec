// SPDX-License-Identifier: Apache-2.0
// Connected components by union-find, on the cores.
#ifndef HEDDLE_ALGORITHMS_GRAPH_UNION_FIND_H
#define HEDDLE_ALGORITHMS_GRAPH_UNION_FIND_H

#include "edges.h"

// root = the least node of each node's component. *done stays false where the context does not
// compute on the cores; root is then each node itself.
hd_status hd__union_find(hd__frame *f, const hd__edges *e, hd_view root, bool *done);

#endif
