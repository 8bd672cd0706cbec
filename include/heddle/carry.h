// SPDX-License-Identifier: Apache-2.0
// Carries: reductions and scans continued over several calls, threads and machines. A chapter of
// heddle.h, which includes it after operators.
#include "../heddle.h"

#ifndef HEDDLE_CARRY_H
#define HEDDLE_CARRY_H

#ifdef __cplusplus
extern "C" {
#endif

// A carry joins calls. Reductions (or scans) of consecutive chunks of one long sequence, each
// given the same carry, the same operator and types, give the bits of one call over the whole:
// each reduction returns the result so far, each scan continues the last. For data that comes
// in chunks, or does not fit in memory. A reduction may be followed by scans (not by monotone
// ones): they go on behind the elements that it saw.
typedef struct hd_carry hd_carry;
HD_API HD__CHECKED hd_status hd_carry_open(hd_context *ctx, hd_carry **carry);
HD_API void hd_carry_close(hd_context *ctx, hd_carry *carry); // NULL is allowed
HD_API int64_t hd_carry_count(const hd_carry *carry);         // elements seen

// Carries join threads, processes and machines, too. One that is opened at element `first` of the
// sequence takes reductions (of views of one dimension) of what comes there. It has no result of
// its own: out is a view of out's type without elements, HD_VIEW_OF(HD_F64, NULL, 0), and there are
// no init, values, residual, bound, flags and keep. (One from element 0 takes such calls, too.)
// hd_carry_pack writes what a carry has seen into bytes, hd_carry_join adds such bytes to another
// carry: of elements right before or behind its own. In whatever grouping, once a carry has all
// elements from 0 on, a reduction of none gives their result, and a scan goes on behind them, with
// the bits of one call over the whole. A scan (not monotone, not of MEAN) with a carry that begins
// later has the bits of a scan with segments over the whole, one of which begins there.
//
//     hd_carry_open_at(ctx, &mine, first);                 // on each of several machines
//     hd_reduce(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW_OF(HD_F64, NULL, 0),
//               &(hd_reduce_options){.carry = mine});
//     hd_carry_pack(ctx, mine, HD_VIEW(bytes, hd_carry_bytes(mine)));  // sent to a neighbour,
//     hd_carry_join(ctx, theirs, HD_VIEW(bytes, got));                 // which takes it in
//
// The bytes are about one partial result for each bit of the count: at most 120, and 64 bytes more.
// They hold for the same version of the library and machines of the same byte order. A carry takes
// bytes once a call has told it the operator and the types, of no elements if need be; for those of
// another operator or other types it returns HD_ERROR_ARGUMENT, for bytes that are no packed carry
// or do not adjoin HD_ERROR_VALUE, and stays as it was. Bytes are checked before they are used, but
// not who made the partial results in them. The combine of an operator runs on the host.
HD_API HD__CHECKED hd_status hd_carry_open_at(hd_context *ctx, hd_carry **carry, int64_t first);
HD_API int64_t hd_carry_first(const hd_carry *carry);
HD_API int64_t hd_carry_bytes(const hd_carry *carry); // what hd_carry_pack writes
HD_API HD__CHECKED hd_status hd_carry_pack(hd_context *ctx, const hd_carry *carry, hd_view bytes);
HD_API HD__CHECKED hd_status hd_carry_join(hd_context *ctx, hd_carry *carry, hd_view bytes);

#ifdef __cplusplus
}
#endif

#endif
