# SPDX-License-Identifier: Apache-2.0
# The mutants of numerics.sh, which sources this file: the item of the contract, what is taken out
# of it, the file and the change, what has to be built, and the tests of which one must fail.
# shellcheck shell=bash
installed=build/release/tests/installed/include

# ---- 1. Flags of users' files --------------------------------------------------------------------

row 1 "gcc: -ffp-contract=off around texts" $installed/heddle_exact.h \
    's/#define HD__EXACT_FLAGS "fp-contract=off", /#define HD__EXACT_FLAGS /' - consumer.flags
row 1 "gcc: no vectors of structures where they would be fused, x86-64" $installed/heddle_exact.h \
    's/HD__EXACT_FLAGS, "no-tree-loop-vectorize"/HD__EXACT_FLAGS/' - consumer.flags
row 1 "gcc: the same, Armv8.3 and SVE" include/heddle_exact.h \
    's/defined(__ARM_FEATURE_COMPLEX) || defined(__ARM_FEATURE_SVE)/0/' - tree.flags_aarch64
row 1 "gcc: no vectors of straight code" $installed/heddle_exact.h \
    's/"fp-contract=off", "no-tree-slp-vectorize"\n#endif/"fp-contract=off"\n#endif/' - \
    consumer.flags
row 1 "clang: no contraction in texts" $installed/heddle_exact.h \
    's/float_control(precise, on)")  *\\\n *_Pragma("clang fp contract(off)")/float_control(precise, on)")/' \
    - consumer.flags
row 1 "clang: parts of -ffast-math taken back" $installed/heddle_exact.h \
    's/ _Pragma("float_control(precise, on)")//' - consumer.flags
row 1 "g++: a pragma after the header taken back" $installed/heddle_exact.h \
    's/"no-unsafe-math-optimizations", "signed-zeros", HD__TRAPS/HD__TRAPS/' - consumer.flags
row 1 "-ffast-math is refused" include/heddle_exact.h \
    's/HD__STATIC_ASSERT(!HD__IS_ONE(__FAST_MATH__)/HD__STATIC_ASSERT(1 || !HD__IS_ONE(__FAST_MATH__)/' \
    - tree.fast_math
row 1 "-freciprocal-math is refused" include/heddle_exact.h \
    's/!HD__IS_ONE(__RECIPROCAL_MATH__) && //' - tree.fast_math
row 1 "-fno-signed-zeros is refused" include/heddle_exact.h \
    's/!HD__IS_ONE(__NO_SIGNED_ZEROS__)/1/' - tree.fast_math
row 1 "-ffinite-math-only is refused" include/heddle_exact.h \
    's/!HD__IS_ONE(__FINITE_MATH_ONLY__)/1/' - tree.fast_math
row 1 "heddle/math.h is refused with them" include/heddle/math.h \
    's/#define HEDDLE_NO_MATH[^\n]*\n#else\n/#endif\n#if 1\n/' - tree.fast_math
row 1 "the probe finds contraction" include/heddle_probe.h \
    's/return differs ? HD__FOUND_CONTRACTION : 0/(void)differs;\n    return 0/g' - tree.probe
row 1 "the probe finds floats computed wider" include/heddle_probe.h \
    's/? HD__FOUND_WIDER : 0/? 0 : 0/' - tree.probe
row 1 "the probe finds regrouping" include/heddle_probe.h \
    's/? HD__FOUND_REGROUPING : 0/? 0 : 0/' - tree.probe
row 1 "the probe finds reciprocals" include/heddle_probe.h \
    's/? HD__FOUND_RECIPROCALS : 0/? 0 : 0/' - tree.probe
row 1 "the probe finds zeros without a sign" include/heddle_probe.h \
    's/right ? 0 : HD__FOUND_UNSIGNED_ZEROS/right ? 0 : 0/' - tree.probe
row 1 "the probe finds finite math" include/heddle_probe.h \
    's/? 0 : HD__FOUND_FINITE_ONLY/? 0 : 0/' - tree.probe
row 1 "the probe finds flushing" include/heddle_probe.h \
    's/? 0 : HD__FOUND_FLUSHING/? 0 : 0/' - tree.probe
row 1 "the probe finds float constants" include/heddle_probe.h \
    's/? 0 : HD__FOUND_FLOAT_CONSTANTS/? 0 : 0/' - tree.probe
row 1 "clang -ffp-contract=fast is refused by the library" $installed/heddle_probe.h \
    's/return differs ? HD__FOUND_CONTRACTION : 0/(void)differs;\n    return 0/g' - consumer.flags
row 1 "the library refuses what a probe finds" src/core/operators/probe.c \
    's/return state == HD__PROBE_CLEAN ?/return state == HD__PROBE_CLEAN || ctx != NULL ?/' \
    test_probe library.probe
row 1 "the flag is named" src/core/operators/probe.c 's/-freciprocal-math (/(/' test_probe library.probe
row 1 "a caller's state is no flag" src/core/operators/probe.c 's/    HD__FLOAT_STATE;\n//' \
    test_probe library.probe
row 1 "probes of operators" src/core/operators/fold.c \
    's/    HD_TRY(hd__check_probe([^;]*;\n//' test_probe library.probe
row 1 "probes of functions" src/core/arguments.c \
    's/return hd__check_probe([^;]*;/return HD_OK;/' test_probe library.probe
row 1 "probes of functions of differences" src/patterns/stencil/difference.c \
    's/return hd__check_probe([^;]*;/return HD_OK;/' test_probe library.probe
row 1 "probes of functions of stencils" src/patterns/stencil/stencil.c \
    's/return hd__check_probe([^;]*;/return HD_OK;/' test_probe library.probe
row 1 "probes of comparisons" src/patterns/sort/comparisons.c \
    's/return hd__check_probe([^;]*;/return HD_OK;/' test_probe library.probe
row 1 "the library's objects in projects with -flto" cmake/options.cmake \
    's/-fno-lto//g' - consumer.inherited_flags
row 1 "the library without contraction" cmake/options.cmake 's/ -ffp-contract=off//' - \
    consumer.inherited_flags
row 1 "kernels without contraction, NVRTC" src/model/source/compile_nvrtc.c \
    's/fmad ? "--fmad=true" : "--fmad=false"/fmad ? "--fmad=true" : "--fmad=true"/' \
    test_math_bits library.math_bits
row 1 "kernels without contraction, clang" src/model/source/compile_clang.c \
    's/: "-ffp-contract=off"/: "-ffp-contract=fast"/' test_math_bits library.math_bits

# ---- 2. The caller's floating-point state --------------------------------------------------------

for file in src/patterns/reduce/reduce.c src/patterns/scan/scan.c src/patterns/histogram/histogram.c \
    src/patterns/stencil/convolve.c src/patterns/stencil/blur.c src/patterns/stencil/stencil.c \
    src/patterns/stencil/finite_difference.c src/patterns/list/maximum.c src/cpu/list/maximum.c \
    src/core/operators/fold.c src/core/dispatch.c; do
    row 2 "the state around a call" $file 's/ HD__FLOAT_STATE;//' test_float_state library.float_state
done
row 2 "the state around a call" src/patterns/check_operator.c 's/ HD__FLOAT_STATE;//' \
    test_float_state library.float_state
row 2 "the state of the model machine's workers" src/model/exec/launch.c 's/ HD__FLOAT_STATE;//' \
    test_float_state library.float_state
row 2 "the state is put back" src/core/system/float_state.h \
    's/if (__builtin_expect(\*found != HD__FLOAT_USUAL, 0))/if (*found == 0)/' test_float_state \
    library.float_state
# shellcheck disable=SC2046
each 2 "the state in a worker" "        HD__FLOAT_STATE;" - tree.float_state \
    $(cd "$SOURCE" && grep -rlF '        HD__FLOAT_STATE;' src/cpu | sort)
# Seen in results, or by users' texts that look at the state (the others move elements and count).
for at in histogram/histogram_sums.c:1 reduce/reduce.c:1 stencil/convolve.c:1 \
    stencil/stencil_blocks.c:1; do
    row 2 "the state in a worker, seen in results" "src/cpu/${at%:*}" \
        "s/        HD__FLOAT_STATE;//${at#*:}" test_float_state library.float_state
done
for at in histogram/histogram.c:1 histogram/histogram_ranges.c:1 histogram/histogram_weights.c:1 \
    histogram/histogram_weights.c:2 move/gather.c:1 move/map.c:1 move/map_many.c:1 move/scatter_combine.c:1 \
    move/scatter_combine.c:2 reduce/axis_rows.c:1 reduce/by_key.c:1 reduce/by_key.c:2 \
    reduce/reduce.c:2 reduce/segments.c:1 reduce/strided_rows.c:1 \
    reduce/strided_rows.c:2 runtime/work_stealing.h:1 scan/scan.c:1 scan/scan.c:2 \
    scan/segmented.c:1 scan/segmented_simd.c:1 select/compact.c:1 select/find.c:1 \
    select/partition_buckets.c:1 select/run_lengths.c:1 sort/merge.c:1 sort/merge_sort.c:1 \
    sort/search.c:1 sort/comparison_sort.c:1 sort/top_k.c:1 sort/top_k.c:2 sort/top_k.c:3 \
    sort/top_k.c:4 sort/nth.c:1 sort/set.c:1 reduce/reduce_many.c:1 reduce/slide.c:1 \
    reduce/filter.c:1 select/first_match.c:1 stencil/difference.c:1 stencil/difference.c:2 \
    stencil/stencil_rows.c:1; do
    row 2 "the state in a worker, seen from within" "src/cpu/${at%:*}" \
        "s/        HD__FLOAT_STATE;//${at#*:}" test_float_workers library.float_workers
done

# ---- 3. Functions of one text --------------------------------------------------------------------

# Arguments that are off by one bit: the bits of every compiler and flag, and the stated accuracy.
for function in sqrt exp exp2 expm1 tanh log log2 log10 log1p cbrt hypot pow sin cos tan atan atan2; do
    case $function in
    sqrt) file=math/parts.h ;;
    sin | cos | tan | atan | atan2) file=math/angle.h ;;
    *) file=math/exp.h ;;
    esac
    row 3 "the bits of hd_$function" include/heddle/$file \
        "s/double hd_$function(double [^)]*)\n{/&\n    x *= 1.0000000000000002;/" - tree.math
    row 3 "the bits of hd_${function}f" include/heddle/math/float.h \
        "s/float hd_${function}f(float [^)]*)\n{/&\n    x *= 1.0000001f;/" - tree.math
done
row 3 "the accuracy of hd_exp" include/heddle/math/exp.h \
    's/p = 0.041666666666666664 + a/p = 0.0416666666667 + a/' - "alone tests/numerics/test_math.c"
row 3 "the accuracy of hd_sin far out" include/heddle/math/angle.h \
    's/0x3991d639835339f4u/0x3991d639835339f5u/' - "alone tests/numerics/test_math.c"
row 3 "the accuracy of hd_sin near a multiple of pi" include/heddle/math/angle.h \
    's/HD__M_PI_2_4 8.4784276603689e-32/HD__M_PI_2_4 8.4784276603689e-31/' - \
    "alone tests/numerics/test_math.c"
row 3 "hd_expf to 0.5001 ulp" include/heddle/math/float.h \
    's/p = 0.16666666666662583 + r/p = 0.1666667 + r/' - "alone tests/numerics/test_math.c"
row 3 "a NaN through hd_exp" include/heddle/math/exp.h \
    's/const double c = hd__m_clamped(x, -746.0, 710.0)/const double c = x > -746.0 ? hd__m_clamped(x, -746.0, 710.0) : -746.0/' \
    - "alone tests/numerics/test_math_special.c"
row 3 "kernels get the text" src/gpu/codegen/emit_math.c 's/{"exp",   "exp2"/{"exq",   "exp2"/' \
    test_math_bits library.math_bits
row 3 "the page says that libm differs" docs/reference/numerics.md \
    's/`exp`, `log` and their kind[ \n]*differ[ \n]*between backends/x/' - docs.numerics

# ---- 4. Claims -----------------------------------------------------------------------------------

operators=src/core/operators
row 4 "variance of one NaN or infinity is NaN" $operators/load_finalize.c \
    's/rest > 0 && isfinite(node.mean)/rest > 0/' test_numerics library.numerics
row 4 "the same on a GPU" src/gpu/codegen/emit_fold.c \
    's/rest > 0 && n.mean - n.mean == 0/rest > 0/' test_variance library.variance
row 4 "variance far from zero: a mean of two parts" $operators/fold.c \
    's/return element == HD_F64 || (hd__is_integer(element) && hd__size_of(element) >= 4);/return element == HD_NONE;/' \
    test_variance_offset library.variance_offset
row 4 "variance: the second part of the mean" $operators/builtin_structures.c \
    's/r.low = a.low + ((/r.low = 0 * ((/' test_variance_offset library.variance_offset
row 4 "variance: 64-bit integers without loss" $operators/load_finalize.c \
    's/lower - (mean - upper), 0}/0 * lower, 0}/' test_variance_offset library.variance_offset
row 4 "variance: the second part, in vectors" src/cpu/simd/reduce_scan/wide_moments.c \
    's/r.low = a.low + r.low;/r.low = a.low;/' test_variance_offset library.variance_offset
row 4 "segmented scans: the bound of any place in the tree" $operators/sum_outputs.h \
    's/return heads ? 2 \* log2 + 1 : /return heads < 0 ? 0 : /' test_sum_bounds library.sum_bounds
row 4 "segmented scans: the tree of the whole array" src/serial/scan.c \
    's/if (head) w->length = 0;/if (head) w->length = w->tree.count = 0;/' test_scan_parts \
    library.scan_parts
row 4 "segmented scans: the page" docs/reference/numerics.md \
    's/so that d of the segment.s own length\n*//' - docs.numerics
row 4 "products: as nodes of f32 underflow" $operators/fold.c \
    's/return HD_F64;\n    return HD_F32;/return HD_F64;\n    return HD_F64;/' test_numerics_rules \
    library.numerics_rules
row 4 "products: the page" docs/reference/numerics.md \
    "s/The product's bound needs every node normal//" - docs.numerics
row 4 "sums of MAX: the page" docs/reference/numerics.md \
    's/{MAX, MAX, -MAX, -MAX} sums to NaN//' - docs.numerics
row 4 "two passes that overflow: the plain sum" src/patterns/stencil/convolve.c \
    's/if (status == HD_OK && overflowed)/if (status == HD_OK \&\& overflowed \&\& n < 0)/' \
    test_separable library.separable
row 4 "the same: serial notices" src/serial/weighted_sum.c \
    's/if (mask->not_finite != NULL && /if (mask->not_finite != NULL \&\& n < 0 \&\& /' \
    test_separable library.separable
row 4 "the same: cpu notices" src/cpu/stencil/convolve.c \
    's/if (watched && hd__flags_raised())/if (watched \&\& n < 0 \&\& hd__flags_raised())/' \
    test_separable library.separable
row 4 "the same: only where the plain sum is finite" src/patterns/stencil/convolve_overflow.c \
    's/if (!isfinite(f\[i\]) && isfinite(g\[i\])) f/if (!isfinite(f[i])) f/' test_separable \
    library.separable
row 4 "the same of f64" src/patterns/stencil/convolve_overflow.c \
    's/if (!isfinite(d\[i\]) && isfinite(e\[i\])) d/if (i < 0) d/' test_separable library.separable
row 4 "AUTO takes two passes only where factors are exact" src/patterns/stencil/separable.c \
    's/if (!is_product(&x, &c, &r)) return false;/if (!is_product(\&x, \&c, \&r) \&\& i < 0) return false;/' \
    test_separable library.separable
row 4 "every mask of rank one: the common divisor" src/patterns/stencil/separable.c \
    's/m->divisor = common_divisor(x.odd, m->divisor);/m->divisor = common_divisor(1, m->divisor);/' \
    test_separable library.separable
row 4 "every mask of rank one: powers of two move" src/patterns/stencil/separable.c \
    's/return from > 0 ? from : to < 0 ? to : 0;/return from > 0 \&\& to < 0 ? to : 0;/' \
    test_separable library.separable
row 4 "even bins: NumPy's edges" src/patterns/histogram/histogram.h \
    's/const double away = k \* b->step;/const double away = k \/ b->scale;/' test_histogram_even \
    library.histogram_even
row 4 "even bins: in vectors" src/cpu/simd/histogram/histogram_even.inc \
    's/const double at = x < edge ? k - 1 : k;/const double at = place < k + 0 * edge ? k - 1 : k;/' \
    test_histogram_even library.histogram_even
row 4 "even bins: edges that crowd" src/patterns/histogram/histogram.c \
    's/return !(fmax(fabs(b->lower), fabs(b->upper)) \* b->scale < 0x1p50);/return b == NULL;/' \
    test_histogram_even library.histogram_even
row 4 "shuffles: the stated keys" src/patterns/move/shuffle.h \
    's/((uint64_t)i + 1) \*/((uint64_t)i + 2) */' test_shuffle library.shuffle
row 4 "shuffles: the seed is mixed" src/patterns/move/shuffle.c \
    's/job.start = hd__mix(o->seed);/job.start = o->seed;/' \
    test_shuffle library.shuffle
row 4 "shuffles: not all n! orders, the page" docs/reference/numerics.md \
    's/there are at most 2^64\n*orders of n elements//' - docs.numerics
row 4 "differences: one rounding" src/patterns/stencil/difference.c \
    's/(float, x, float, y), { return x - y; }/(float, x, float, y), { return (x - 0.5f * y) - 0.5f * y; }/' \
    test_difference library.difference
row 4 "sums of differences: the page" docs/reference/numerics.md \
    's/their sum comes back to within//' - docs.numerics
row 4 "blur of u16: weights of 2^-15" src/patterns/stencil/blur.c \
    's/if (in.type == HD_U8 || boxes)/if (in.type == HD_U8 || in.type == HD_U16 || boxes)/' \
    test_blur library.blur
row 4 "blur of u16: wide ones in f64" src/patterns/stencil/blur.c \
    's/#define MAX_F32_RADIUS 63/#define MAX_F32_RADIUS 6300000/' test_blur library.blur
row 4 "blur of u8: weights that sum to one" src/patterns/stencil/gaussian.c \
    's/w\[0\] = (uint64_t)(HD__BLUR_ONE - 2 \* before);/w[0] = (uint64_t)floor(g[0] * HD__BLUR_ONE + 0.5);/' \
    test_blur library.blur
row 4 "differences sum to zero: the middle weight" src/patterns/stencil/finite_difference.c \
    's/derivative == 1 ? 0 : -2 \* sum;/derivative == 1 ? 0 * sum : (double)f->numerator[0] \/ (double)f->denominator \/ unit;/' \
    test_stencil library.stencil
row 4 "differences sum to zero: whole multiples" src/patterns/stencil/finite_difference.c \
    's/const double whole = ldexp(rint(ldexp(weight, 53 - exponent)), exponent - 53);/const double whole = weight + 0 * exponent;/' \
    test_stencil library.stencil
row 4 "Laplacians: one middle for all axes" src/patterns/stencil/finite_difference.c \
    's/fill_line(2, order, spacing, dims, line)/fill_line(2, order, spacing, 1, line)/' test_stencil \
    library.stencil
row 4 "differences sum to zero: in f32" src/patterns/stencil/stencil_weights.c \
    's/if (n > MAX_WEIGHTS || /if (n > 0 || n > MAX_WEIGHTS || /' test_stencil library.stencil
row 4 "tiny steps: no infinite weights" src/patterns/stencil/finite_difference.c \
    's/if (!is_normal(weight)) return 0;/if (!is_normal(weight) \&\& sum < 0) return 0;/;s/return all \* MARGIN <= DBL_MAX ? all \* MARGIN : 0;/return all * MARGIN;/' \
    test_stencil library.stencil
row 4 "tiny steps: no weights infinite in f32" src/patterns/stencil/stencil_weights.c \
    's/if (isfinite(w) && !isfinite(f32\[t\]))/if (isfinite(w) \&\& t < 0)/' test_stencil library.stencil
row 4 "huge steps: not all weights zero in f32" src/patterns/stencil/stencil_weights.c \
    's/if (left || !some) return HD_OK;/if (n > 0 || left || !some) return HD_OK;/' test_stencil \
    library.stencil

# ---- 5. Running sums that never fall -------------------------------------------------------------

row 5 "monotone: the maxima behind a scan" src/patterns/scan/scan.c \
    's/return done ? HD_OK : hd__dispatch(ctx, HD__SCAN_PATTERN, &maxima, &next);/(void)next;\n    return HD_OK;/' \
    test_monotone library.monotone
row 5 "monotone: the maxima of chunks in the cache" src/cpu/scan/scan.c \
    's/HD_TRY(scan_chunk(ctx, maxima, maxima->tree != NULL ? maxima->tree : &greatest, start, n));/(void)greatest;/' \
    test_monotone library.monotone
row 5 "monotone: maxima go on from chunk to chunk" src/cpu/scan/scan.c \
    's/maxima->tree : &greatest, start, n));/maxima->tree : \&greatest, start, n));\n        greatest.count = 0;/' \
    test_monotone library.monotone
row 5 "monotone: through a carry" src/patterns/scan/scan.c \
    's/    if (o->carry == NULL) return HD_OK;\n    return hd__enter_carry(ctx, call, o->carry->peaks/    if (o->carry == NULL || job->in.n > 0) return HD_OK;\n    return hd__enter_carry(ctx, call, o->carry->peaks/' \
    test_monotone library.monotone
row 5 "monotone: an exclusive scan's maxima take all outputs" src/patterns/scan/scan.c \
    's/    maxima->exclusive = false;\n//' test_monotone library.monotone
row 5 "monotone: no bound of another element" src/patterns/scan/scan.c \
    's/if (f->value != HD_NONE && f->form != HD__ARG)/if (f->value != HD_NONE \&\& f->form == HD__LIMBS)/' \
    test_monotone library.monotone
row 5 "monotone: heddle scan --monotone" cli/patterns/scan.c 's/a->monotone;/a->monotone \&\& a->json;/' \
    heddle_program cli.scan
row 5 "sampling in monotone sums" examples/draw.c 's/{.monotone = true}/{.monotone = false}/' \
    example_draw example.draw
row 5 "the first screen of the page" docs/reference/numerics.md \
    's/\*\*Running sums of floats may decrease\*\*.*bits everywhere\.\n//' - docs.numerics

# ---- 6. Accuracy as a choice ---------------------------------------------------------------------

row 6 "accumulate: a tree of f64" $operators/fold.c \
    's/    f->number = HD_F64;\n    return HD_OK;\n}\n\nstatic hd_status resolve_residual/    return HD_OK;\n}\n\nstatic hd_status resolve_residual/' \
    test_sums library.sums
for file in patterns/reduce/reduce.c patterns/scan/scan.c patterns/move/scatter.c \
    patterns/histogram/histogram.c; do
    row 6 "accumulate in ${file##*/}" src/$file 's/\.accumulate = o->accumulate/.accumulate = HD_NONE/' \
        test_sums library.sums
done
row 6 "compensated: what was rounded off" $operators/builtin_sums.c \
    's/const T lo = (a.lo + b.lo) + e;/const T lo = (a.lo + b.lo) + 0 * e;/' test_sums library.sums
row 6 "compensated, in vectors" src/cpu/simd/reduce_scan/sums.inc \
    's/n.lo = first ? e : (EVEN(a.lo, b.lo) + ODD(a.lo, b.lo)) + e;/n.lo = first ? e : EVEN(a.lo, b.lo) + ODD(a.lo, b.lo);/' \
    test_sums library.sums
row 6 "compensated: infinities stay" $operators/builtin_sums.c 's/r.lo = lo - lo == 0 ? lo : 0;/r.lo = lo;/' \
    test_sums library.sums
row 6 "compensated: the sum has both parts" $operators/load_finalize.c \
    's/((T \*)totals)\[i\] = lo == 0 ? x\[0\] : sum;/((T *)totals)[i] = lo == 0 || sum > 0 || sum < 0 ? x[0] : sum;/' \
    test_sums library.sums
row 6 "residual" $operators/sum_outputs.h 's/return rest - rest == 0 ? rest : 0;/return 0 * rest;/' \
    test_sums library.sums
row 6 "bound: times d" $operators/sum_outputs.h 's/const double du = (depth + /const double du = (depth \/ 2 + /' \
    test_sum_bounds library.sum_bounds
row 6 "bound: one for init" $operators/load_finalize.c 's/ + (f->init != NULL && count > 0)//' \
    test_sum_bounds library.sum_bounds
row 6 "bound: one for converted integers" $operators/sum_outputs.h \
    's/(pairs ? 0 : rounded)/(pairs ? 0 : 0 * rounded)/' test_sum_bounds library.sum_bounds
row 6 "bound: the rounding of the output" $operators/sum_outputs.h \
    's/((rest < 0 ? -rest : rest) + converted)/(0 * rest + converted)/' test_sum_bounds \
    library.sum_bounds
row 6 "bound: rounded up" $operators/load_finalize.c 's/if (!(given < x)) return;/if (given <= x || given > x) return;/' \
    test_sum_bounds library.sum_bounds
row 6 "bound: infinite near overflow" $operators/sum_outputs.h 's/return size < most && out - out == 0/return size <= most * 4 \&\& out - out == 0/' \
    test_sum_bounds library.sum_bounds
row 6 "exact: ties to even" $operators/builtin_limbs.c 's/((cut << 1 | rest) != 0 || (m & 1) != 0)/((cut << 1 | rest) != 0 || m != 0)/' \
    test_exact library.exact
row 6 "exact: all bits below" $operators/builtin_limbs.c 's/        rest |= next;\n//' test_exact library.exact
row 6 "exact: carries" $operators/builtin_limbs.c 's/carry = (x < a.limb\[k\]) | (y < x);/carry = x < a.limb[k];/' \
    test_exact library.exact
row 6 "exact: rounded once into narrower types" $operators/builtin_limbs.c \
    's/narrow_node\[i\].flags, true)/narrow_node[i].flags, false)/' test_exact library.exact
row 6 "exact: infinities and NaN" $operators/builtin_limbs.c 's/a.flags |= b.flags;/a.flags |= b.flags \& 8;/' \
    test_exact library.exact
row 6 "exact on cores: digits" src/cpu/tree/superaccumulator.c \
    's/d->digit\[k + 2\] += ((int64_t)high ^ sign) - sign;/(void)high;/' test_exact library.exact
row 6 "exact on cores: expansions" src/cpu/simd/reduce_scan/expansion.c \
    's/lost\[c\] |= rest != (V){0};/lost[c] |= rest != rest;/' test_exact library.exact
row 6 "exact in histograms" src/patterns/histogram/histogram.c 's/o->sum != NULL ? o->sum : HD_SUM/HD_SUM/' \
    test_exact library.exact
row 6 "exact on a GPU" src/gpu/reduce/exact.cuh 's/s->below += x < 0;/s->below += 0;/' test_gpu_exact \
    library.gpu_exact
row 6 "dot: products in the type of the tree" $operators/products.c \
    's/*chosen = products\[in->type\]\[fold.number\];/*chosen = products[in->type][in->type == HD_F16 ? HD_F32 : fold.number];/' \
    test_dot_norm library.dot_norm
row 6 "dot: one rounding each, f16" $operators/products.c \
    's/hk_bf16_to_f32(a) \* hk_bf16_to_f32(b))/1.0000001f * hk_bf16_to_f32(a) * hk_bf16_to_f32(b))/' \
    test_dot_norm library.dot_norm
row 6 "norm2: large numbers" $operators/builtin_norm.c 's/large = size> 0x1p486/large = size> 0x1p1023/' \
    test_dot_norm library.dot_norm
row 6 "norm2: small numbers" $operators/builtin_norm.c 's/small = size<0x1p-511/small = size<0x1p-1070/' \
    test_dot_norm library.dot_norm
row 6 "norm2 in vectors: the range" src/cpu/simd/reduce_scan/squares.c 's/return far == 0;/return far <= 1;/' \
    test_dot_norm library.dot_norm
row 6 "sums on a GPU: residuals and bounds" src/gpu/codegen/emit_fold.c 's/hd_sum_rest(n.hi, n.lo, given)/hd_sum_rest(n.hi, 0, given)/' \
    test_gpu_sums library.gpu_sums
row 6 "compensated on a GPU: what was rounded off" src/gpu/codegen/emit_fold.c 's/lo = (a.lo + b.lo) + e;/lo = (a.lo + b.lo) + 0 * e;/' \
    test_gpu_sums library.gpu_sums
row 6 "compensated on a GPU: infinities stay" src/gpu/codegen/emit_fold.c 's/r.lo = %s ? lo : 0;/r.lo = (%s) || 1 ? lo : 0;/' \
    test_gpu_sums library.gpu_sums
row 6 "sums on a GPU: the identity is -0" src/gpu/codegen/emit_fold.c 's/memcpy(words, f->node->identity, f->node_size);/&\n    words[0] = 0;/' \
    test_gpu_sums library.gpu_sums

# ---- 7. The tree, and the rules around it --------------------------------------------------------

smallest_first='s/if (hd__tree_fold(tree, w->node)) {/&\n        for (int k = 0, any = 0; k < HD__LEVELS; k++) {\n            if (!(tree->count >> k \& 1)) continue;\n            if (any) hd__combine(tree->op, w->node, hd__tree_node(tree, k), w->node, 1);\n            if (!any) memcpy(w->node, hd__tree_node(tree, k), tree->size);\n            any = 1;\n        }/'
row 7 "the tree: folded from the left" src/serial/reduce.c "$smallest_first" test_numerics_rules \
    library.numerics_rules
row 7 "the same, against exact rationals" src/serial/reduce.c "$smallest_first" test_rational \
    library.rational
row 7 "init on the left" $operators/fold.c \
    's/hd__combine(f->node, node, f->init, node, 1);/hd__combine(f->node, node, node, f->init, 1);/' \
    test_numerics_rules library.numerics_rules
row 7 "init over nothing is the output" $operators/load_finalize.c \
    's/    if (f->init != NULL) {\n        hd__finalize(f, f->init, 1, NULL, 0, out, value);\n        return true;\n    }\n//' \
    test_numerics_rules library.numerics_rules
row 7 "exclusive at a head: nothing before" src/serial/scan.c \
    's/job->exclusive && !head && fold_pairs/job->exclusive \&\& fold_pairs/' test_numerics_rules \
    library.numerics_rules
row 7 "segments: elements before the first offset" src/patterns/scan/head_flags.c \
    's/    if (start == 0 && n > 0) head_flags\[0\] = 1;\n//' test_numerics_rules library.numerics_rules
row 7 "segments: a reduction of the slice" src/serial/reduce.c \
    's/    in.first = -begin;\n/    in.first = 0;\n/' \
    "test_numerics_rules test_reduce_parts" "library.numerics_rules library.reduce_parts"
row 7 "carry: indices go on" src/patterns/scan/scan.c \
    's/    job->in.first = hd__carry_end(o->carry);\n//' test_numerics_rules library.numerics_rules
row 7 "carry: the tree of one call" src/serial/scan.c \
    's/job->tree != NULL ? job->tree : &w.tree/\&w.tree/' test_numerics_rules library.numerics_rules
row 7 "backward: the reversed sequence" src/patterns/scan/scan.c \
    's/for (int k = 0; k < job->in.inputs; k++) reverse(&job->in.view\[k\], axis);/for (int k = 1; k < job->in.inputs; k++) reverse(\&job->in.view[k], axis);/' \
    test_numerics_rules library.numerics_rules
row 7 "backward: heads at the segments' last elements" src/patterns/scan/head_flags.c \
    's/total - these\[i\] - start : /total - these[i] - start > 1 ? total - these[i] - start - 1 : 0 : /' \
    test_numerics_rules library.numerics_rules
row 7 "exclusive mean: over as many as came before" src/serial/scan.c \
    's/exclusive ? before : tree->count/exclusive ? before + 1 : tree->count/' test_numerics_rules library.numerics_rules
row 7 "keys: a segment at each change" src/serial/reduce.c 's/runs += is_head(job, i);/runs += is_head(job, i) || i == 1;/' \
    "test_numerics_rules test_reduce_parts" "library.numerics_rules library.reduce_parts"
row 7 "the table of sums is made by a command" docs/reference/numerics.md \
    's/NumPy, pairwise                    1.3/NumPy, pairwise                    1.2/' heddle_program cli.accuracy
row 7 "the bound: the page" docs/reference/numerics.md 's/d u (1 + d u \/ 2)/d u/' - docs.numerics
row 7 "every backend is named" docs/reference/numerics.md 's/, cuda and model, any number/, any number/' - \
    docs.numerics
row 7 "which scans are monotone: the page" docs/reference/numerics.md 's/may fall, by 2 d u//' - docs.numerics
for rule in '`init`' 'segments, reduce' 'segments, scan' exclusive backward carry; do
    row 7 "a row for $rule" docs/reference/numerics.md "s/\n| $rule | /\n| x | /" - docs.numerics
done

# ---- 8. The archive of bits ----------------------------------------------------------------------

row 8 "a result that is another" src/bits/archive.txt \
    's/\(\nreduce sum f32 -> f32, ordinary:[^\n]* 1=\)bf42d772/\1bf42d773/' test_bits_archive \
    library.bits_archive
row 8 "the same, heddle doctor --bits" src/bits/archive.txt \
    's/\(\nreduce sum f32 -> f32, ordinary:[^\n]* 1=\)bf42d772/\1bf42d773/' heddle_program cli.bits
row 8 "a case that is gone from the archive" src/bits/archive.txt 's/\nscan sum f64 -> f64, ordinary:[^\n]*//' \
    test_bits_archive library.bits_archive
row 8 "a family of cases" src/bits/cases.c 's/    bits_sorts(list);\n//' test_bits_archive library.bits_archive
row 8 "differences are counted" src/bits/compare.c 's/strcmp(expected, got) == 0)/expected[0] != 0)/' \
    heddle_program cli.bits
row 8 "the cores' kernels: f32 sums" src/cpu/simd/reduce_scan/floats.inc \
    's/#define ONE(a, b) ((a) + (b))/#define ONE(a, b) ((a) + (b) * (T)1.0000001)/' test_bits_archive library.bits_archive
row 8 "the GPU's kernels: f32 sums" src/gpu/codegen/emit_fold.c 's/x = (%s)n;/x = (%s)(n * 1.0000001);/' \
    test_bits_archive library.bits_archive
if [ "$(uname -m)" = x86_64 ]; then
    row 8 "one instruction set: baseline" src/cpu/simd/fma.h \
        's/return (vec_f32)fma_by_f64((__m128)a, (__m128)b, (__m128)c);/return a * b + c;/' \
        test_bits_archive library.bits_archive
    ! grep -q avx2 /proc/cpuinfo || row 8 "one instruction set: AVX2" src/cpu/simd/fma.h \
        's/return (vec_f32)_mm256_fmadd_ps[^;]*;/return a * b + c;/' test_bits_archive \
        library.bits_archive
    ! grep -q avx512f /proc/cpuinfo || row 8 "one instruction set: AVX-512" src/cpu/simd/fma.h \
        's/return (vec_f32)_mm512_fmadd_ps[^;]*;/return a * b + c;/' test_bits_archive \
        library.bits_archive
fi
