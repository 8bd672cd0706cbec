#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The program and the shared library have what HEDDLE_HARDEN promises, as far as the compiler
# knows it: read off the files themselves. A program built without it must fail the same checks.
set -u
cache=$BUILD/CMakeCache.txt
grep -q '^HEDDLE_HARDEN:BOOL=ON' "$cache" || { echo "HEDDLE_HARDEN is off"; exit 77; }
has() { grep -q "^HEDDLE_$1:INTERNAL=1" "$cache"; }

# faults FILE: one line for each promise that is not kept.
faults() {
    local file=$1 segments dynamic symbols notes
    segments=$(readelf -W --segments "$file")
    dynamic=$(readelf -W --dynamic "$file")
    symbols=$(readelf -W --dyn-syms "$file")
    notes=$(readelf -W --notes "$file" 2>/dev/null)
    grep -q 'GNU_RELRO' <<<"$segments" || echo "relocations stay writable (relro)"
    grep -qE 'BIND_NOW|FLAGS_1.*NOW' <<<"$dynamic" || echo "symbols are bound late (now)"
    grep -q 'GNU_STACK.* RW ' <<<"$segments" || echo "the stack may be executed (noexecstack)"
    grep -qE 'LOAD.* RWE ' <<<"$segments" && echo "a segment may be written and executed"
    grep -q 'RPATH\|RUNPATH' <<<"$dynamic" && echo "it names folders of libraries (rpath)"
    readelf -h "$file" | grep -q 'Type: *DYN' || echo "it is not position independent (pie)"
    ! has HAS_STACK_PROTECTOR || grep -q ' __stack_chk_fail' <<<"$symbols" ||
        echo "no stack protector"
    [[ $symbols =~ \ __[a-z_]+_chk[@\ ] ]] || echo "no checked functions (_FORTIFY_SOURCE)"
    ! has HAS_CF_PROTECTION || grep -q 'IBT.*SHSTK' <<<"$notes" || echo "no -fcf-protection"
    ! has HAS_BRANCH_PROTECTION || grep -q 'BTI' <<<"$notes" || echo "no -mbranch-protection"
}

cat >small.c <<'EOF'
#include <string.h>
int main(int argc, char **argv) { char x[64]; strcpy(x, argv[0]); return x[argc]; }
EOF

# A property of which the system's own start files know nothing is in no program here.
protection=""
! has HAS_CF_PROTECTION || protection=-fcf-protection
! has HAS_BRANCH_PROTECTION || protection=-mbranch-protection=standard
"$CC" -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3 -fstack-protector-strong $protection -fPIE -pie \
    -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack small.c -o guarded 2>log || { cat log; exit 1; }
faults guarded >excused
[ ! -s excused ] || { echo "not of this system:"; cat excused; }

failed=0
for file in "$BUILD/heddle" "$BUILD/libheddle.so" "$BUILD/libheddle_model.so"; do
    [ -e "$file" ] || continue
    found=$(faults "$file" | grep -vxF -f excused)
    [ -z "$found" ] || { echo "$file:"; echo "$found"; failed=1; }
done

# Whatever the start files have, each of our objects knows the protection.
if [ -n "$protection" ]; then
    notes=$(readelf -W --notes "$BUILD/libheddle.a" 2>/dev/null)
    objects=$(grep -c '^File: ' <<<"$notes")
    guarded=$(grep -cE 'IBT.*SHSTK|BTI' <<<"$notes")
    [ "$guarded" -eq "$objects" ] && [ "$objects" -gt 0 ] ||
        { echo "libheddle.a: $guarded of $objects objects have $protection"; failed=1; }
fi

# The checks can fail.
"$CC" -O1 -U_FORTIFY_SOURCE -fno-stack-protector small.c -o bare -no-pie -fno-pie \
    -Wl,-z,norelro -Wl,-z,lazy -Wl,-z,execstack -Wl,-rpath,/somewhere 2>log || { cat log; exit 1; }
for word in relro now noexecstack rpath pie 'stack protector' FORTIFY; do
    faults bare | grep -q "$word" || { echo "the check of $word cannot fail"; failed=1; }
done
exit $failed
