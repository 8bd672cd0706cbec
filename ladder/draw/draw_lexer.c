// SPDX-License-Identifier: Apache-2.0
//
// Lexical analysis by two scans over functions of states, step by step: the automaton is compiled
// by hd_lexer_open, the functions and the order of the scans are those of
// src/algorithms/text/lex_scan.c.
#include <string.h>

#include <heddle_algorithms.h>

#include "grid_cells.h"
#include "program.h"

enum { LETTERS = 12, CODES = 10 };
enum { BYTE, BACK, GOES_ON, FRONT, STATE, TOKEN };

static const hd_lex_rule rules[] = {{"word", "[a-z]+", false},
                                    {"number", "[0-9]+(\\.[0-9]+)?", false},
                                    {"point", "\\.", false},
                                    {"blank", " +", false},
                                    {NULL, NULL, false}};

// What leads to each state, and how it is called. The point behind a number is no token yet.
static const struct {
    const char *text;
    char letter;
} names[] = {{"", 's'}, {"a", 'w'}, {"0", 'n'}, {"0.", 'd'}, {"0.0", 'f'}, {".", 'p'}, {" ", 'b'}};

enum { STATES = sizeof names / sizeof *names };

// A function of states: where each of the STATES goes, to one of them, to DEAD or to ACCEPTED.
enum { DEAD = STATES, ACCEPTED };
typedef struct function {
    uint8_t to[STATES];
} function;

typedef struct lexing {
    const hd_lexer *lexer;
    int32_t state[STATES]; // of each code
    int32_t n, compositions;
    unsigned char text[LETTERS];
    function back[LETTERS + 1], front[LETTERS];
} lexing;

static int code_of(const lexing *x, int32_t state)
{
    for (int code = 0; code < STATES; code++)
        if (x->state[code] == state) return code;
    return DEAD;
}

static bool accepts(const lexing *x, int code)
{
    return code < STATES && x->state[code] >= x->lexer->first_accepting;
}

// The codes are all live states of the automaton, each once.
static bool name_states(lexing *x)
{
    for (int code = 0; code < STATES; code++) {
        int32_t state = HD__LEX_START;
        for (const char *at = names[code].text; *at != 0; at++)
            state = x->lexer->next[state << 8 | (unsigned char)*at];
        x->state[code] = state;
        if (state == HD__LEX_DEAD || code_of(x, state) != code) return false;
    }
    return x->lexer->states == STATES + 1;
}

static int step_of(const lexing *x, int code, int32_t at)
{
    return code_of(x, x->lexer->next[x->state[code] << 8 | x->text[at]]);
}

static void letters_of(const function *f, char *letters)
{
    for (int code = 0; code < STATES; code++)
        letters[code] = f->to[code] == DEAD       ? '-'
                        : f->to[code] == ACCEPTED ? '!'
                                                  : names[f->to[code]].letter;
    letters[STATES] = 0;
}

static void put_functions(grid_step *s, int32_t row, const function *f, const bool *active,
                          int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        char letters[STATES + 1];
        letters_of(&f[i], letters);
        grid_letters(s, row, i, active[i] ? 1 : GRID_PLAIN, letters);
    }
}

// The states that reach acceptance by the bytes from each place on.
static void put_reach(grid_step *s, const lexing *x)
{
    for (int32_t i = 0; i < x->n; i++) {
        char letters[STATES + 1];
        int count = 0;
        for (int code = 0; code < STATES; code++)
            if (x->back[i].to[code] == ACCEPTED) letters[count++] = names[code].letter;
        letters[count] = 0;
        grid_letters(s, GOES_ON, i, 1, count > 0 ? letters : "none");
    }
}

static function compose(function first, function second)
{
    for (int code = 0; code < STATES; code++)
        if (first.to[code] < STATES) first.to[code] = second.to[first.to[code]];
    return first;
}

// Kogge and Stone's scan of a row of functions, from the front, or from the back.
static void scan(grid_drawing *g, lexing *x, function *f, bool backward)
{
    for (int32_t stride = 1; stride < x->n; stride *= 2) {
        function before[LETTERS];
        bool active[LETTERS];
        memcpy(before, f, sizeof before[0] * (size_t)x->n);
        for (int32_t i = 0; i < x->n; i++) {
            active[i] = backward ? i + stride < x->n : i >= stride;
            if (!active[i]) continue;
            f[i] = backward ? compose(before[i], before[i + stride])
                            : compose(before[i - stride], before[i]);
            x->compositions++;
        }
        grid_step *s = grid_next(g, true);
        put_functions(s, backward ? BACK : FRONT, f, active, x->n);
        grid_caption(s, "step %d, from the %s: functions of up to %d bytes, %d at once",
                     (int)g->steps - (backward ? 1 : 2), backward ? "back" : "front",
                     (int)(2 * stride), (int)(x->n - stride));
    }
}

// From each state by each byte: to acceptance, which stays, or on.
static void begin_back(grid_drawing *g, lexing *x)
{
    const bool active[LETTERS] = {false};
    grid_step *s = grid_next(g, false);
    for (int32_t i = 0; i < x->n; i++) {
        const char letter[2] = {(char)x->text[i], 0};
        for (int code = 0; code < STATES; code++) {
            const int to = step_of(x, code, i);
            x->back[i].to[code] = (uint8_t)(accepts(x, to) ? ACCEPTED : to);
        }
        grid_letters(s, BYTE, i, GRID_PLAIN, letter[0] == ' ' ? "_" : letter);
    }
    memset(x->back[x->n].to, DEAD, sizeof x->back[x->n].to); // nothing follows
    put_functions(s, BACK, x->back, active, x->n);
    grid_caption(s, "each byte leads states s w n d f p b to these; - dead, ! a token can end");
}

// From each state by each byte: to s, where a token ends, or on.
static void begin_front(grid_drawing *g, lexing *x)
{
    const bool active[LETTERS] = {false};
    grid_step *s = grid_next(g, true);
    grid_clear_row(s, BACK);
    put_reach(s, x);
    for (int32_t i = 0; i < x->n; i++)
        for (int code = 0; code < STATES; code++) {
            const int to = step_of(x, code, i);
            const bool ends = accepts(x, to) && x->back[i + 1].to[to] != ACCEPTED;
            x->front[i].to[code] = (uint8_t)(ends ? 0 : to);
        }
    put_functions(s, FRONT, x->front, active, x->n);
    grid_caption(s, "a token ends where a state accepts and cannot go on: the step leads to s");
}

// The state behind each byte; at s a token ends, and the rule of the state that it ended in is its
// own.
static void put_tokens(grid_drawing *g, const lexing *x)
{
    grid_step *s = grid_next(g, true);
    int32_t first = 0, tokens = 0;
    grid_clear_row(s, FRONT);
    for (int32_t i = 0; i < x->n; i++) {
        const int state = x->front[i].to[0], before = i > 0 ? x->front[i - 1].to[0] : 0;
        const char letter[2] = {state == DEAD ? '-' : names[state].letter, 0};
        grid_letters(s, STATE, i, state == 0 ? 0 : GRID_PLAIN, letter);
        if (state != 0) continue;
        const int32_t last = x->lexer->next[x->state[before] << 8 | x->text[i]];
        grid_letters(s, TOKEN, first, 0, hd_lexer_name(x->lexer, x->lexer->rule[last]));
        first = i + 1, tokens++;
    }
    grid_caption(s, "the state behind each byte; %d tokens end at s", (int)tokens);
}

static bool draw(grid_drawing *g, lexing *x)
{
    static const char *const rows[] = {"byte",           "from the back", "goes on",
                                       "from the front", "state",         "token"};
    if (!name_states(x)) return false;
    grid_table(g, rows, 6, "byte", x->n);
    begin_back(g, x);
    scan(g, x, x->back, true);
    begin_front(g, x);
    scan(g, x, x->front, false);
    put_tokens(g, x);
    grid_sum(g, "%d bytes: %d compositions of functions of %d states, %d steps from each end",
             (int)x->n, (int)x->compositions, STATES, (int)grid_levels(x->n));
    return true;
}

bool grid_draw_lexer(grid_drawing *g, const char *text)
{
    lexing x = {.n = (int32_t)strnlen(text, LETTERS + 1)};
    hd_context *ctx = NULL;
    hd_lexer *lexer = NULL;
    if (x.n < 1 || x.n > LETTERS) return false;
    for (int32_t i = 0; i < x.n; i++) {
        const char c = text[i];
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == ' '))
            return false;
        x.text[i] = (unsigned char)c;
    }
    bool drawn = hd_open(&ctx, &(hd_context_options){.backend = HD_SERIAL}) == HD_OK &&
                 hd_lexer_open(ctx, rules, &lexer, NULL) == HD_OK;
    x.lexer = lexer;
    drawn = drawn && draw(g, &x);
    hd_lexer_close(ctx, lexer);
    hd_close(ctx);
    return drawn;
}
