#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A structure's tag, a type's name and a macro mean one thing across all modules, and header guards
# are made of paths. Names of one .c file alone are its own affair, unless a header has them too.
set -u
cd "$SOURCE" || exit 1
# What texts are included with, each time as another thing: parameters of .inc, .def and body files.
parameters='^(T|S|U|V|VM|I|NAME|NAMED|BITS|IN|OUT|SUM|TYPE|SIZE|X|ROW|PATTERN|TUNE)$'
find include src cli bench ladder tests -name '*.h' | grep -v '_body[.]h$' | sort |
    xargs awk -v parameters="$parameters" '
        function module(path,   part) {
            split(path, part, "/")
            return part[1] == "src" ? part[1] "/" part[2] : part[1]
        }
        function note(kind, name) {
            if (name ~ parameters) return
            key = kind " " name
            if (key in where && where[key] != FILENAME) {
                print FILENAME ": " kind " " name " is also in " where[key]
                bad = 1
            }
            where[key] = FILENAME
        }
        FNR == 1 { split("", here) }
        /^#define [A-Za-z_]/ {
            name = $2; sub(/\(.*/, "", name)
            if (name ~ /_H$/ || name in here) next
            here[name] = 1; note("macro", name)
        }
        /^#undef/ { undone[FILENAME, $2] = 1 }
        /^(typedef )?(struct|enum|union) [a-z_0-9]+ \{/ {
            name = $0; sub(/^(typedef )?(struct|enum|union) /, "", name); sub(/ .*/, "", name)
            note("tag", name)
        }
        END { exit bad }'
