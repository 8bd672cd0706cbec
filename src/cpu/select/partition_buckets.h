// SPDX-License-Identifier: Apache-2.0
// Partition many ways.
#ifndef HEDDLE_CPU_SELECT_PARTITION_BUCKETS_H
#define HEDDLE_CPU_SELECT_PARTITION_BUCKETS_H

#include "patterns/select/partition.h"

hd_status hd__cpu_partition_buckets(hd_context *ctx, const hd__partition_job *job);

// The same of elements that are few for the ways: hd__has_few.
hd_status hd__cpu_partition_by_sort(hd_context *ctx, const hd__partition_job *job);

#endif
