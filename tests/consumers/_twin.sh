#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# _twin.sh COMPILER ARGUMENT...: stands before the compiler where the library is built as part of a
# project: compiles the last file of each folder, generated ones and what lists instruction sets,
# and takes the objects of all others from the build that is tested.
set -u
command=("$@")
while [ $# -gt 1 ]; do
    case $1 in
    -o) object=$2 ;;
    -c) file=$2 ;;
    -MF) dependencies=$2 ;;
    esac
    shift
done
twin=$BUILD/${object#heddle/}
# What lists instruction sets refers to tables of all that the tested build has.
lists() { grep -q "HD_ISAS\|HD__CPU_BRINGS" "$file" || nm -u "$twin" | grep -qE '_(avx2|avx512|sve[0-9]*)$'; }
if [[ $file == */heddle/src/* && -f $twin ]] && ! lists; then
    files=("${file%/*}"/*.c)
    if [ "$file" != "${files[-1]}" ]; then
        echo "$object:" >"$dependencies"
        exec cp "$twin" "$object"
    fi
fi
exec "${command[@]}"
