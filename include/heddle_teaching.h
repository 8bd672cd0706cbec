// SPDX-License-Identifier: Apache-2.0
// Calls that show an algorithm, with its steps and its work counted, where another call of Heddle
// is the faster way: maxima of the PRAM (hd_reduce by HD_MAX), and sorts built on scans (hd_sort).
// heddle.h does not include them.
#ifndef HEDDLE_TEACHING_H
#define HEDDLE_TEACHING_H

#include "heddle/teaching/maximum.h"
#include "heddle/teaching/quicksort.h"

#endif
