# SPDX-License-Identifier: Apache-2.0
# To be sourced. show_progress TITLE: reads ninja's output, whose lines begin with [done/all], and
# shows how far it is: one line that changes on a terminal, else a line every five seconds. Nothing
# is shown of a build that has nothing to do.
show_progress() {
    local title=$1 line last=-10 shown=0 bars= width
    [ -t 1 ] && shown=-1
    while IFS= read -r line; do
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
        [ "${BASH_REMATCH[2]}" -gt 1 ] || continue
        if [ $shown -lt 0 ]; then
            width=$((BASH_REMATCH[1] * 40 / BASH_REMATCH[2]))
            printf '\r%s [%-40s] %d of %d, %d s ' "$title" "$(printf '%*s' $width '' | tr ' ' '#')" \
                "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}" $SECONDS
        elif [ $((SECONDS - last)) -ge 5 ]; then
            echo "$title: ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]}, $SECONDS s"
            last=$SECONDS
        fi
        bars=1
    done
    [ $shown -lt 0 ] && [ -n "$bars" ] && echo
    return 0
}
