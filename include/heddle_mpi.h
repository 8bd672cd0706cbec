// SPDX-License-Identifier: Apache-2.0
//
// Heddle over MPI: patterns whose elements lie on several ranks, with the same bits.
//
//     #include <heddle_mpi.h>
//
//     hd_mpi *mpi;
//     hd_status status = hd_mpi_open(&mpi, ctx, MPI_COMM_WORLD);
//     if (!status) status = hd_mpi_reduce(mpi, HD_VIEW(x, n), HD_SUM, HD_VIEW(&total, 1), NULL);
//     if (!status) status = hd_mpi_scan(mpi, HD_VIEW(x, n), HD_SUM, HD_VIEW(x, n), NULL);
//     if (status) puts(hd_mpi_error(mpi));
//     hd_mpi_close(mpi);
//
// A sequence is cut into one view a rank, in the order of the ranks, as evenly or unevenly as it
// lies; empty views are fine. Each rank passes its own, and works on a context of its own,
// whichever its backend. The results have the bits of the same call over the whole sequence on one
// machine.
//
//  - MPI is the caller's: MPI_Init is called before hd_mpi_open, MPI_Finalize after hd_mpi_close.
//    The communicator is duplicated, so that messages meet no others. One thread at a time uses an
//    hd_mpi; MPI_THREAD_FUNNELED is enough where that is the main thread, as no other calls MPI.
//  - Calls are collective: all ranks make the same ones, in the same order, with the same operator,
//    types and options but for views.
//  - A call that fails on one rank (bad arguments, no memory) fails on all, with the same status
//    and that rank's text, which begins with its number; of several the lowest rank's. Outputs are
//    unspecified then. No rank waits for another that has left a call. Errors of MPI itself are
//    HD_ERROR_DEVICE where MPI returns; the handler of the communicator is MPI_ERRORS_RETURN.
//  - Counts are 64-bit. Messages longer than MPI's int counts go in chunks.
//  - Views may be of the device of the rank's context, arguments and options alike; ranks may
//    differ in that. Local work is done there, and elements cross the network from and to its
//    memory where the MPI takes its addresses (hd_mpi_is_device_aware). Where it does not, calls
//    that send elements work on copies in host memory, made by way of page-locked memory, and write
//    back what they change; so do in either case hd_mpi_merge, sorts by a comparison, histograms of
//    float weights, and calls on lists and components. Of reductions, scans and histograms of counts
//    nothing but partial results, keys at the borders of ranks, results of segments and bins leaves
//    the device. What is said of host memory below is of memory of the device, too, and of the
//    overlap of views also of the copies.
//
// The library is libheddle-mpi, which needs libheddle and the MPI that it was built with.
#ifndef HEDDLE_MPI_H
#define HEDDLE_MPI_H

#include <mpi.h>

#include "heddle.h"
#include "heddle/algorithms/graph.h"
#include "heddle/algorithms/sparse.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hd_mpi hd_mpi;

// Joins a context of this rank to a communicator; collective. Close comes before hd_close and
// MPI_Finalize, and is collective, too; NULL is allowed. Where open fails *mpi is NULL on all
// ranks.
HD_API HD__CHECKED hd_status hd_mpi_open(hd_mpi **mpi, hd_context *ctx, MPI_Comm comm);
HD_API void hd_mpi_close(hd_mpi *mpi);

// Whether the MPI takes addresses of this rank's device (CUDA-aware MPI), so that elements of views
// there cross the network from and to where they lie, without a copy on the host: HEDDLE_MPI_DEVICE
// in the environment (0: never, 1: always), else what MPIX_GPU_query_support or
// MPIX_Query_cuda_support say where the MPI has one. Ranks may differ.
HD_API bool hd_mpi_is_device_aware(const hd_mpi *mpi);

// What went wrong in the last call, "rank 3: hd_reduce: ..."; "" after success.
HD_API const char *hd_mpi_error(const hd_mpi *mpi);

// The elements that ranks before this one have, and those of all ranks, where this one has n.
HD_API HD__CHECKED hd_status hd_mpi_layout(hd_mpi *mpi, int64_t n, int64_t *first, int64_t *all);

// An even layout of n elements: where rank r of `ranks` begins. Rank r + 1's beginning is its end.
static inline int64_t hd_mpi_even(int64_t n, int32_t r, int32_t ranks)
{
    const int64_t each = n / ranks, more = n % ranks;
    return each * r + (r < more ? r : more);
}

// out = in reduced over all ranks, on every rank. As hd_reduce of everything: options are map,
// with, ddof, accumulate, init and values, and those of segments and keys below. Views of one
// dimension.
//
//   Exactness   the bits of hd_reduce over the whole, whatever the number of ranks and however the
//               elements lie: the tree of the sums is not the tree of the messages (hd_carry_join).
//   Cost        one read of the local elements; 2 ceil(log2 ranks) messages on the longest way, of
//               at most 2 log2(n) partial results each, and three collective calls of a few bytes.
//
// With .segments: the m + 1 offsets of hd_reduce into the whole are themselves a sequence that is
// cut over the ranks, in any layout; a rank's .segments has its part of it, and may have none. out
// (and .values) has an element for each offset of the rank, the result of the segment that begins
// there; the last offset of all only ends one. Segments may cross any number of ranks.
//
// With .keys, one for each element: out has the results of the runs of equal keys that begin among
// this rank's elements, wherever they end; .keys_out, .runs and .comparison as in hd_reduce, for
// these. Views may have more room.
//
//   Method      a segment is reduced on the rank where it ends, behind a carry of its elements on
//               lower ranks; results go to where the offset is. By key, offsets are where runs
//               begin: the last key of a rank goes to the next one.
//   Exactness   the bits of hd_reduce: each segment, or run, has the one tree over its elements.
//   Cost        two reads of the local elements at most; ceil(log2 ranks) messages a rank of at
//               most 2 log2(n) partial results each, offsets and results that are on other ranks
//               once, and about twenty collective calls of a few bytes. Scratch of the offsets and
//               results; by key of 8 bytes an element.
//   Returns     as hd_reduce: HD_ERROR_VALUE for offsets that fall or leave 0 .. n (the text has
//               their numbers among all), HD_ERROR_SHAPE if out does not fit.
HD_API HD__CHECKED hd_status hd_mpi_reduce(hd_mpi *mpi, hd_view in, const hd_operator *op,
                                           hd_view out, const hd_reduce_options *options);

// out = in scanned over all ranks: each rank's out has the part that belongs to its elements. As
// hd_scan of everything: options are exclusive, map, with, ddof, accumulate, init and values;
// segments, whose offsets into the whole are cut over the ranks in any layout, or keys, with
// comparison.
//
//   Method      a carry of the elements before the rank's, or of those of the segment that is open
//               there, comes from lower ranks; a scan goes on behind it. Segments that begin here
//               are scanned in chunks that lie as the nodes of the tree over the whole do.
//   Aliasing    as hd_scan: out may be in itself.
//   Exactness   the bits of hd_scan over the whole.
//   Cost        two reads and one write of the local elements; ceil(log2 ranks) messages a rank, of
//               at most 2 log2(n) partial results each. With segments or keys three reads at most,
//               offsets that are on other ranks once, about fifteen collective calls of a few
//               bytes, and scratch of at most the local results (by key of 8 bytes an element
//               more); of HD_MEAN twice that, for sums and counts.
//   Returns     as hd_scan.
HD_API HD__CHECKED hd_status hd_mpi_scan(hd_mpi *mpi, hd_view in, const hd_operator *op,
                                         hd_view out, const hd_scan_options *options);

typedef struct hd_mpi_redistribute_options {
    size_t size; // sizeof(hd_mpi_redistribute_options), or 0: its size in version 0.1
} hd_mpi_redistribute_options;

// The same sequence in another layout: out has its elements with the global indices that follow
// from the sizes of the outs. in and out have one dimension, the same type, in host memory, and
// are apart; together the outs have as many elements as the ins.
//
//   Cost        each element crosses the network at most once; those that stay are copied.
HD_API HD__CHECKED hd_status hd_mpi_redistribute(hd_mpi *mpi, hd_view in, hd_view out,
                                                 const hd_mpi_redistribute_options *options);

// The elements kept, in order, of the whole sequence. Options are those of hd_compact, without
// indices. count, a view of one i64, receives how many of them this rank's out has: with `even`
// as many as hd_mpi_even says, so that ranks have their share again; else those kept here. out has
// room for them (hd_mpi_even of what all ranks have is always enough).
//
//   Returns     HD_ERROR_SHAPE if an out is too small: the text says for how many.
HD_API HD__CHECKED hd_status hd_mpi_compact(hd_mpi *mpi, hd_view in, hd_view out, hd_view count,
                                            bool even, const hd_compact_options *options);

// The whole sequence by buckets, as hd_partition, with its options, of one dimension: bucket 0 of
// all ranks, then bucket 1, ..., in the layout of the outs, which together have as many elements as
// the ins. counts (integers of any type, or HD_EMPTY), .offsets and .indices are of the whole: the
// first two on every rank, .indices the global index of each element of out. Host memory.
//
//   Method      each rank partitions its own; the counts of all ranks say where each element goes.
//   Aliasing    out, counts, offsets and indices may overlap neither in nor each other.
//   Exactness   stable over the whole; elements keep their bits.
//   Cost        hd_partition of the local elements; each crosses the network at most once, with its
//               destination of 8 bytes; two collective calls of a number for each bucket and ten of
//               a few bytes. Scratch of twice the elements, 32 bytes each, and 24 bytes a bucket.
//   Returns     as hd_partition: a bucket out of range is named by its position on its rank.
HD_API HD__CHECKED hd_status hd_mpi_partition(hd_mpi *mpi, hd_view in, hd_view out, hd_view counts,
                                              const hd_partition_options *options);

// The first element of each run of equal neighbours, in order, of the whole sequence, as hd_unique,
// with its options; .indices receives global indices, integers of any type without gaps. A run
// that crosses ranks is one. out may be HD_EMPTY on all ranks. count and even as in hd_mpi_compact:
// without even a rank's out has the runs that begin among its elements.
//
//   Method      the last element of a rank goes to the next one that has any.
//   Aliasing    out may be in itself.
//   Exactness   elements keep their order, and their bits.
//   Cost        one read of the local elements and 8 bytes of scratch for each; one element to the
//               next rank; with even each one kept crosses the network at most once. About fifteen
//               collective calls of a few bytes, and eight more for each output with even.
//   Returns     HD_ERROR_SHAPE if an output is too small: the text, and count, say for how many;
//               and as hd_unique.
HD_API HD__CHECKED hd_status hd_mpi_unique(hd_mpi *mpi, hd_view in, hd_view out, hd_view count,
                                           bool even, const hd_unique_options *options);

// values[j] = the first element of run j of the whole sequence, lengths[j] = how many elements it
// has, wherever they lie; integers that hold as many as all ranks have. The rest as hd_mpi_unique:
// a run is that of the rank where it begins, or with even of the one that its number falls to.
HD_API HD__CHECKED hd_status hd_mpi_run_lengths(hd_mpi *mpi, hd_view in, hd_view values,
                                                hd_view lengths, hd_view count, bool even,
                                                const hd_run_lengths_options *options);

// The histogram of all ranks' elements, on every rank. out are counts of i32, u32, i64 or u64, sums
// of integer weights into those, or sums of weights into floats. Options are those of hd_histogram;
// with add, what out had on rank 0 counts. Into floats in, second and weights have one dimension,
// in host memory, and there are no axis and segments.
//
//   Method      each rank counts its own elements, and bins are added up. Weights into floats go to
//               the owners of their bins, each of which has an even part, and are summed there.
//   Exactness   integers are exact, and wrap. Into floats the bits of hd_histogram over the whole:
//               each bin has the one tree over its weights in the order of the whole.
//   Cost        one read of the local elements; the bins, not the elements, cross the network. Into
//               floats each weight crosses it at most once, with its bin of 8 bytes; about 40 bytes
//               of scratch an element, and fifteen collective calls of a few bytes besides those of
//               the bins.
//   Returns     as hd_histogram.
HD_API HD__CHECKED hd_status hd_mpi_histogram(hd_mpi *mpi, hd_view in, hd_view out,
                                              const hd_histogram_options *options);

typedef struct hd_mpi_sort_options {
    size_t size;     // sizeof(hd_mpi_sort_options), or 0: its size in version 0.1
    bool descending; // greatest first; equal elements keep their order
    bool reserved_flags[7];
    // The order of the keys, which may then be structures; NULL: numbers in their own order
    const hd_comparison *comparison;
    // Receives, for each element of out, its global index among the ins: integers of any type that
    // holds it, without gaps
    const hd_view *indices;
} hd_mpi_sort_options;

// The whole sequence sorted, stable, in the order of hd_sort: rank 0's out has the first elements,
// and so on, as many as each out has room for; together as many as the ins. Keys are numbers, or
// with a comparison anything; values (HD_VALUES(in, out, ...), at most five pairs, or HD_NO_VALUES)
// move along with them. Host memory, one dimension.
//
//   Aliasing    an out begins where its in does, or is apart from all ins.
//   Exactness   elements keep their bits; the one right answer.
//   Method      each rank sorts its own; splitters with exact ranks are found, of numbers by
//               counting keys below a guess, a bit of all splitters at a time, by a comparison by
//               random pivots, of all splitters at once (Hoare's Find over the sorted parts); each
//               element crosses the network at most once, and what arrives in sorted runs is
//               merged.
//   Cost        as many small collectives as the key has bits, a dozen, and one a value; by a
//               comparison about 8 ln n, of up to ranks keys each. hd_sort of the local elements;
//               of numbers one merge in scratch of the size of what comes, where one other rank
//               sends, else ceil(log2 ranks) merges in scratch of the size of out; with values or
//               by a comparison another sort. An out shorter than in takes scratch of the size of
//               in, too. Of numbers in place, in shares as large as before, a rank needs at most
//               little more than twice its share in all: scratch of hd_sort is given back (hd_trim)
//               before keys come.
//   Returns     HD_ERROR_OPERATOR for a comparison that contradicts itself, where that is noticed;
//               and as hd_sort.
HD_API HD__CHECKED hd_status hd_mpi_sort(hd_mpi *mpi, hd_view in, hd_view out, hd_views values,
                                         const hd_mpi_sort_options *options);

typedef struct hd_mpi_merge_options {
    size_t size;     // sizeof(hd_mpi_merge_options), or 0: its size in version 0.1
    bool descending; // a and b have the greatest first, and out too
    bool reserved_flags[7];
    const hd_comparison *comparison; // as in hd_mpi_sort_options
    // Receives where each element of out stood in all of a followed by all of b
    const hd_view *indices;
} hd_mpi_merge_options;

// out = all ranks' a and b, merged: both are sorted sequences, each cut over the ranks in a layout
// of its own; the outs have room for both together, in any layout. Among equals a's come first.
// Values are triples, HD_VALUES(a_values, b_values, out_values, ...), at most four. Host memory,
// one dimension.
//
//   Method      the pieces of a and of b that belong to each out are found as in a sort by a
//               comparison, in both at once; each element crosses the network at most once.
//   Aliasing    out, indices and the outputs of values are apart from all inputs.
//   Exactness   elements are moved as they are; the one right answer.
//   Cost        about 8 ln n small collectives of up to ranks keys each; a copy of what comes, and
//               a merge of it.
//   Returns     HD_ERROR_VALUE where a or b is not sorted and that is noticed, else out has some
//               order then; and as hd_merge.
HD_API HD__CHECKED hd_status hd_mpi_merge(hd_mpi *mpi, hd_view a, hd_view b, hd_view out,
                                          hd_views values, const hd_mpi_merge_options *options);

// ---- By global index ----------------------------------------------------------------------------
//
// The index of an element of a distributed sequence is its position in the whole: of rank 1's first
// element as many as rank 0 has. Rows of indices, and of what goes with them, may be of any strides
// and implicit; other views are host memory without gaps.

// out[i] = in[index[i]], where each rank has its part of in, and an index into the whole of any
// length. Options are those of hd_gather; .axis is HD_AXIS(0) or none: then in is cut into rows
// along its first axis, and whole rows are fetched. .bad receives, on every rank, the position of
// the first bad index among those of all ranks, one after another; .checked makes it the error of
// all ranks, in the words of hd_gather.
//
//   Method      each rank sorts its indices, asks the owner for each different one once, and
//               gathers from what it got.
//   Aliasing    as hd_gather.
//   Exactness   elements are moved as they are.
//   Cost        each different index of a rank crosses the network once, as 8 bytes, and its
//               element once: at most 2 (ranks - 1) messages a rank, and eight collective calls of
//               a few bytes. A sort of the indices; 48 bytes of scratch for each and what is
//               fetched, and for what others ask for 8 bytes and the element.
//   Returns     as hd_gather.
HD_API HD__CHECKED hd_status hd_mpi_gather(hd_mpi *mpi, hd_view in, hd_view index, hd_view out,
                                           const hd_gather_options *options);

// out[index[i]] = in[i], where each rank has a part of in and index, and its part of out; the index
// is into the whole of out. Options are those of hd_scatter, all of them: of equal indices the last
// element of the whole stays, or .combine makes of all of them, in their order, and of what was
// there, what hd_scatter makes. .bad and .checked as in hd_mpi_gather.
//
//   Method      elements, and what .with has for them, go to the owners of their destinations,
//               where they come in the order of the whole and are scattered.
//   Aliasing    as hd_scatter.
//   Exactness   the bits of hd_scatter over the whole: of a float operator, too, as each
//               destination has its elements in their order, whichever ranks they come from.
//   Cost        each element crosses the network at most once, with its index of 8 bytes: at most
//               (ranks - 1) messages a rank for the index, in and each view of with, and eight
//               collective calls of a few bytes. Twice in and the index of scratch.
//   Returns     as hd_scatter.
HD_API HD__CHECKED hd_status hd_mpi_scatter(hd_mpi *mpi, hd_view in, hd_view index, hd_view out,
                                            const hd_scatter_options *options);

// out[j][i] = in[i][j]: a matrix whose rows are cut over the ranks becomes one whose rows, the
// columns of in, are. All ranks' parts of in have as many columns as those of out have rows
// together, and the other way round. Elements of any type; any strides. .axes
// are {1, 0}, or not given.
//
//   Method      each rank transposes its rows, so that the columns for another one lie together,
//               and puts the blocks that come side by side.
//   Aliasing    out may overlap in: what goes out is copied first.
//   Exactness   elements are copied bit for bit.
//   Cost        each element crosses the network at most once, in at most (ranks - 1) messages a
//               rank, and seven collective calls of a few bytes; two copies of the local
//               elements.
HD_API HD__CHECKED hd_status hd_mpi_transpose(hd_mpi *mpi, hd_view in, hd_view out,
                                              const hd_transpose_options *options);

// ---- Neighbourhoods -----------------------------------------------------------------------------
//
// Arrays of any number of dimensions, cut along their first axis, row-major in host memory without
// gaps; a rank has its rows of in and as many of out, also none. Each rank gets copies of the rows
// around its own that its results depend on, its halo, from however many ranks have them: also
// where a halo is wider than other ranks' shares, or than the array. Where the first axis is one of
// batches nothing moves.

// out = hd_stencil of all ranks' rows: weights or a function, any border, channels, and any number
// of iterations, whose halos are fetched for as many steps at once as make a rank compute at most a
// quarter of its rows again (one with reflection). offsets and weights are the same on all ranks.
//
//   Method      rows of the halo are asked for by their global indices; the call runs over the
//               local rows, and again over those at their two ends with the halo around them.
//   Aliasing    out is apart from in.
//   Exactness   the bits of hd_stencil over the whole.
//   Cost        the call over the local rows, and over three times the halo; of few rows once, with
//               the halo. Each row of a halo crosses the network once, with its index of 8 bytes;
//               ranks whose rows nobody wants get no message. Eight collective calls of a few
//               bytes, and one more each time that halos are fetched again.
//   Returns     as hd_stencil.
HD_API HD__CHECKED hd_status hd_mpi_stencil(hd_mpi *mpi, hd_view in, hd_view offsets,
                                            hd_view weights, hd_view out,
                                            const hd_stencil_options *options);

// out = hd_convolve, hd_blur of all ranks' rows, with all of their options. The rest as
// hd_mpi_stencil: the halo has as many rows as the mask, but one, or twice the radius of the blur
// (of boxes up to 8 more).
HD_API HD__CHECKED hd_status hd_mpi_convolve(hd_mpi *mpi, hd_view in, hd_view mask, hd_view out,
                                             const hd_convolve_options *options);
HD_API HD__CHECKED hd_status hd_mpi_blur(hd_mpi *mpi, hd_view in, double sigma, hd_view out,
                                         const hd_blur_options *options);

// out = hd_difference of all ranks' elements, row-major, or along an axis: the first one is the one
// that is cut. The last row, or element, before its own comes to each rank.
//
//   Aliasing    out may be in itself; any other overlap is an error.
//   Exactness   the bits of hd_difference over the whole.
//   Cost        one read and one write of the local elements; two messages a rank at most, and
//               eight collective calls of a few bytes.
HD_API HD__CHECKED hd_status hd_mpi_difference(hd_mpi *mpi, hd_view in, hd_view out,
                                               const hd_difference_options *options);

// ---- Lists and graphs ---------------------------------------------------------------------------

// out[i] = the number of links from node i to the last node of its list, as hd_list_rank, where the
// nodes are cut over the ranks and links are global: next[i] is the node after this rank's i-th,
// itself or -1 for the last of a list. Options are .from_head and .lists, which receives the number
// of lists on every rank.
//
//   Method      contraction: in each round the nodes whose random number is less than both of
//               their neighbours' leave, a third of them, and their neighbours link to each other;
//               from 4096 nodes on rank 0 ranks what is left; nodes come back in the rounds in
//               which they left (Anderson and Miller 1991; Sibeyn 1997).
//   Aliasing    out may be next itself.
//   Exactness   exact.
//   Cost        work O(n); rounds log(n / 4096) / log(3/2), each of ten collective calls of a few
//               bytes. What crosses the network is about 80 bytes a node in all; about 120 bytes of
//               scratch for each local one.
//   Returns     HD_ERROR_VALUE for what is no list: the node that hd_list_rank names; and as that.
HD_API HD__CHECKED hd_status hd_mpi_list_rank(hd_mpi *mpi, hd_view next, hd_view out,
                                              const hd_list_options *options);

// out[i] = values[first node of the list] op ... op values[i], in the order of the links, as
// hd_list_scan; nodes, values and outs are cut over the ranks alike, links are global. Options are
// .exclusive, .backward, .init and .lists.
//
//   Method      nodes are ranked from the first of each list; values go to where the lists lie one
//               behind the other, are scanned with a segment for each, and come back.
//   Aliasing    out may be values itself.
//   Exactness   the bits of hd_list_scan.
//   Cost        hd_mpi_list_rank, and the scan of segments; each value and each result crosses the
//               network at most once, with its place of 8 bytes; about 200 bytes of scratch for
//               each local node.
//   Returns     as hd_mpi_list_rank and hd_mpi_scan.
HD_API HD__CHECKED hd_status hd_mpi_list_scan(hd_mpi *mpi, hd_view next, hd_view values,
                                              const hd_operator *op, hd_view out,
                                              const hd_list_options *options);

// label[i] = the least node of the component that node i is in, as hd_components: nodes are cut
// over the ranks as label is, edge k of a rank joins the nodes u[k] and v[k] of all, and any rank
// may have any edges. Options are those of hd_components; .count and .rounds are told to every
// rank.
//
//   Method      each rank reduces its edges to stars of their components; each root hooks onto the
//               least that an edge of any rank joins it to, chains are followed to their roots,
//               and edges have roots for their ends, until none is left (Shiloach and Vishkin 1982;
//               Liu and Tarjan 2019).
//   Aliasing    label may overlap no input.
//   Exactness   exact.
//   Cost        rounds at most 2 log2 n, each of a dozen collective calls of a few bytes, and six
//               more for each doubling of a chain. In a round a rank sends about 64 bytes for each
//               node that its edges still join, and 16 for each doubling; not the edges themselves.
//   Returns     HD_ERROR_VALUE for a node out of range (the text names the edge by its number among
//               those of all ranks), and as hd_components.
HD_API HD__CHECKED hd_status hd_mpi_components(hd_mpi *mpi, hd_view u, hd_view v, hd_view label,
                                               const hd_components_options *options);

// y = hd_spmv of a matrix in CSR whose rows are cut over the ranks: offset, column and value are
// those of this rank's rows, so that offset counts its own entries, and y has an element for each;
// columns are global. x is cut over the ranks in any layout. op and the options are those of
// hd_spmv, but for HD_SPMV_SCAN, whose tree is over the entries of all rows.
//
//   Method      the elements of x that this rank's columns name come from their owners, each once.
//   Aliasing    y may overlap no input.
//   Exactness   the bits of hd_spmv: each row has the one tree over its products, in its order.
//   Cost        hd_spmv of the local rows, and hd_mpi_gather of x by the columns.
//   Returns     HD_ERROR_VALUE for a column out of range (the text names the entry by its number
//               among those of all ranks), and as hd_spmv.
HD_API HD__CHECKED hd_status hd_mpi_spmv(hd_mpi *mpi, hd_view offset, hd_view column, hd_view value,
                                         hd_view x, const hd_operator *op, hd_view y,
                                         const hd_spmv_options *options);

#ifdef __cplusplus
}
#endif

#endif
