#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cc file.c -lheddle, nothing else but where it is.
. "$SOURCE/tests/consumers/_ways.sh"
"$CC" "$consumers/consumer.c" -I"$installed/include" -L"$libdir" -lheddle -o c_shared
"$CXX" "$consumers/consumer.cpp" -I"$installed/include" -L"$libdir" -lheddle -o cpp_shared
check ./c_shared shared
check ./cpp_shared shared
