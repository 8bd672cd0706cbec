// SPDX-License-Identifier: Apache-2.0
//
// Heddle: what scan is good for. Algorithms built on the patterns of heddle.h, a chapter each.
//
//     #include <heddle_algorithms.h>
//
// They are part of libheddle, and each could as well be a user's program: they call nothing but
// heddle.h. So they run on every backend, with the same bits, and the rules of that header hold for
// them: statuses, error texts, views by value, options that may be NULL, scratch of the context's.
// A chapter says, besides aliasing, exactness, cost and what it returns, the method with its work
// (operations in all) and its steps (what one after another takes with as many processors as
// elements). heddle.h does not include these headers.
#ifndef HEDDLE_ALGORITHMS_H
#define HEDDLE_ALGORITHMS_H

#include "heddle.h"
#include "heddle/algorithms/hull.h"
#include "heddle/algorithms/integral.h"
#include "heddle/algorithms/label.h"
#include "heddle/algorithms/layout.h"
#include "heddle/algorithms/spans.h"

#include "heddle/algorithms/dense.h"
#include "heddle/algorithms/graph.h"
#include "heddle/algorithms/sparse.h"
#include "heddle/algorithms/tree.h"
#include "heddle/algorithms/bigint.h"
#include "heddle/algorithms/filter.h"
#include "heddle/algorithms/polynomial.h"
#include "heddle/algorithms/recurrence.h"
#include "heddle/algorithms/tridiagonal.h"
#include "heddle/algorithms/expression.h"
#include "heddle/algorithms/lex.h"
#include "heddle/algorithms/strings.h"

#endif
