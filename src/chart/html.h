// SPDX-License-Identifier: Apache-2.0
//
// Pages of HTML in one file: no scripts, nothing from elsewhere, readable in light and dark, on a
// narrow screen and on paper. Texts are escaped here; classes are those of html_style.c.
#ifndef HEDDLE_CHART_HTML_H
#define HEDDLE_CHART_HTML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

void html_begin(FILE *out, const char *title);
void html_end(FILE *out);

// Text with its special characters escaped; bytes that are no UTF-8 become "?".
void html_text(FILE *out, const char *text);
void html_bytes(FILE *out, const char *text, size_t length);

// <TAG class="STYLE">TEXT</TAG>; style may be NULL.
void html_element(FILE *out, const char *tag, const char *style, const char *text);

// A cell of a number with a background as strong as heat says, 0 to 1. The label stands behind it
// where the screen is too narrow for columns.
void html_heat_cell(FILE *out, double heat, const char *label, const char *text);

// A bar, filled by a fraction, with a text beside it.
void html_bar(FILE *out, double fraction, const char *text);

// A row of a bar chart, inside an element of class "bars": label, bar, text. Faint: it does not
// count.
void html_bar_row(FILE *out, const char *label, double fraction, bool faint, const char *text);

// Buttons for steps 0 .. count - 1 of picture `number`, of which one is chosen; the arrow keys move
// among them. Button k is #dNUMBERsK: what stands after it in the same element is styled by it.
void html_steps(FILE *out, int number, int count, int chosen);

// The style sheet, in chunks; NULL at the end.
extern const char *const html_style[];

#endif
