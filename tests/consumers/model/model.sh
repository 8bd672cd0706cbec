#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The model machine is a library of its own: libheddle loads it where a context asks for it, from
# beside itself, or the program is linked with it. Where it is not there, or of another version, the
# status says which library is missing.
. "$SOURCE/tests/consumers/_ways.sh"
"$CC" "$consumers/model/model.c" -I"$installed/include" -L"$libdir" -lheddle -o plain
"$CC" -DDIRECT "$consumers/model/model.c" -I"$installed/include" -L"$libdir" -lheddle_model -lheddle -o direct

# says PROGRAM TEXT: it fails, and with this text.
says() {
    ! "${@:1:$#-1}" >printed || { echo "$1: the model machine is there"; exit 1; }
    grep -q -- "${*: -1}" printed || { echo "$1: $(cat printed); expected ${*: -1}"; exit 1; }
}
# sums PROGRAM...: where kernels can be compiled. Otherwise it says that there is no compiler.
sums() {
    "$@" >printed || grep -q 'compile' printed || { echo "$*: $(cat printed)"; exit 1; }
    grep -qx '499500' printed || grep -q 'compile' printed || { echo "$*: $(cat printed)"; exit 1; }
}

! readelf -d plain | grep -q libheddle_model || { echo "plain is linked with libheddle_model"; exit 1; }
sums env LD_LIBRARY_PATH="$libdir" ./plain
sums env LD_LIBRARY_PATH="$libdir" ./direct

# Without it, beside libheddle and where the loader looks; and then in a folder of the loader's.
mkdir alone elsewhere
cp "$libdir"/libheddle.so.0.1* alone
says env LD_LIBRARY_PATH=alone ./plain 'HD_ERROR_BACKEND: the model machine is in libheddle_model.so.0.1'
cp "$libdir"/libheddle_model.so.0.1* elsewhere
sums env LD_LIBRARY_PATH=alone:elsewhere ./plain

# Of another version.
cat >other.c <<'END'
#include <stdint.h>
static const struct { int32_t version, bytes; } driver = {99, 8};
const void *hd__gpu_driver_model(void);
const void *hd__gpu_driver_model(void) { return &driver; }
END
"$CC" -shared -fPIC other.c -o alone/libheddle_model.so.0.1
says env LD_LIBRARY_PATH=alone ./plain 'HD_ERROR_BACKEND: libheddle_model.so.0.1 is of another version'

# A static program has it where it is linked with it.
eval "libs=($(sed -n 's/^Libs.private://p' "$libdir/pkgconfig/heddle.pc"))"
static() { "$CC" "$consumers/model/model.c" -I"$installed/include" "$@" "$libdir/libheddle.a" "${libs[@]}"; }
static -o static_without
says ./static_without '-Wl,-u,hd__gpu_driver_model'
static -o static_with -Wl,-u,hd__gpu_driver_model "$libdir/libheddle_model.a"
sums ./static_with
