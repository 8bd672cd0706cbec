// SPDX-License-Identifier: Apache-2.0
// Words of a text: tokens by a table of regular expressions, the names among them sorted as an
// array of strings, and where one of them stands.
#include <heddle_algorithms.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 64 };

static const char text[] = "rate = 1.5 * (price + tax); # net\ntax = price / 20;\n";
static const hd_lex_rule rules[] = {
    {"name", "[a-z_][a-z_0-9]*", false}, {"number", "[0-9]+(\\.[0-9]+)?", false},
    {"sign", "[-+*/=();]", false},       {"blank", "[ \\t\\n]+", true},
    {"comment", "#[^\\n]*", true},       {NULL, NULL, false}};

// The names, one behind the other, as an array of strings.
static int64_t gather_names(const int32_t *kind, const int64_t *begin, const int64_t *length,
                            int64_t tokens, int32_t *offset, uint8_t *bytes)
{
    int64_t names = 0;
    offset[0] = 0;
    for (int64_t j = 0; j < tokens; j++) {
        if (kind[j] != 0) continue;
        memcpy(bytes + offset[names], text + begin[j], (size_t)length[j]);
        offset[names + 1] = offset[names] + (int32_t)length[j];
        names++;
    }
    return names;
}

int main(void)
{
    hd_context *ctx;
    hd_lexer *lexer = NULL;
    int32_t kind[MOST], offset[MOST], sorted_offset[MOST];
    int64_t begin[MOST], length[MOST], tokens = 0, names = 0, found[MOST], count = 0;
    uint8_t bytes[sizeof text], sorted[sizeof text];
    const hd_view characters = hd_view_of(HD_U8, (void *)(uintptr_t)text, sizeof text - 1);
    const hd_view pattern = hd_view_of(HD_U8, (void *)(uintptr_t) "price", 5);

    hd_status status = hd_open(&ctx, NULL);
    if (!status) status = hd_lexer_open(ctx, rules, &lexer, NULL);
    if (!status)
        status = hd_lex(ctx, lexer, characters, HD_VIEW(kind, MOST), HD_VIEW(begin, MOST),
                        HD_VIEW(length, MOST), HD_VIEW(&tokens, 1), NULL);
    if (!status) names = gather_names(kind, begin, length, tokens, offset, bytes);
    if (!status)
        status = hd_strings_sort(ctx, HD_VIEW(offset, names + 1), HD_VIEW(bytes, offset[names]),
                                 HD_VIEW(sorted_offset, names + 1), HD_VIEW(sorted, offset[names]),
                                 NULL);
    if (!status)
        status = hd_strings_find(ctx, characters, pattern, HD_VIEW(found, MOST), HD_VIEW(&count, 1),
                                 NULL);
    if (status) fprintf(stderr, "%s: %s\n", hd_status_name(status), hd_error(ctx));
    if (!status) {
        for (int64_t j = 0; j < 5; j++)
            printf("%-6s %.*s\n", hd_lexer_name(lexer, kind[j]), (int)length[j], text + begin[j]);
        printf("... %d tokens of %d states; names:", (int)tokens, (int)hd_lexer_states(lexer));
        for (int64_t i = 0; i < names; i++)
            printf(" %.*s", (int)(sorted_offset[i + 1] - sorted_offset[i]),
                   (const char *)sorted + sorted_offset[i]);
        printf("\nprice at");
        for (int64_t k = 0; k < count; k++) printf(" %d", (int)found[k]);
        printf("\n");
    }
    hd_lexer_close(ctx, lexer);
    hd_close(ctx);
    return status != HD_OK;
}
