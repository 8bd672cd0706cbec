# SPDX-License-Identifier: Apache-2.0
# Reads `readelf --debug-dump=info` of the file that scripts/abi.sh compiles, and lists what a
# program compiled against Heddle depends on: the type of each exported name, the size of each
# structure with the offsets and types of its members, the values of each enumeration. One fact a
# line, in no order.

/^ *<[0-9a-f]+><[0-9a-f]+>: Abbrev Number: [1-9]/ {
    split($1, part, /[<>]+/)
    level = part[2]
    at = part[3]
    tag[at] = $NF
    gsub(/[()]|DW_TAG_/, "", tag[at])
    parent[at] = level > 0 ? open[level - 1] : ""
    open[level] = at
    order[++count] = at
    if (level > 0) child[parent[at], ++children[parent[at]]] = at
    next
}
/^ *<[0-9a-f]+> +DW_AT_name / {
    sub(/.*DW_AT_name *: (\(.*\): )?/, "")
    sub(/[ \t]+$/, "")
    name[at] = $0
    next
}
/DW_AT_type / { sub(/.*<0x/, ""); sub(/>.*/, ""); type[at] = $0; next }
/DW_AT_byte_size / { size[at] = $NF; next }
/DW_AT_data_member_location/ { place[at] = $NF; next }
/DW_AT_const_value/ { value[at] = $4; next }
/DW_AT_upper_bound/ { bound[at] = $4 + 1; next }
/DW_AT_count/ { bound[at] = $4; next }
/DW_AT_declaration/ { declared[at] = 1; next }

function parameter(t) { return tag[t] == "unspecified_parameters" ? "..." : text(type[t]) }

# The type as C has it, names of pointed-to structures instead of their members.
function text(t,    k, s) {
    if (t == "") return "void"
    if (tag[t] == "pointer_type") return text(type[t]) " *"
    if (tag[t] == "const_type") return "const " text(type[t])
    if (tag[t] == "volatile_type") return "volatile " text(type[t])
    if (tag[t] == "restrict_type") return text(type[t])
    if (tag[t] == "array_type") {
        s = text(type[t])
        for (k = 1; k <= children[t]; k++) s = s "[" bound[child[t, k]] "]"
        return s
    }
    if (tag[t] == "subroutine_type") {
        s = ""
        for (k = 1; k <= children[t]; k++) s = s (k > 1 ? ", " : "") parameter(child[t, k])
        return text(type[t]) " (" s ")"
    }
    return name[t] != "" ? name[t] : "anonymous " tag[t]
}

function members(head, t,    k, m) {
    for (k = 1; k <= children[t]; k++) {
        m = child[t, k]
        if (tag[m] != "member") continue
        printf "member %s.%s: %s at %d\n", head, name[m], text(type[m]), place[m]
        if (name[type[m]] == "" && tag[type[m]] ~ /structure|union/)
            members(head "." name[m], type[m])
    }
}

function describe(head, t) {
    if (tag[t] ~ /structure_type|union_type/ && !declared[t]) {
        printf "%s %s: %d bytes\n", tag[t] == "union_type" ? "union" : "structure", head, size[t]
        members(head, t)
    } else if (tag[t] == "enumeration_type") {
        printf "enumeration %s: %d bytes\n", head, size[t]
    } else if (tag[t] == "structure_type") {
        printf "structure %s: opaque\n", head
    }
}

END {
    for (k = 1; k <= count; k++) {
        t = order[k]
        if (tag[t] == "variable" && name[t] ~ /^abi_/)
            printf "exported %s: %s\n", substr(name[t], 5), text(type[type[t]])
        if (tag[t] == "enumerator" && name[t] ~ /^(HD_|DL|kDL)/)
            printf "value %s: %d\n", name[t], value[t]
        if (name[t] !~ /^(hd_|HD_|DL)/) continue
        if (tag[t] == "typedef" && name[type[t]] == "") describe(name[t], type[t])
        if (tag[t] == "typedef" && tag[type[t]] !~ /structure|union|enumeration/)
            printf "type %s: %s\n", name[t], text(type[t])
        if (tag[t] ~ /structure_type|union_type|enumeration_type/) describe(name[t], t)
    }
}
