# SPDX-License-Identifier: Apache-2.0
# Sourced by ./run and ./test: finds which packages are missing, installs them where that can be
# done without asking (root or sudo without a password, and apt), else says which they are.
# shellcheck shell=bash

missing_packages=()

# need PACKAGE COMMAND...: the package is missing unless the command succeeds.
need() {
    local package=$1
    shift
    "$@" >/dev/null 2>&1 || missing_packages+=("$package")
}

# found NAME...: the first of these programs that is here.
found() {
    local name
    for name in "$@"; do command -v "$name" && return 0; done
    return 1
}

# links COMPILER FLAGS...: an empty program compiles and links.
links() { echo 'int main(void) { return 0; }' | "$@" -x c - -o /dev/null; }

# compiles TEXT FLAGS...: a program with that line compiles and links.
compiles() {
    local text=$1
    shift
    printf '%s\nint main(void) { return 0; }\n' "$text" |
        "$(found cc gcc clang || echo cc)" -x c - -o /dev/null "$@"
}

need_for_the_build() {
    need cmake command -v cmake
    need ninja-build found ninja ninja-build
    need gcc found cc gcc clang
    need libc6-dev links "$(found cc gcc clang || echo cc)"
    need binutils command -v nm
    need zlib1g-dev compiles '#include <zlib.h>' -lz
    need libpng-dev compiles '#include <png.h>' -lpng
}

# Everything ./test uses besides: the second compiler with its OpenMP and its run-time library (of
# the sanitizers and the fuzzer), the formatter, and what the consumers and docs are checked with.
need_for_the_tests() {
    need gcc command -v gcc
    need g++ command -v g++
    need clang command -v clang
    need clang-format found clang-format clang-format-14
    need libomp-dev links "$(found clang || echo clang)" -fopenmp
    need pkgconf command -v pkg-config
    need groff command -v groff
    need git command -v git
}

# clang's run-time library has the version in its package's name, which clang itself tells.
need_for_the_sanitizers() {
    local major
    major=$(clang -dumpversion 2>/dev/null | cut -d. -f1)
    if [ -n "$major" ]; then
        need "libclang-rt-$major-dev" links clang -fsanitize=address,undefined
    fi
}

# Two MPIs, for the tests over ranks; they are skipped where these are not there.
need_for_mpi() {
    need libopenmpi-dev command -v mpicc.openmpi
    need openmpi-bin command -v mpirun.openmpi
    need libmpich-dev command -v mpicc.mpich
    need mpich command -v mpirun.mpich
}

# The first Python that imports a package.
imports() {
    local python
    for python in python3 /usr/bin/python3; do "$python" -c "import $1" && return 0; done
    return 1
}

# A browser for the pages; what the algorithms are compared with (tests/python/real_numbers.py).
need_for_all_tests() {
    need chromium found chromium chromium-browser google-chrome
    need python3-numpy imports numpy
    need python3-scipy imports scipy
    need python3-networkx imports networkx
}

install_missing_packages() {
    [ ${#missing_packages[@]} -gt 0 ] || return 0
    local names as_root=()
    names=$(printf '%s\n' "${missing_packages[@]}" | sort -u | tr '\n' ' ')
    names=${names% }
    if [ "$(id -u)" -ne 0 ]; then as_root=(sudo -n); fi
    if command -v apt-get >/dev/null && "${as_root[@]}" true 2>/dev/null; then
        echo "installing: $names"
        # Old lists may still do where the network does not answer.
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq update >/dev/null || true
        # shellcheck disable=SC2086
        if "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y install \
            --no-install-recommends $names >/dev/null; then
            missing_packages=()
            return 0
        fi
        echo "the packages could not be installed (no network?)"
    fi
    {
        echo "These packages are missing and could not be installed from here:"
        echo "    $names"
        echo "On Debian or Ubuntu: apt-get install $names"
    } >&2
    return 1
}
