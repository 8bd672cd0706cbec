#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# in_fresh_folder.sh SCRIPT [ARGUMENT...]: runs a bash script in a new, empty folder and removes the
# folder afterwards. The exit status is the script's.
set -u
folder=$(mktemp -d "${TMPDIR:-/tmp}/heddle-test.XXXXXX") || exit 1
trap 'chmod -R u+w "$folder" 2>/dev/null; rm -rf "$folder"' EXIT
cd "$folder" || exit 1
bash "$@"
