// SPDX-License-Identifier: Apache-2.0
// Components and minimum spanning forests on a device: trees that its threads join at once.
#ifndef HEDDLE_ALGORITHMS_GRAPH_DEVICE_FOREST_H
#define HEDDLE_ALGORITHMS_GRAPH_DEVICE_FOREST_H

#include "edges.h"

// Whether rows of a call lie where threads of a device reach them, as int32_t.
bool hd__device_forest_serves(const hd__frame *f, const hd__edges *e);

// root = the least node of each node's component.
hd_status hd__device_components(hd__frame *f, const hd__edges *e, hd_view root);

// Edges u, v, lightest first, and their indices; u and v are overwritten. flags, list, next: rows
// of as many; best, parent: of nodes. chosen[id[k]] = true where edge k is of the forest; the other
// elements stay.
typedef struct hd__device_forest {
    hd_view u, v, id, flags, list, next, best, parent, chosen;
} hd__device_forest;
hd_status hd__device_forest_grow(hd__frame *f, const hd__device_forest *d);

#endif
