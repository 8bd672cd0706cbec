// SPDX-License-Identifier: Apache-2.0
//
// A histogram as text: for each bin what it holds and its count, and on a terminal a bar.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "histogram.h"
#include "cli/support/print.h"

#define BAR_WIDTH 50 // characters of the longest

static const char *real_text(double x, char buffer[PRINT_ROOM])
{
    return print_value(HD_F64, &x, buffer);
}

static double edge_of(const bin_axis *a, int64_t k)
{
    return k == a->bins ? a->upper : a->lower + (a->upper - a->lower) / (double)a->bins * (double)k;
}

static void print_edge(const bin_axis *a, int64_t k)
{
    char buffer[PRINT_ROOM];
    const char *element = (const char *)a->edges.data +
                          (size_t)(k * a->edges.stride[0]) * hd_type_size(a->edges.type);
    printf("%s ", print_value(a->edges.type, element, buffer));
}

static void print_letters(const bin_axis *a, int64_t k)
{
    const int first = (int)k * a->letters, last = first + a->letters - 1;
    if (a->letters == 1)
        printf("%c ", 'a' + first);
    else
        printf("%c-%c ", 'a' + first, 'a' + (last < 25 ? last : 25));
}

static void print_bin(const bin_axis *a, int64_t k)
{
    char buffer[PRINT_ROOM];
    switch (a->kind) {
    case BINS_LETTERS: print_letters(a, k); break;
    case BINS_EDGES:
        print_edge(a, k);
        print_edge(a, k + 1);
        break;
    case BINS_EVEN:
        printf("%s ", real_text(edge_of(a, k), buffer));
        printf("%s ", real_text(edge_of(a, k + 1), buffer));
        break;
    default: printf("%lld ", (long long)(a->first + k));
    }
}

// A count as a length; weights below 0 have none.
static double length_of(hd_view out, int64_t k)
{
    const char *element = (const char *)out.data + (size_t)k * hd_type_size(out.type);
    char buffer[PRINT_ROOM];
    const double x = strtod(print_value(out.type, element, buffer), NULL);
    return x > 0 ? x : 0;
}

void histogram_print(const bin_axis *axis, hd_view out, bool hex, bool bars)
{
    const size_t size = hd_type_size(out.type);
    double most = 0;
    for (int64_t k = 0; bars && k < axis->bins; k++)
        if (length_of(out, k) > most) most = length_of(out, k);
    for (int64_t k = 0; k < axis->bins; k++) {
        char buffer[PRINT_ROOM];
        const char *element = (const char *)out.data + (size_t)k * size;
        print_bin(axis, k);
        fputs((hex ? print_bits : print_value)(out.type, element, buffer), stdout);
        const int length = most > 0 ? (int)(length_of(out, k) / most * BAR_WIDTH + 0.5) : 0;
        if (length > 0) putchar(' ');
        for (int j = 0; j < length; j++) putchar('#');
        putchar('\n');
    }
}
