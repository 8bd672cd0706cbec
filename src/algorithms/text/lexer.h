// SPDX-License-Identifier: Apache-2.0
// A compiled lexer: the automaton that hd_lexer_open makes and hd_lex runs.
#ifndef HEDDLE_ALGORITHMS_TEXT_LEXER_H
#define HEDDLE_ALGORITHMS_TEXT_LEXER_H

#include "../support/frame.h"

#include <heddle/algorithms/lex.h>

// State 0 is dead, HD__LEX_START is where a token begins (and no other place), then come those that
// do not accept, then those that do.
enum { HD__LEX_DEAD, HD__LEX_START };

#define HD__LEX_CHAIN_ENDS (UINT32_C(1) << 31)

enum { HD__LEX_MAX_STATES = 4096, HD__LEX_MAX_RULES = 1000 };

struct hd_lexer {
    hd_view memory; // of all this
    int32_t rules, states, first_accepting;
    const uint16_t *next; // the state after state s and byte c is next[s << 8 | c]
    // The same from state to state, each as its row (s << 8), but where a token ends: the row of
    // the state that the next one is in behind its first byte, and HD__LEX_CHAIN_ENDS. 0 where the
    // token has no end there, or no token begins with that byte.
    const uint32_t *chain;
    const uint16_t *rule; // of an accepting state
    const char *const *name;
    const bool *skip;
};

// An automaton on its way: the states of subset construction, 0 dead and 1 the start, over classes
// of bytes; accept is a rule, or -1.
typedef struct hd__dfa {
    int32_t states, classes;
    uint8_t class_of[256];
    int32_t *next;   // states x classes
    int32_t *accept; // of each state
} hd__dfa;

// A nondeterministic one: nodes of Thompson's construction. A node reads a byte of its set and goes
// to out, or goes to out and other at once, or accepts a rule.
typedef enum hd__nfa_kind { HD__NFA_READS, HD__NFA_SPLITS, HD__NFA_ACCEPTS } hd__nfa_kind;

typedef struct hd__byte_set {
    uint64_t word[4];
} hd__byte_set;

typedef struct hd__nfa_node {
    hd__byte_set set;
    int32_t kind, out, other; // other: the rule of one that accepts; -1: none
} hd__nfa_node;

typedef struct hd__nfa {
    hd__nfa_node *node;
    int32_t nodes, room;
} hd__nfa;

// Appends the automaton of a rule's expression; *start is its first node.
hd_status hd__regex_compile(hd__frame *f, hd__nfa *nfa, const hd_lex_rule *rule, int32_t number,
                            int32_t *start);
// Subsets of nodes as states: start is a node that splits to all rules.
hd_status hd__dfa_of_nfa(hd__frame *f, const hd__nfa *nfa, int32_t start, int64_t max_states,
                         hd__dfa *dfa);
// block[s] = the class of equivalent states that s is in; *blocks = how many there are. The start
// is alone in its class.
hd_status hd__dfa_minimise(hd__frame *f, const hd__dfa *dfa, int32_t *block, int32_t *blocks);

#endif
