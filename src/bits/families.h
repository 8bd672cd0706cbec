// SPDX-License-Identifier: Apache-2.0
// The files of cases: each adds its own to the list.
#ifndef HEDDLE_BITS_FAMILIES_H
#define HEDDLE_BITS_FAMILIES_H

#include "bits.h"

void bits_reduces(bits_list *list);
void bits_scans(bits_list *list);
void bits_users(bits_list *list);
void bits_moves(bits_list *list);
void bits_rearranges(bits_list *list);
void bits_neighbourhoods(bits_list *list);
void bits_selects(bits_list *list);
void bits_histograms(bits_list *list);
void bits_sorts(bits_list *list);
void bits_orders(bits_list *list);
void bits_links(bits_list *list);
void bits_compositions(bits_list *list);
void bits_ranks(bits_list *list);

// Every type of numbers: for (EVERY_TYPE(type)) ...
#define EVERY_TYPE(t)                                                                              \
    hd_type t = HD_I8;                                                                             \
    t < HD_STRUCTURE;                                                                              \
    t++

// Whether options are tried, too: for sums of the most different types, for other operators of a
// few.
bool bits_with_options(const hd_operator *op, hd_type type);

#endif
