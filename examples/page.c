// SPDX-License-Identifier: Apache-2.0
// Page layout: a heading, a justified paragraph and a note on the right, in a unit of one
// character, so that the page can be printed. The library finds the boxes; this program puts words
// where they are.
#include <heddle_algorithms.h>

#include <stdio.h>
#include <string.h>

enum { PAGE, HEADING, TEXT, NOTE, STYLES };
enum { WIDTH = 44, MOST_NODES = 200, MOST_LINES = 40 };

static const hd_layout_style styles[STYLES] = {
    [PAGE] = {.padding = {1, 2, 1, 2}},
    [HEADING] = {.text_align = HD_LAYOUT_CENTER, .margin = {0, 0, 1, 0}},
    [TEXT] = {.text_align = HD_LAYOUT_JUSTIFY, .margin = {0, 0, 1, 0}},
    [NOTE] = {.given = HD_LAYOUT_WIDTH, .percent = 5000, .align = HD_LAYOUT_RIGHT},
};

static hd_layout_node node[MOST_NODES];
static const char *word[MOST_NODES]; // of inline nodes, as long as they are wide
static int64_t count;

static void add_block(int32_t depth, int32_t style)
{
    node[count++] = (hd_layout_node){.depth = depth, .kind = HD_LAYOUT_BLOCK, .style = style};
}

// The words of a text, in a block of that depth, with a space between two.
static void add_words(int32_t depth, const char *text)
{
    for (const char *at = text; *at != 0; count++) {
        const int32_t length = (int32_t)(*at == ' ' ? 1 : strcspn(at, " "));
        node[count] = (hd_layout_node){.depth = depth + 1,
                                       .kind = *at == ' ' ? HD_LAYOUT_SPACE : HD_LAYOUT_INLINE,
                                       .width = length,
                                       .ascent = 1};
        word[count] = at;
        at += length;
    }
}

static void print_page(const hd_layout_box *box)
{
    static char page[MOST_LINES][WIDTH + 1];
    memset(page, ' ', sizeof page);
    for (int64_t k = 0; k < count; k++)
        if (node[k].kind == HD_LAYOUT_INLINE)
            memcpy(&page[box[k].y][box[k].x], word[k], (size_t)node[k].width);
    for (int64_t y = 0; y < box[0].height; y++) printf("|%.*s|\n", WIDTH, page[y]);
}

int main(void)
{
    hd_context *ctx;
    hd_layout_box box[MOST_NODES];
    int64_t lines = 0, steps = 0;
    add_block(0, PAGE);
    add_block(1, HEADING);
    add_words(1, "Page layout");
    add_block(1, TEXT);
    add_words(1, "Widths go down the tree of boxes: each is a function of the one around it, and "
                 "functions compose. Heights go up: they are sums.");
    add_block(1, NOTE);
    add_words(1, "Where a line ends is a search in the sums of widths.");
    if (hd_open(&ctx, NULL) != HD_OK) return 1;
    const hd_status status = hd_layout(ctx, HD_VIEW_OF(HD_TYPE(hd_layout_node), node, count),
                                       HD_VIEW_OF(HD_TYPE(hd_layout_style), styles, STYLES), WIDTH,
                                       HD_VIEW_OF(HD_TYPE(hd_layout_box), box, count),
                                       &(hd_layout_options){.count = HD_REF(HD_VIEW(&lines, 1)),
                                                            .steps = HD_REF(HD_VIEW(&steps, 1))});
    if (status != HD_OK) {
        printf("%s\n", hd_error(ctx));
    } else {
        print_page(box);
        printf("%lld nodes, %lld lines, %lld rounds\n", (long long)count, (long long)lines,
               (long long)steps);
    }
    hd_close(ctx);
    return status != HD_OK;
}
