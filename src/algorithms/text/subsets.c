// SPDX-License-Identifier: Apache-2.0
// Sets of an automaton's nodes as the states of a deterministic one (M. O. Rabin and D. Scott,
// "Finite automata and their decision problems", 1959), over classes of bytes that no set of any
// node tells apart.
#include <string.h>

#include "lexer.h"

typedef struct subsets {
    hd__frame *f;
    const hd__nfa *nfa;
    hd__dfa *dfa;
    int64_t max_states, words; // of a set
    uint64_t *set;             // of each state
    uint64_t *reached;
    int32_t *stack, *table; // sets by their hash: a state, or 0
    int32_t table_size;
    uint8_t byte_of[256]; // one of each class
} subsets;

static bool has_byte(const hd__byte_set *set, int c)
{
    return set->word[c >> 6] >> (c & 63) & 1;
}

static void find_classes(subsets *s)
{
    hd__dfa *dfa = s->dfa;
    int16_t to[256][2];
    dfa->classes = 1;
    memset(dfa->class_of, 0, sizeof dfa->class_of);
    for (int32_t k = 0; k < s->nfa->nodes && dfa->classes < 256; k++) {
        const hd__nfa_node *node = &s->nfa->node[k];
        if (node->kind != HD__NFA_READS) continue;
        int32_t classes = 0;
        memset(to, -1, sizeof to);
        for (int c = 0; c < 256; c++) {
            int16_t *now = &to[dfa->class_of[c]][has_byte(&node->set, c)];
            if (*now < 0) *now = (int16_t)classes++;
            dfa->class_of[c] = (uint8_t)*now;
        }
        dfa->classes = classes;
    }
    for (int c = 255; c >= 0; c--) s->byte_of[dfa->class_of[c]] = (uint8_t)c;
}

// Adds a node, and all that it leads to without reading. Only nodes that read or accept are kept.
static void reach(subsets *s, uint64_t *visited, int32_t node)
{
    int32_t top = 0;
    s->stack[top++] = node;
    while (top > 0) {
        const int32_t k = s->stack[--top];
        if (k < 0 || (visited[k >> 6] >> (k & 63) & 1)) continue;
        visited[k >> 6] |= UINT64_C(1) << (k & 63);
        if (s->nfa->node[k].kind != HD__NFA_SPLITS) continue;
        s->stack[top++] = s->nfa->node[k].out;
        s->stack[top++] = s->nfa->node[k].other;
    }
}

static int32_t rule_of(const subsets *s, const uint64_t *set)
{
    int32_t rule = -1;
    for (int32_t k = 0; k < s->nfa->nodes; k++) {
        const hd__nfa_node *node = &s->nfa->node[k];
        if (!(set[k >> 6] >> (k & 63) & 1)) continue;
        if (node->kind == HD__NFA_ACCEPTS && (rule < 0 || node->other < rule)) rule = node->other;
    }
    return rule;
}

static hd_status add_state(subsets *s, const uint64_t *set, int32_t *state)
{
    if (s->dfa->states == s->max_states)
        return hd__frame_fail(s->f, HD_ERROR_VALUE,
                              "the rules need more than %lld states of a deterministic automaton",
                              (long long)s->max_states);
    *state = s->dfa->states++;
    memcpy(s->set + *state * s->words, set, (size_t)s->words * 8);
    s->dfa->accept[*state] = rule_of(s, set);
    return HD_OK;
}

static hd_status find_state(subsets *s, const uint64_t *set, int32_t *state)
{
    uint64_t hash = 0;
    for (int64_t k = 0; k < s->words; k++)
        hash = (hash ^ set[k]) * UINT64_C(0x9e3779b97f4a7c15), hash ^= hash >> 29;
    int32_t at = (int32_t)(hash & (uint64_t)(s->table_size - 1));
    for (; s->table[at] != 0; at = (at + 1) & (s->table_size - 1))
        if (memcmp(s->set + s->table[at] * s->words, set, (size_t)s->words * 8) == 0) {
            *state = s->table[at];
            return HD_OK;
        }
    const hd_status status = add_state(s, set, state);
    if (status == HD_OK) s->table[at] = *state;
    return status;
}

static hd_status follow(subsets *s, int32_t state, int32_t class)
{
    const uint64_t *from = s->set + state * s->words;
    int32_t *to = &s->dfa->next[state * s->dfa->classes + class];
    uint64_t any = 0;
    memset(s->reached, 0, (size_t)s->words * 8);
    for (int64_t w = 0; w < s->words; w++)
        for (uint64_t left = from[w]; left != 0; left &= left - 1) {
            const hd__nfa_node *node = &s->nfa->node[w * 64 + __builtin_ctzll(left)];
            if (node->kind == HD__NFA_READS && has_byte(&node->set, s->byte_of[class]))
                reach(s, s->reached, node->out), any = 1;
        }
    *to = HD__LEX_DEAD;
    return any ? find_state(s, s->reached, to) : HD_OK;
}

static hd_status allocate(subsets *s)
{
    const int64_t states = s->max_states, nodes = s->nfa->nodes;
    hd_view row[6];
    s->words = (nodes + 63) / 64;
    for (s->table_size = 16; s->table_size < 2 * states;) s->table_size *= 2;
    hd_status status = hd__frame_row(s->f, HD_U64, states * s->words, &row[0]);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_U64, s->words, &row[1]);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_I32, 2 * nodes + 2, &row[2]);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_I32, s->table_size, &row[3]);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_I32, states * s->dfa->classes, &row[4]);
    if (status == HD_OK) status = hd__frame_row(s->f, HD_I32, states, &row[5]);
    if (status != HD_OK) return status;
    s->set = row[0].data, s->reached = row[1].data, s->stack = row[2].data;
    s->table = row[3].data, s->dfa->next = row[4].data, s->dfa->accept = row[5].data;
    memset(s->table, 0, (size_t)s->table_size * sizeof *s->table);
    return HD_OK;
}

hd_status hd__dfa_of_nfa(hd__frame *f, const hd__nfa *nfa, int32_t start, int64_t max_states,
                         hd__dfa *dfa)
{
    subsets s = {.f = f, .nfa = nfa, .dfa = dfa, .max_states = max_states};
    int32_t state;
    find_classes(&s);
    hd_status status = allocate(&s);
    if (status != HD_OK) return status;
    dfa->states = 0;
    memset(s.reached, 0, (size_t)s.words * 8);
    status = add_state(&s, s.reached, &state); // dead
    // The start is in no table: a state with the same nodes that a token comes back to is another.
    reach(&s, s.reached, start);
    if (status == HD_OK) status = add_state(&s, s.reached, &state);
    for (int32_t from = 0; status == HD_OK && from < dfa->states; from++)
        for (int32_t class = 0; status == HD_OK && class < dfa->classes; class ++)
            status = follow(&s, from, class);
    return status;
}
