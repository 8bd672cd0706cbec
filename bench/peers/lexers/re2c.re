// SPDX-License-Identifier: Apache-2.0
//
// re2c: scanners of JSON's and of C's tokens.
#include "bench/peers/lexers/lexers.h"

static void run_json(const peer_job *job)
{
    const lexed x = lexed_of(job);
    const unsigned char *YYCURSOR = x.text, *YYMARKER, *token;
    int32_t kind;
    int64_t k = 0;
    for (;;) {
        token = YYCURSOR;
        if (token >= x.text + x.n) return;
        /*!re2c
        re2c:define:YYCTYPE = "unsigned char";
        re2c:yyfill:enable = 0;
        [ \t\n\r]+ { continue; }
        "{" { kind = 1; goto found; }
        "}" { kind = 2; goto found; }
        "[" { kind = 3; goto found; }
        "]" { kind = 4; goto found; }
        ":" { kind = 5; goto found; }
        "," { kind = 6; goto found; }
        ["]([^"\\\x00-\x1f]|[\\](["\\/bfnrt]|"u"[0-9A-Fa-f]{4}))*["] { kind = 7; goto found; }
        "-"?("0"|[1-9][0-9]*)("."[0-9]+)?([eE][+-]?[0-9]+)? { kind = 8; goto found; }
        "true" { kind = 9; goto found; }
        "false" { kind = 10; goto found; }
        "null" { kind = 11; goto found; }
        * { kind = 12; goto found; }
        */
    found:
        x.kind[k] = kind, x.begin[k] = token - x.text, x.length[k] = YYCURSOR - token;
        k++;
    }
}

static void run_c(const peer_job *job)
{
    const lexed x = lexed_of(job);
    const unsigned char *YYCURSOR = x.text, *YYMARKER, *token;
    int32_t kind;
    int64_t k = 0;
    for (;;) {
        token = YYCURSOR;
        if (token >= x.text + x.n) return;
        /*!re2c
        re2c:define:YYCTYPE = "unsigned char";
        re2c:yyfill:enable = 0;
        end = [\r]?[\n];
        ([ \t\n\r\f\v]|[\\]end)+ { continue; }
        "//"([^\n\\\x00]|[\\]+[^\n\\\x00]|[\\]+end)*[\\]* { continue; }
        "/*"([^*\x00]|"*"+[^*/\x00])*"*"+"/" { continue; }
        [A-Za-z_$\x80-\xff][A-Za-z_0-9$\x80-\xff]* { kind = 2; goto found; }
        "."?[0-9]([eEpP][+-]|[0-9A-Za-z_.$\x80-\xff])* { kind = 3; goto found; }
        ("L"|"u""8"?|"U")?[']([^'\\\n\x00]|[\\](end|[^\n\x00]))+['] { kind = 4; goto found; }
        ("L"|"u""8"?|"U")?["]([^"\\\n\x00]|[\\](end|[^\n\x00]))*["] { kind = 5; goto found; }
        [\][(){}.;,?~:#<>=!%^&*+/|-]|"..."|"->"|"++"|"--"|"<<""="?|">>""="? { kind = 6; goto found; }
        [<>=!*/%+&^|-]"="|"&&"|"||"|"##"|"<:"|":>"|"<%"|"%>"|"%:"|"%:%:" { kind = 6; goto found; }
        * { kind = 12; goto found; }
        */
    found:
        x.kind[k] = kind, x.begin[k] = token - x.text, x.length[k] = YYCURSOR - token;
        k++;
    }
}

static peer_run *find(const peer_job *job)
{
    if (peer_algorithm_of(job, "lex-json")) return run_json;
    return peer_algorithm_of(job, "lex-c") ? run_c : NULL;
}

PEER_EXPORT const peer *heddle_peer(void)
{
    static const peer re2c = {PEER_ABI, "re2c -s", open_lexer, find, NULL, NULL, NULL, NULL};
    return &re2c;
}
