#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Programs that misuse the header do not compile: statuses that nobody looks at, elements that are
# not bytes, views of pointers without a type, options that take a view's address, options of
# another call, pointers for views.
. "$SOURCE/tests/consumers/_ways.sh"
compiles() { # compiler file
    "$1" -Wall -Werror -O2 -I"$SOURCE/include" -c "$2" -o /dev/null 2>message
}
# refuses NAME WORD LANGUAGE DECLARATIONS BODY: a function of ctx, x and n; `good` must compile.
refuses() {
    local compilers="$CC gcc clang" compiler
    [ "$3" = c ] || compilers="$CXX g++ clang++"
    printf '#include <heddle.h>\n%s\nint f(hd_context *ctx, float *x, int64_t n);\nint f(hd_context *ctx, float *x, int64_t n)\n{\n    (void)ctx, (void)x, (void)n;\n    %s\n    return 0;\n}\n' \
        "$4" "$5" >"$1.$3"
    for compiler in $compilers; do
        command -v "$compiler" >/dev/null || continue
        if compiles "$compiler" "$1.$3"; then
            [ "$2" = good ] || { echo "$compiler accepts $1.$3"; cat "$1.$3"; exit 1; }
        else
            [ "$2" != good ] && grep -qi "$2" message ||
                { echo "$compiler, $1.$3: expected '$2'"; cat message; exit 1; }
        fi
    done
}
sum='hd_reduce(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(x, 1), NULL)'
for language in c cpp; do
    refuses looked_at good $language '' "if ($sum) return 1;"
    refuses ignored 'unused.result' $language '' "$sum;"
    refuses sized good $language 'struct plain { int a, b; };' \
        'struct plain p[2]; hd_view v = HD_VIEW_OF(HD_TYPE(struct plain), p, 2); (void)v;'
done
refuses untyped 'HD_VIEW_OF\|_Generic\|hd__name_the_type' c 'struct plain { int a, b; };' \
    'struct plain p[2]; hd_view v = HD_VIEW(p, 2); (void)v;'
refuses by_value 'incompatible' c '' 'hd_reduce_options o = {.keys = HD_VIEW(x, n)}; (void)o;'
refuses string 'trivially copyable' cpp '#include <string>' \
    'std::string s[2]; hd_view v = HD_VIEW(s, 2); (void)v;'
refuses constant 'trivially copyable' cpp '#include <string>' \
    'hd_view v = hd_constant(std::string("x"), 3); (void)v;'
refuses virtual 'trivially copyable' cpp 'struct shape { virtual ~shape() {} int sides; };' \
    'shape *p = nullptr; hd_view v = HD_VIEW(p, 2); (void)v;'
of_scan='hd_reduce(ctx, HD_VIEW(x, n), HD_SUM, HD_VIEW(x, 1), o)'
refuses others 'incompatible' c '' "const hd_scan_options o[1] = {{0}}; if ($of_scan) return 1;"
refuses others 'convert\|no matching' cpp '' \
    "const hd_scan_options o[1] = {hd_scan_options()}; if ($of_scan) return 1;"
refuses pointer 'incompatible' c '' "if (${sum/HD_VIEW(x, 1)/x}) return 1;"
