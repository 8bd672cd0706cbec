// SPDX-License-Identifier: Apache-2.0
// Regular expressions to nodes by Thompson's construction (K. Thompson, "Regular expression search
// algorithm", CACM 1968): a recursive descent that appends the nodes of what it has read. An
// expression that is repeated a number of times is read as many times.
#include <string.h>

#include "lexer.h"

enum { DEEPEST = 100, MOST_TIMES = 255, SHOWN = 120 };

typedef struct parser {
    hd__frame *f;
    hd__nfa *nfa;
    const hd_lex_rule *rule;
    int32_t number; // of the rule
    const unsigned char *text;
    size_t at;
    int depth;
} parser;

// A part of the automaton: its first node, and the one whose out leads on.
typedef struct fragment {
    int32_t start, end;
} fragment;

static hd_status fail_at(const parser *p, size_t at, const char *expected)
{
    return hd__frame_fail(p->f, HD_ERROR_VALUE, "rule %d (%.40s), position %zu of \"%.*s%s\": %s",
                          p->number, p->rule->name, at, (int)SHOWN, p->rule->pattern,
                          strlen(p->rule->pattern) > SHOWN ? "..." : "", expected);
}

static hd_status append(parser *p, hd__nfa_kind kind, int32_t out, int32_t other, int32_t *made)
{
    if (p->nfa->nodes == p->nfa->room)
        return fail_at(p, p->at, "the rules are too long: expected less to be repeated");
    hd__nfa_node *node = &p->nfa->node[p->nfa->nodes];
    memset(node, 0, sizeof *node);
    node->kind = kind, node->out = out, node->other = other;
    *made = p->nfa->nodes++;
    return HD_OK;
}

// ---- Sets of bytes --------------------------------------------------------------------------

static void add_range(hd__byte_set *set, int from, int to)
{
    for (int c = from; c <= to; c++) set->word[c >> 6] |= UINT64_C(1) << (c & 63);
}

static void complement(hd__byte_set *set)
{
    for (int k = 0; k < 4; k++) set->word[k] = ~set->word[k];
}

static int hex_digit(int c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if ((c | 32) >= 'a' && (c | 32) <= 'f') return (c | 32) - 'a' + 10;
    return -1;
}

// d, s, w and their complements.
static bool add_named(hd__byte_set *set, int c)
{
    hd__byte_set named = {{0}};
    if ((c | 32) == 'd')
        add_range(&named, '0', '9');
    else if ((c | 32) == 's')
        add_range(&named, '\t', '\r'), add_range(&named, ' ', ' ');
    else if ((c | 32) == 'w') {
        add_range(&named, '0', '9'), add_range(&named, 'A', 'Z'), add_range(&named, 'a', 'z');
        add_range(&named, '_', '_');
    } else
        return false;
    if (c < 'a') complement(&named);
    for (int k = 0; k < 4; k++) set->word[k] |= named.word[k];
    return true;
}

// What stands after a backslash, as one byte; -1: an error.
static int escaped_byte(parser *p)
{
    static const char letters[] = "nrtfvae0", bytes[] = "\n\r\t\f\v\a\033";
    const int c = p->text[p->at];
    const char *letter = c != 0 ? strchr(letters, c) : NULL;
    if (letter != NULL) return p->at++, bytes[letter - letters];
    if (c == 'x') {
        const int high = hex_digit(p->text[p->at + 1]);
        const int low = high < 0 ? -1 : hex_digit(p->text[p->at + 2]);
        if (low < 0) return -1;
        return p->at += 3, high * 16 + low;
    }
    const bool is_word = (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z');
    if (c == 0 || is_word) return -1;
    return p->at++, c;
}

// One byte of an expression or of a class, or a named set: then *byte is -1.
static hd_status parse_byte(parser *p, hd__byte_set *set, int *byte)
{
    const size_t begin = p->at;
    *byte = p->text[p->at++];
    if (*byte == '\\') {
        *byte = -1;
        if (p->text[p->at] != 0 && add_named(set, p->text[p->at])) return p->at++, HD_OK;
        *byte = escaped_byte(p);
        if (*byte < 0)
            return fail_at(p, begin,
                           "expected \\ and one of n r t f v a e 0 d D s S w W, x and two "
                           "hexadecimal digits, or a byte that is no letter and no digit");
    }
    add_range(set, *byte, *byte);
    return HD_OK;
}

static hd_status parse_class_item(parser *p, hd__byte_set *set)
{
    const size_t begin = p->at;
    int low, high;
    hd_status status = parse_byte(p, set, &low);
    if (status != HD_OK || p->text[p->at] != '-' || p->text[p->at + 1] == ']') return status;
    if (p->text[++p->at] == 0) return HD_OK; // the class has no end: said there
    status = parse_byte(p, set, &high);
    if (status != HD_OK) return status;
    if (low < 0 || high < low) return fail_at(p, begin, "expected a range that rises");
    add_range(set, low, high);
    return HD_OK;
}

static hd_status parse_class(parser *p, hd__byte_set *set)
{
    const size_t begin = p->at++;
    const bool inverted = p->text[p->at] == '^';
    p->at += inverted;
    for (bool first = true; first || p->text[p->at] != ']'; first = false) {
        if (p->text[p->at] == 0) return fail_at(p, begin, "expected ] after this [");
        const hd_status status = parse_class_item(p, set);
        if (status != HD_OK) return status;
    }
    p->at++;
    if (inverted) complement(set);
    return HD_OK;
}

// ---- Expressions ----------------------------------------------------------------------------

static hd_status parse_choice(parser *p, fragment *made);

static hd_status parse_group(parser *p, fragment *made)
{
    const size_t begin = p->at++;
    if (++p->depth > DEEPEST) return fail_at(p, begin, "expected at most 100 nested parentheses");
    const hd_status status = parse_choice(p, made);
    if (status != HD_OK) return status;
    if (p->text[p->at] != ')') return fail_at(p, begin, "expected ) after this (");
    p->at++, p->depth--;
    return HD_OK;
}

static hd_status parse_atom(parser *p, fragment *made)
{
    const int c = p->text[p->at];
    hd__byte_set set = {{0}};
    hd_status status = HD_OK;
    int byte;
    if (c == '(') return parse_group(p, made);
    if (c == '*' || c == '+' || c == '?' || c == '{')
        return fail_at(p, p->at, "expected something before it to repeat, or a \\ before it");
    if (c == '[') {
        status = parse_class(p, &set);
    } else if (c == '.') {
        p->at++, add_range(&set, '\n', '\n'), complement(&set);
    } else {
        status = parse_byte(p, &set, &byte);
    }
    if (status == HD_OK) status = append(p, HD__NFA_READS, -1, -1, &made->start);
    if (status != HD_OK) return status;
    p->nfa->node[made->start].set = set;
    made->end = made->start;
    return HD_OK;
}

// A node that leads on, as the end of fragments.
static hd_status append_end(parser *p, int32_t *end)
{
    return append(p, HD__NFA_SPLITS, -1, -1, end);
}

static hd_status nothing(parser *p, fragment *made)
{
    const hd_status status = append_end(p, &made->start);
    made->end = made->start;
    return status;
}

static void join(parser *p, fragment *left, fragment right)
{
    p->nfa->node[left->end].out = right.start;
    left->end = right.end;
}

// x as it is, x? where it may be left out, x* where it may also come again.
static hd_status wrap(parser *p, bool skips, bool loops, fragment *x)
{
    int32_t end = -1, begin = -1;
    hd_status status = append_end(p, &end);
    if (status == HD_OK) status = append(p, HD__NFA_SPLITS, x->start, skips ? end : -1, &begin);
    if (status != HD_OK) return status;
    p->nfa->node[x->end].out = end;
    if (loops) { // from the end back to x, or on
        int32_t last = -1;
        status = append_end(p, &last);
        if (status != HD_OK) return status;
        p->nfa->node[end].out = last;
        p->nfa->node[end].other = x->start;
        if (skips) p->nfa->node[begin].other = last;
        end = last;
    }
    *x = (fragment){begin, end};
    return HD_OK;
}

static int parse_number(parser *p)
{
    int n = -1;
    for (; p->text[p->at] >= '0' && p->text[p->at] <= '9'; p->at++)
        n = (n < 0 ? 0 : n) > MOST_TIMES ? n : (n < 0 ? 0 : n) * 10 + (p->text[p->at] - '0');
    return n;
}

// {3}, {2,5}, {2,}: most is -1 where there is no bound.
static hd_status parse_times(parser *p, int *least, int *most)
{
    const size_t begin = p->at++;
    *least = *most = parse_number(p);
    if (p->text[p->at] == ',') p->at++, *most = parse_number(p);
    const bool bounded = *most >= 0;
    if (p->text[p->at] != '}' || *least < 0 || *least > MOST_TIMES || *most > MOST_TIMES ||
        (bounded && (*most < *least || *most == 0)))
        return fail_at(p, begin, "expected {m}, {m,} or {m,n} of 0 .. 255, not {0}");
    p->at++;
    return HD_OK;
}

// The expression between two positions again, least to most times in all.
static hd_status repeat(parser *p, size_t begin, size_t end, int least, int most, fragment *made)
{
    const size_t after = p->at;
    const int depth = p->depth, copies = most < 0 ? (least > 0 ? least : 1) : most;
    hd_status status = nothing(p, made);
    for (int k = 0; status == HD_OK && k < copies; k++) {
        fragment x = {-1, -1};
        p->at = begin, p->depth = depth;
        status = parse_atom(p, &x);
        if (status != HD_OK) return status;
        if (p->at != end) return fail_at(p, begin, "expected the same again");
        status = wrap(p, k >= least, most < 0 && k == copies - 1, &x);
        if (status == HD_OK) join(p, made, x);
    }
    p->at = after;
    return status;
}

static hd_status parse_repeated(parser *p, fragment *made)
{
    const size_t begin = p->at;
    hd_status status = parse_atom(p, made);
    const size_t end = p->at;
    for (; status == HD_OK;) {
        const int c = p->text[p->at];
        int least, most;
        if (c == '*' || c == '+' || c == '?') {
            p->at++;
            status = wrap(p, c != '+', c != '?', made);
        } else if (c == '{') {
            if (p->at != end)
                return fail_at(p, p->at, "expected parentheses around what is repeated twice");
            status = parse_times(p, &least, &most);
            if (status == HD_OK) status = repeat(p, begin, end, least, most, made);
        } else {
            break;
        }
    }
    return status;
}

static hd_status parse_sequence(parser *p, fragment *made)
{
    hd_status status = nothing(p, made);
    while (status == HD_OK && p->text[p->at] != 0 && p->text[p->at] != '|' &&
           p->text[p->at] != ')') {
        fragment next = {-1, -1};
        status = parse_repeated(p, &next);
        if (status == HD_OK) join(p, made, next);
    }
    return status;
}

static hd_status parse_choice(parser *p, fragment *made)
{
    hd_status status = parse_sequence(p, made);
    while (status == HD_OK && p->text[p->at] == '|') {
        fragment other = {-1, -1};
        int32_t begin = -1, end = -1;
        p->at++;
        status = parse_sequence(p, &other);
        if (status == HD_OK) status = append_end(p, &end);
        if (status == HD_OK) status = append(p, HD__NFA_SPLITS, made->start, other.start, &begin);
        if (status != HD_OK) return status;
        p->nfa->node[made->end].out = p->nfa->node[other.end].out = end;
        *made = (fragment){begin, end};
    }
    return status;
}

hd_status hd__regex_compile(hd__frame *f, hd__nfa *nfa, const hd_lex_rule *rule, int32_t number,
                            int32_t *start)
{
    parser p = {f, nfa, rule, number, (const unsigned char *)rule->pattern, 0, 0};
    fragment all = {-1, -1};
    int32_t end = -1;
    hd_status status = parse_choice(&p, &all);
    if (status == HD_OK && p.text[p.at] != 0)
        status = fail_at(&p, p.at, "expected no ) without its (");
    if (status == HD_OK) status = append(&p, HD__NFA_ACCEPTS, -1, number, &end);
    if (status != HD_OK) return status;
    nfa->node[all.end].out = end;
    *start = all.start;
    return HD_OK;
}
