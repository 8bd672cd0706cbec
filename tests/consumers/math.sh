#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The functions of heddle/math.h have the same bits from every compiler here, with every flag:
# without optimisation and with vectors, for this machine's instructions, where multiply and add may
# be contracted (clang's -ffp-contract=fast overrules what the header says, as it does for
# operators), and in C++.
. "$SOURCE/tests/consumers/_ways.sh"
try() {
    command -v "$1" >/dev/null || return 0
    echo "$*"
    "$@" -Wall -Wextra -Wpedantic -Werror -I"$SOURCE/include" -I"$SOURCE" "$consumers/math.c" -o math && ./math
}
for compiler in $(different "$CC" gcc clang); do
    for flags in "-O0" "-O2 -std=c11" "-O3 -march=native -std=gnu11 -ffp-contract=on"; do
        try "$compiler" $flags
    done
done
try gcc -O3 -march=native -ffp-contract=fast -std=gnu11
try gcc -O2 -fno-math-errno -fno-trapping-math
try gcc -O2 -flto
try "$CXX" -O2 -march=native -x c++ -std=c++11
