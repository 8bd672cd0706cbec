// SPDX-License-Identifier: Apache-2.0
//
// Edge lists as commands take them: a file of rows "u v" or "u v w", text or an array (m, 2) or
// (m, 3).
#ifndef HEDDLE_CLI_ALGORITHMS_EDGE_LIST_H
#define HEDDLE_CLI_ALGORITHMS_EDGE_LIST_H

#include "cli/run/workspace.h"

typedef struct edge_list {
    hd_view rows;   // as they are in the file
    hd_view u, v;   // i64
    hd_view weight; // of the third column; unset where there is none
    int64_t nodes;
} edge_list;

// Loads a file, or prints why not and returns an exit code. nodes: as many as are given, else one
// more than the greatest number. Nodes must be whole numbers of 0 or more.
int edge_list_load(workspace *w, const char *file, const io_read_options *read, arg_int nodes,
                   edge_list *list);

// Its steps over parts of a file: rows of two numbers or three; their columns; the nodes there are
// where none are given and `greatest` is the greatest one.
int edge_list_rows(const workspace *w, const char *file, hd_view *rows);
int edge_list_columns(workspace *w, const char *file, hd_view rows, edge_list *list);
int edge_list_nodes(const workspace *w, const char *file, int64_t greatest, int64_t bytes,
                    edge_list *list);

#endif
