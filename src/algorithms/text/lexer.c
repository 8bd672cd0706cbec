// SPDX-License-Identifier: Apache-2.0
// hd_lexer_open: rules to one minimal automaton, in one block of memory.
#include "lexer.h"

#include <stdio.h>
#include <string.h>

enum { MOST_NODES = 8192 };

static hd_status check_rules(hd__frame *f, const hd_lex_rule *rules, int32_t *count)
{
    if (rules == NULL)
        return hd__frame_fail(f, HD_ERROR_ARGUMENT, "rules is NULL; expected a table of rules");
    for (*count = 0; rules[*count].name != NULL; ++*count) {
        if (*count == HD__LEX_MAX_RULES)
            return hd__frame_fail(f, HD_ERROR_VALUE,
                                  "more than %d rules, or no rule of name NULL "
                                  "behind the last",
                                  HD__LEX_MAX_RULES);
        if (rules[*count].pattern == NULL)
            return hd__frame_fail(f, HD_ERROR_ARGUMENT, "rule %d (%s) has no pattern", *count,
                                  rules[*count].name);
    }
    if (*count > 0) return HD_OK;
    return hd__frame_fail(f, HD_ERROR_VALUE, "there is no rule; expected one at least");
}

// All rules' nodes, and one that splits to the first of each: a chain of them.
static hd_status make_nfa(hd__frame *f, const hd_lex_rule *rules, int32_t count, hd__nfa *nfa,
                          int32_t *start)
{
    hd_view nodes;
    int64_t room = MOST_NODES + count;
    hd_status status = hd__frame_row(f, HD_STRUCT(hd__nfa_node), room, &nodes);
    if (status != HD_OK) return status;
    *nfa = (hd__nfa){.node = nodes.data, .room = MOST_NODES};
    *start = -1;
    for (int32_t k = 0; status == HD_OK && k < count; k++) {
        hd__nfa_node split = {.kind = HD__NFA_SPLITS, .other = *start};
        status = hd__regex_compile(f, nfa, &rules[k], k, &split.out);
        *start = nfa->nodes;
        nfa->room++; // the splits have room of their own
        nfa->node[nfa->nodes++] = split;
    }
    return status;
}

// ---- The block ------------------------------------------------------------------------------

typedef struct compiled {
    hd_lexer lexer;
    int32_t *number; // of each state of the automaton as it was made, in the one that is kept
} compiled;

// Numbers of equivalent states: dead, the start, those that do not accept, those that do.
static void number_states(compiled *c, const hd__dfa *dfa, const int32_t *block, int32_t blocks,
                          int32_t *number_of)
{
    int32_t next = 2;
    memset(number_of, -1, (size_t)blocks * sizeof *number_of);
    number_of[block[HD__LEX_DEAD]] = HD__LEX_DEAD;
    number_of[block[HD__LEX_START]] = HD__LEX_START;
    for (int accepts = 0; accepts < 2; accepts++) {
        if (accepts) c->lexer.first_accepting = next;
        for (int32_t s = 0; s < dfa->states; s++)
            if ((dfa->accept[s] >= 0) == accepts && number_of[block[s]] < 0)
                number_of[block[s]] = next++;
    }
    c->lexer.states = next;
    for (int32_t s = 0; s < dfa->states; s++) c->number[s] = number_of[block[s]];
}

static void fill_tables(const compiled *c, const hd__dfa *dfa, uint16_t *next, uint16_t *rule)
{
    for (int32_t s = 0; s < dfa->states; s++) {
        const int32_t to = c->number[s];
        rule[to] = (uint16_t)(dfa->accept[s] >= 0 ? dfa->accept[s] : 0);
        for (int byte = 0; byte < 256; byte++) {
            const int32_t target = dfa->next[s * dfa->classes + dfa->class_of[byte]];
            next[to << 8 | byte] = (uint16_t)c->number[target];
        }
    }
}

static void fill_chain(const hd_lexer *lexer, uint32_t *chain)
{
    const uint16_t *start = lexer->next + (HD__LEX_START << 8);
    for (int32_t s = 0; s < lexer->states; s++)
        for (int byte = 0; byte < 256; byte++) {
            const uint32_t to = lexer->next[s << 8 | byte], next = start[byte];
            const bool ends = to == HD__LEX_DEAD && s >= lexer->first_accepting;
            chain[s << 8 | byte] =
                ends && next != HD__LEX_DEAD ? next << 8 | HD__LEX_CHAIN_ENDS : to << 8;
        }
}

static void copy_names(const hd_lexer *lexer, const hd_lex_rule *rules, const char **name,
                       bool *skip, char *letters)
{
    for (int32_t k = 0; k < lexer->rules; k++) {
        const size_t length = strlen(rules[k].name) + 1;
        memcpy(letters, rules[k].name, length);
        name[k] = letters, skip[k] = rules[k].skip;
        letters += length;
    }
}

static hd_status make_lexer(hd__frame *f, const compiled *c, const hd__dfa *dfa,
                            const hd_lex_rule *rules, hd_lexer **lexer)
{
    const size_t states = (size_t)c->lexer.states, count = (size_t)c->lexer.rules;
    const size_t head = (sizeof(hd_lexer) + 7) / 8 * 8;
    size_t letters = 0;
    for (size_t k = 0; k < count; k++) letters += strlen(rules[k].name) + 1;
    const int64_t bytes = (int64_t)(head + count * sizeof(char *) + states * (256 * (4 + 2) + 2) +
                                    count * sizeof(bool) + letters);
    hd_view memory;
    const hd_status status = hd_alloc(f->ctx, HD_U8, 1, &bytes, &memory);
    if (status != HD_OK) return status;
    char *at = memory.data;
    hd_lexer *made = memory.data;
    const char **name = (const char **)(void *)(at + head);
    uint32_t *chain = (uint32_t *)(void *)(name + count);
    uint16_t *next = (uint16_t *)(chain + states * 256), *rule = next + states * 256;
    bool *skip = (bool *)(rule + states);
    *made = c->lexer;
    made->memory = memory, made->name = name, made->skip = skip;
    made->next = next, made->chain = chain, made->rule = rule;
    fill_tables(c, dfa, next, rule);
    fill_chain(made, chain);
    copy_names(made, rules, name, skip, (char *)(skip + count));
    *lexer = made;
    return HD_OK;
}

static hd_status compile(hd__frame *f, const hd_lex_rule *rules, int64_t max_states,
                         hd_lexer **lexer)
{
    compiled c = {.number = NULL};
    hd__nfa nfa = {0};
    hd__dfa dfa = {0};
    int32_t start = -1, blocks = 0;
    hd_view row[3] = {{0}};
    hd_status status = check_rules(f, rules, &c.lexer.rules);
    if (status == HD_OK) status = make_nfa(f, rules, c.lexer.rules, &nfa, &start);
    if (status == HD_OK) status = hd__dfa_of_nfa(f, &nfa, start, max_states, &dfa);
    if (status != HD_OK) return status;
    if (dfa.accept[HD__LEX_START] >= 0)
        return hd__frame_fail(f, HD_ERROR_VALUE,
                              "rule %d (%s) matches no bytes at all; expected one at least",
                              dfa.accept[HD__LEX_START], rules[dfa.accept[HD__LEX_START]].name);
    for (int k = 0; status == HD_OK && k < 3; k++)
        status = hd__frame_row(f, HD_I32, dfa.states, &row[k]);
    if (status == HD_OK) status = hd__dfa_minimise(f, &dfa, row[0].data, &blocks);
    if (status != HD_OK) return status;
    c.number = row[1].data;
    number_states(&c, &dfa, row[0].data, blocks, row[2].data);
    return make_lexer(f, &c, &dfa, rules, lexer);
}

hd_status hd_lexer_open(hd_context *ctx, const hd_lex_rule *rules, hd_lexer **lexer,
                        const hd_lexer_options *options)
{
    hd__frame f;
    hd_lexer_options o = {0};
    hd_status status = hd__frame_open(&f, ctx, "hd_lexer_open", HD_EMPTY);
    if (lexer != NULL) *lexer = NULL;
    if (status == HD_OK && lexer == NULL)
        status = hd__frame_fail(&f, HD_ERROR_ARGUMENT, "lexer is NULL");
    if (status == HD_OK) status = hd__frame_options(&f, options, sizeof o, &o);
    if (o.max_states == 0) o.max_states = HD__LEX_MAX_STATES;
    if (status == HD_OK && (o.max_states < 2 || o.max_states > HD__LEX_MAX_STATES))
        status = hd__frame_fail(&f, HD_ERROR_ARGUMENT, "max_states is %lld; expected 2 .. %d, or 0",
                                (long long)o.max_states, HD__LEX_MAX_STATES);
    if (status == HD_OK) status = compile(&f, rules, o.max_states, lexer);
    return hd__frame_close(&f, status);
}

void hd_lexer_close(hd_context *ctx, hd_lexer *lexer)
{
    if (ctx == NULL || lexer == NULL) return;
    char text[600]; // that of the last call, which hd_free clears
    hd_view memory = lexer->memory;
    snprintf(text, sizeof text, "%s", hd_error(ctx));
    if (hd_free(ctx, &memory) != HD_OK) return; // another context's: its own frees it
    if (text[0] != 0 && hd_fail(ctx, HD_ERROR_VALUE, text) == HD_OK) return;
}

int64_t hd_lexer_rules(const hd_lexer *lexer)
{
    return lexer != NULL ? lexer->rules : 0;
}

const char *hd_lexer_name(const hd_lexer *lexer, int64_t k)
{
    return k >= 0 && k < hd_lexer_rules(lexer) ? lexer->name[k] : NULL;
}

int64_t hd_lexer_states(const hd_lexer *lexer)
{
    return lexer != NULL ? lexer->states : 0;
}
