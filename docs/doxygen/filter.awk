# SPDX-License-Identifier: Apache-2.0
# A public header as doxygen reads it: // comments become ///, those behind a member ///<. A line that
# begins with a word and three blanks ("  Aliasing    out may ...") begins a paragraph with that
# heading; lines of code in a comment stay as they are; declarations that share a comment all get it.
function escaped(text)
{
    gsub(/[@<#]/, "\\\\&", text)
    return text
}

function doc(text)
{
    block = block "///" text "\n"
    print "///" text
}

FNR == 1 {
    print
    print "/// @file"
    next
}
/^\/\/ ----/ {
    print
    block = ""
    next
}
/^\/\// {
    if (!comment) {
        block = ""
        heading = 0
    }
    comment = 1
    text = substr($0, 3)
    if (match(text, /^ ? ? ?[A-Z][a-z]+   +/) && text !~ /^    /) {
        heading = 1
        doc("")
        doc(" @par " substr(text, 1, RLENGTH))
        doc(" " escaped(substr(text, RLENGTH + 1)))
    } else if (heading) {
        sub(/^ +/, " ", text)
        doc(escaped(text))
    } else
        doc(text ~ /^     / ? text : escaped(text))
    next
}
{
    if (/^HD_API / && !comment && declared && block != "") printf "%s", block
    declared = /^(HD_API |typedef [^{]*;)/ || (declared && !/^ *$/)
    comment = 0
    if (!/^#/ && match($0, /[;,{] *\/\/ /)) {
        print substr($0, 1, RSTART) " ///< " escaped(substr($0, RSTART + RLENGTH))
        member = 1
    } else if (member && sub(/^ +\/\/ /, "")) {
        print "    ///< " escaped($0)
    } else {
        member = 0
        print
    }
}
