// SPDX-License-Identifier: Apache-2.0
// Tables of rules for languages: JSON, C's preprocessing tokens, CSV.
#include <string.h>

#include <heddle/algorithms/lex.h>

// RFC 8259; that a string is UTF-8 is not looked at.
static const hd_lex_rule json[] = {
    {"blank", "[ \\t\\n\\r]+", true},
    {"{", "\\{", false},
    {"}", "\\}", false},
    {"[", "\\[", false},
    {"]", "\\]", false},
    {":", ":", false},
    {",", ",", false},
    {"string", "\"([^\"\\\\\\x00-\\x1f]|\\\\([\"\\\\/bfnrt]|u[0-9A-Fa-f]{4}))*\"", false},
    {"number", "-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+\\-]?[0-9]+)?", false},
    {"true", "true", false},
    {"false", "false", false},
    {"null", "null", false},
    {NULL, NULL, false},
};

// C11, 6.4, with $ and bytes beyond ASCII in identifiers as compilers have them. A backslash before
// a newline is blank between tokens, and part of strings and line comments.
static const hd_lex_rule c[] = {
    {"blank", "([ \\t\\n\\r\\f\\v]|\\\\\\r?\\n)+", true},
    {"comment", "//([^\\n\\\\]|\\\\+[^\\n\\\\]|\\\\+\\r?\\n)*\\\\*|/\\*([^*]|\\*+[^*/])*\\*+/",
     true},
    {"identifier", "[A-Za-z_$\\x80-\\xff][A-Za-z_0-9$\\x80-\\xff]*", false},
    {"number", "\\.?[0-9]([eEpP][+\\-]|[0-9A-Za-z_.$\\x80-\\xff])*", false},
    {"character", "(L|u8?|U)?'([^'\\\\\\n]|\\\\(\\r?\\n|.))+'", false},
    {"string", "(L|u8?|U)?\"([^\"\\\\\\n]|\\\\(\\r?\\n|.))*\"", false},
    {"punctuator",
     "[\\]\\[(){}.;,?~:#<>=!%^&*+/|\\-]|\\.\\.\\.|->|\\+\\+|--|<<=?|>>=?|[<>=!*/%+\\-&^|]=|&&|"
     "\\|\\||##|<:|:>|<%|%>|%:|%:%:",
     false},
    {NULL, NULL, false},
};

// RFC 4180, with lines that end as on any system.
static const hd_lex_rule csv[] = {
    {"text", "[^,\"\\n\\r]+", false},
    {"quoted", "\"([^\"]|\"\")*\"", false},
    {"comma", ",", false},
    {"newline", "\\r\\n?|\\n", false},
    {NULL, NULL, false},
};

const hd_lex_rule *hd_lex_rules(const char *language)
{
    if (language == NULL) return NULL;
    if (strcmp(language, "json") == 0) return json;
    if (strcmp(language, "c") == 0) return c;
    return strcmp(language, "csv") == 0 ? csv : NULL;
}
