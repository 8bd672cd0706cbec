#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs what the Markdown files show, against the installed tree. By the word after the fence:
#   c, cpp   a whole program: read without a warning by every compiler here, built by the last of
#            them, and run
#   output   what the program just above printed
#   python   run by python3, where it is found; it loads libheddle.so by that name
#   sh       run by bash; every command must succeed
#   console  lines "$ command", each followed by exactly what it prints
# Blocks of a page share a folder. Others ("c fragment", indented text) are only read.
. "$SOURCE/tests/consumers/_ways.sh"
export PATH=$installed/bin:$PATH LD_LIBRARY_PATH=$libdir LIBRARY_PATH=$libdir
export CPATH=$installed/include PKG_CONFIG_PATH=$libdir/pkgconfig CMAKE_PREFIX_PATH=$installed
mapfile -t c_compilers < <(different "$CC" gcc clang)
mapfile -t cpp_compilers < <(different "$CXX" g++ clang++)
top=$PWD
ran=0

fail() {
    echo "$page, block at line $1: $2"
    exit 1
}

run_c() { # line file
    local compiler warnings="-std=c11 -Wall -Wextra -Wpedantic -Werror"
    for compiler in "${c_compilers[@]::${#c_compilers[@]}-1}"; do
        # shellcheck disable=SC2086
        "$compiler" -x c $warnings -fsyntax-only -I"$installed/include" "$2" || fail "$1" "$compiler refuses it"
    done
    compiler=${c_compilers[-1]}
    # shellcheck disable=SC2086
    "$compiler" -x c $warnings -I"$installed/include" "$2" -x none -L"$libdir" -Wl,--as-needed \
        -lheddle_model -lheddle -lm -o program || fail "$1" "does not compile with $compiler"
    ./program >printed || fail "$1" "the program failed"
}

run_cpp() { # line file
    local compiler warnings="-std=c++17 -Wall -Wextra -Wpedantic -Werror"
    for compiler in "${cpp_compilers[@]::${#cpp_compilers[@]}-1}"; do
        # shellcheck disable=SC2086
        "$compiler" -x c++ $warnings -fsyntax-only -I"$installed/include" "$2" || fail "$1" "$compiler refuses it"
    done
    compiler=${cpp_compilers[-1]}
    # shellcheck disable=SC2086
    "$compiler" -x c++ $warnings -I"$installed/include" "$2" -x none -L"$libdir" -lheddle -o program ||
        fail "$1" "does not compile with $compiler"
    ./program >printed || fail "$1" "the program failed"
}

run_python() { # line file
    command -v python3 >/dev/null || return 0
    python3 "$2" >printed 2>&1 || fail "$1" "failed: $(cat printed)"
}

# Runs each "$ " line and compares what it prints with the lines up to the next one.
run_console() { # line file
    local text command="" expected=""
    while IFS= read -r text || [ -n "$text" ]; do
        case $text in
        "\$ "*)
            [ -z "$command" ] || compare "$1"
            command=${text#"\$ "}
            expected=""
            ;;
        *) expected+=$text$'\n' ;;
        esac
    done <"$2"
    [ -z "$command" ] || compare "$1"
}

compare() { # line; uses command and expected
    bash -c "$command" >printed 2>&1 || fail "$1" "failed: $command: $(cat printed)"
    printf '%s' "$expected" | diff -u - printed || fail "$1" "other output from: $command"
}

while IFS= read -r page; do
    folder=$top/$(echo "${page#"$SOURCE"/}" | tr / _)
    mkdir -p "$folder/work" && cd "$folder/work"
    # Each block goes to a file named by its line and its kind.
    awk -v folder="$folder" '
        /^```/ && !inside { kind = substr($0, 4); inside = 1
            file = (kind ~ /^(c|cpp|output|python|sh|console)$/) ? sprintf("%s/%05d.%s", folder, NR, kind) : ""
            if (file) printf "" > file
            next }
        /^```/ { inside = 0; if (file) close(file); next }
        inside && file { print >> file }' "$page"
    for block in "$folder"/*.*; do
        [ -f "$block" ] || continue
        line=$((10#$(basename "${block%.*}")))
        case $block in
        *.c) run_c $line "$block" ;;
        *.cpp) run_cpp $line "$block" ;;
        *.python) run_python $line "$block" ;;
        *.output) diff -u "$block" printed || fail $line "the program printed something else" ;;
        *.sh) bash -eu "$block" >printed 2>&1 || fail $line "failed: $(cat printed)" ;;
        *.console) run_console $line "$block" ;;
        esac
        ran=$((ran + 1))
    done
done < <(find "$SOURCE/README.md" "$SOURCE/docs" -name '*.md' | sort)
# The examples of the man pages: a program in section 3, commands in section 1.
for page in "$SOURCE"/man/*.[13]; do
    folder=$top/$(basename "$page")
    mkdir -p "$folder" && cd "$folder"
    sed -n '/^\.EX/,/^\.EE/p' "$page" |
        sed "/^\.E/d; s/\\\\(rs/\\\\/g; s/\\\\(aq/'/g; s/\\\\-/-/g" >example
    [ -s example ] || continue
    case $page in
    *.3) run_c 0 example ;;
    *.1) run_console 0 example ;;
    esac
    ran=$((ran + 1))
done
echo "$ran blocks ran"
[ $ran -gt 0 ]
