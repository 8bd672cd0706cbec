// SPDX-License-Identifier: Apache-2.0
// The operators and functions of hd_lex's scans. R, of which they speak, has all ones in the code
// of a state that reaches acceptance by some bytes from there on.
#include "lex_functions.h"

// ---- 16 codes in a word ---------------------------------------------------------------------

HD_OPERATOR(forward_16, uint64_t, lex_source, HD_ASSOCIATIVE | HD_EXACT,
            { return lex_compose_16(a, b); })
HD_OPERATOR(backward_16, uint64_t, lex_source, HD_ASSOCIATIVE | HD_EXACT,
            { return lex_compose_16(b, a); })
// R has zeros in all other fields, so it is a mask.
HD_FUNCTION_STATE(advance_16, uint64_t, lex_source,
                  (uint64_t, step, uint64_t, before, uint64_t, behind), lex_accepting, {
                      const uint64_t ends = state->fields & ~behind;
                      const uint64_t to = lex_compose_16(step, 0xfedcba9876543210u & ~ends);
                      return (before & 15) == 15 ? to : to & ~(uint64_t)15;
                  })
HD_FUNCTION_STATE(mark_16, int32_t, lex_source,
                  (uint64_t, step, uint8_t, from, uint8_t, to, uint8_t, before), lex_marks, {
                      if ((to & 15) != 0) return 0;
                      if ((from & 15) == 0 && (before & 15) != 15) return 0x7fff;
                      return state->of[step >> (from & 15) * 4 & 15];
                  })

// ---- 64 codes, a byte each ------------------------------------------------------------------

HD_OPERATOR(forward_64, lex_64, lex_source, HD_ASSOCIATIVE | HD_EXACT,
            { return lex_compose_64(a, b); })
HD_OPERATOR(backward_64, lex_64, lex_source, HD_ASSOCIATIVE | HD_EXACT,
            { return lex_compose_64(b, a); })
HD_FUNCTION_STATE(advance_64, lex_64, lex_source, (lex_64, step, lex_64, before, lex_64, behind),
                  lex_accepting, {
                      for (int q = 0; q < 64; q++) {
                          const int to = step.to[q];
                          if (to >= state->first && to < state->end && behind.to[to] != 63)
                              step.to[q] = 0;
                      }
                      if (before.to[0] != 63) step.to[0] = 0;
                      return step;
                  })
HD_FUNCTION_STATE(mark_64, int32_t, lex_source,
                  (lex_64, step, uint8_t, from, uint8_t, to, uint8_t, before), lex_marks, {
                      if (to != 0) return 0;
                      if (from == 0 && before != 63) return 0x7fff;
                      return state->of[step.to[from]];
                  })

// ---- 256 codes, a byte each -----------------------------------------------------------------

HD_OPERATOR(forward_256, lex_256, lex_source, HD_ASSOCIATIVE | HD_EXACT,
            { return lex_compose_256(a, b); })
HD_OPERATOR(backward_256, lex_256, lex_source, HD_ASSOCIATIVE | HD_EXACT,
            { return lex_compose_256(b, a); })
HD_FUNCTION_STATE(advance_256, lex_256, lex_source,
                  (lex_256, step, lex_256, before, lex_256, behind), lex_accepting, {
                      for (int q = 0; q < 256; q++) {
                          const int to = step.to[q];
                          if (to >= state->first && to < state->end && behind.to[to] != 255)
                              step.to[q] = 0;
                      }
                      if (before.to[0] != 255) step.to[0] = 0;
                      return step;
                  })
HD_FUNCTION_STATE(mark_256, int32_t, lex_source,
                  (lex_256, step, uint8_t, from, uint8_t, to, uint8_t, before), lex_marks, {
                      if (to != 0) return 0;
                      if (from == 0 && before != 255) return 0x7fff;
                      return state->of[step.to[from]];
                  })

const hd__lex_functions hd__lex_functions_of[HD__LEX_FUNCTIONS] = {
    {16, HD_U64, forward_16, backward_16, advance_16, mark_16},
    {64, HD_STRUCT(lex_64), forward_64, backward_64, advance_64, mark_64},
    {256, HD_STRUCT(lex_256), forward_256, backward_256, advance_256, mark_256},
};
