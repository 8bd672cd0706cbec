// SPDX-License-Identifier: Apache-2.0
// Scans that go on in a segment which began before: with a carry that begins where the segment did.
#ifndef HEDDLE_PATTERNS_SCAN_OPEN_SEGMENT_H
#define HEDDLE_PATTERNS_SCAN_OPEN_SEGMENT_H

#include "scan.h"

// What a scan with such a carry does not have. One that begins at element 0 has everything.
hd_status hd__check_open_segment(hd_context *ctx, const char *call, const hd_carry *carry,
                                 const hd__scan_job *job, bool monotone);

// Runs the job, whose tree is that of the carry.
hd_status hd__scan_open_segment(hd_context *ctx, const hd__scan_job *job, hd_carry *carry,
                                const hd__subject *subject);

#endif
