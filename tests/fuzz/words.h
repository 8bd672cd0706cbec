// SPDX-License-Identifier: Apache-2.0
//
// For fuzzers of programs' texts: changes by words and lines. Bytes changed at random are hardly
// ever PTX or C; words and lines put in the place of others often are, and then what comes after
// the parser is tried.
#ifndef HEDDLE_TESTS_FUZZ_WORDS_H
#define HEDDLE_TESTS_FUZZ_WORDS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

typedef struct chunk {
    size_t at, length;
} chunk;

static bool in_word(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '%' || c == '$';
}

// The word, or the line, around a place.
static chunk chunk_at(const uint8_t *data, size_t size, size_t at, bool line)
{
    size_t first = at, end = at;
    while (first > 0 && (line ? data[first - 1] != '\n' : in_word(data[first - 1]))) first--;
    while (end < size && (line ? data[end] != '\n' : in_word(data[end]))) end++;
    if (line && end < size) end++;
    return (chunk){first, end - first};
}

static size_t replace(uint8_t *data, size_t size, size_t most, chunk old, const uint8_t *text,
                      size_t length)
{
    if (size - old.length + length > most) return size;
    memmove(data + old.at + length, data + old.at + old.length, size - old.at - old.length);
    memcpy(data + old.at, text, length);
    return size - old.length + length;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static const char *const numbers[] = {"0",
                                          "1",
                                          "31",
                                          "32",
                                          "-1",
                                          "255",
                                          "4095",
                                          "65536",
                                          "1048576",
                                          "4294967295",
                                          "9223372036854775807"};
    uint8_t copy[400];
    srand(seed);
    if (size < 2 || rand() % 8 == 0) return LLVMFuzzerMutate(data, size, most);
    const bool line = rand() % 3 == 0;
    const chunk to = chunk_at(data, size, (size_t)rand() % size, line);
    const chunk from = chunk_at(data, size, (size_t)rand() % size, line);
    size_t length = from.length < sizeof copy ? from.length : sizeof copy;
    memcpy(copy, data + from.at, length);
    if (!line && rand() % 6 == 0) {
        const char *number = numbers[(size_t)rand() % (sizeof numbers / sizeof *numbers)];
        length = strlen(number);
        memcpy(copy, number, length);
    }
    switch (rand() % 4) {
    case 0: return replace(data, size, most, (chunk){to.at, line ? 0 : to.length}, copy, length);
    case 1: return replace(data, size, most, to, copy, line ? 0 : length);
    default: return replace(data, size, most, to, copy, length);
    }
}

#endif
