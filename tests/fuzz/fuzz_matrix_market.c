// SPDX-License-Identifier: Apache-2.0
//
// Any bytes as a Matrix Market file: what is refused has words; in what is taken every entry is
// inside of the matrix.
#include "decode.h"
#include "io/tables/matrix_market.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    io_matrix m;
    io_error error = {.text = ""};
    io_limit_set(FUZZ_MAX_BYTES);
    if (io_matrix_load_memory(&m, "fuzz", data, size, &error) != IO_OK) {
        if (error.text[0] == '\0' || m.row != NULL || m.count != 0) abort();
        return 0;
    }
    if (m.count < 0 || m.count > (int64_t)size || m.rows < 0 || m.columns < 0) abort();
    for (int64_t k = 0; k < m.count; k++) {
        if (m.row[k] < 0 || m.row[k] >= m.rows) abort();
        if (m.column[k] < 0 || m.column[k] >= m.columns) abort();
        if (m.integers && m.value != NULL && m.value[k] != (double)(int64_t)m.value[k]) abort();
    }
    io_matrix_release(&m);
    return 0;
}
