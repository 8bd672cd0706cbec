#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# example.sh PROGRAM EXPECTED: runs an example and compares its output with a file.
set -eu
"$1" >output
diff -u "$2" output
