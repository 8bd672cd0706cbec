// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as PTX: parsed, loaded, and each kernel run for a bounded number of instructions, with
// one array as every argument. Failures must have words; nothing else may happen.
#include <heddle_model.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARAMETERS = 16, MOST_BYTES = 4096 };

static void run(hd_model *model, const hd_model_module *module, const char *kernel, uint64_t array)
{
    uint64_t values[MOST_BYTES / 8];
    const void *arguments[MOST_PARAMETERS];
    const int32_t count = hd_model_parameters(module, kernel);
    if (count > MOST_PARAMETERS) return;
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) values[k] = array;
    for (int32_t p = 0; p < count; p++) {
        if (hd_model_parameter_bytes(module, kernel, p) > MOST_BYTES) return;
        arguments[p] = values;
    }
    const hd_model_shape shape = {{2}, {40}, 64};
    const hd_status status = hd_model_launch(model, module, kernel, shape, arguments, count, NULL);
    if (status != HD_OK && hd_model_error(model)[0] == 0) abort(); // a failure without words
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hd_model *model;
    hd_model_module *module = NULL;
    uint64_t array;
    const hd_model_options options = {.threads = 1, .most_steps = 20000};
    const hd_model_load_options load = {.name = "fuzz.ptx", .ptx = true};
    setenv("HEDDLE_PTXAS", "none", 1); // no process for every input
    if (hd_model_open(&model, &options) != HD_OK) return 0;
    if (hd_model_alloc(model, 1024, &array) == HD_OK) {
        if (hd_model_load_text(model, (const char *)data, (int64_t)size, &load, &module) == HD_OK) {
            for (int32_t k = 0; k < 4 && hd_model_kernel(module, k) != NULL; k++)
                run(model, module, hd_model_kernel(module, k), array);
        } else if (hd_model_error(model)[0] == 0) {
            abort();
        }
    }
    hd_model_close(model);
    return 0;
}

// ---- Changing it as text ------------------------------------------------------------------------
//
// Bytes changed at random are hardly ever PTX; words and lines put in the place of others often are,
// and then the executor is what is tried.

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

typedef struct piece {
    size_t at, length;
} piece;

static bool in_word(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '%' || c == '$';
}

// The word, or the line, around a place.
static piece piece_at(const uint8_t *data, size_t size, size_t at, bool line)
{
    size_t first = at, end = at;
    while (first > 0 && (line ? data[first - 1] != '\n' : in_word(data[first - 1]))) first--;
    while (end < size && (line ? data[end] != '\n' : in_word(data[end]))) end++;
    if (line && end < size) end++;
    return (piece){first, end - first};
}

static size_t replace(uint8_t *data, size_t size, size_t most, piece old, const uint8_t *text,
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
    const piece to = piece_at(data, size, (size_t)rand() % size, line);
    const piece from = piece_at(data, size, (size_t)rand() % size, line);
    size_t length = from.length < sizeof copy ? from.length : sizeof copy;
    memcpy(copy, data + from.at, length);
    if (!line && rand() % 6 == 0) {
        const char *number = numbers[(size_t)rand() % (sizeof numbers / sizeof *numbers)];
        length = strlen(number);
        memcpy(copy, number, length);
    }
    switch (rand() % 4) {
    case 0: return replace(data, size, most, (piece){to.at, line ? 0 : to.length}, copy, length);
    case 1: return replace(data, size, most, to, copy, line ? 0 : length);
    default: return replace(data, size, most, to, copy, length);
    }
}
