// SPDX-License-Identifier: Apache-2.0
//
// What an argument of a kernel is to be, as --arg has it:
//
//     [NAME=]TYPE:NUMBER              a value: n=i32:1200
//     [NAME=]TYPE:zeros:COUNT         a buffer; COUNT is 256, 2^20 or 64x64
//                 ones range empty    1; 0, 1, 2, ...; nothing written yet
//                 fill=V random[=M]   V; from 0 below M (1 for floats, 100 else), then [:SEED]
//     [NAME=]TYPE:list:V,V,...        a buffer of these
//     [NAME=]@FILE                    a buffer with the array of a file
//     [NAME=]bytes:HEX                a structure by its bytes
//     [NAME=]same:OTHER               the buffer of another parameter
//     [NAME=]null                     a pointer to nothing
//
// TYPE: may be left out where the kernel's declaration says it.
#ifndef HEDDLE_CLI_MODEL_MODEL_VALUE_H
#define HEDDLE_CLI_MODEL_MODEL_VALUE_H

#include "heddle.h"

typedef enum model_fill {
    MODEL_NUMBER,
    MODEL_ZEROS,
    MODEL_ONES,
    MODEL_RANGE,
    MODEL_EMPTY,
    MODEL_CONSTANT, // fill=V
    MODEL_RANDOM,
    MODEL_LIST,
    MODEL_FILE,
    MODEL_BYTES,
    MODEL_SAME,
    MODEL_NULL
} model_fill;

#define MODEL_NAME_ROOM 64

typedef struct model_value {
    char name[MODEL_NAME_ROOM]; // "": the next parameter
    hd_type type;               // HD_NONE: as the kernel declares it
    model_fill fill;
    int32_t ndim; // of a buffer
    int64_t shape[HD_MAX_DIMS];
    int64_t count;
    const char *text; // of a number, list, file, bytes, or the other's name: part of the argument
    size_t length;
    uint64_t seed;
} model_value;

#define MODEL_VALUE_ERROR 256

// Reads one --arg. false: error says what was expected and what came.
bool model_value_parse(const char *argument, model_value *value, char error[MODEL_VALUE_ERROR]);

// The same of a value alone.
bool model_value_read(const char *text, model_value *value, char error[MODEL_VALUE_ERROR]);

// Whether it is a buffer in device memory with elements of its own (not same: or null).
bool model_value_is_buffer(const model_value *value);

// Makes the elements of a number or a buffer that does not come from a file: value->count (1 for a
// number) of the type at data. false: a number is not of the type.
bool model_value_make(const model_value *value, hd_type type, void *data,
                      char error[MODEL_VALUE_ERROR]);

// The bytes of bytes:HEX: how many (-1: not pairs of hexadecimal digits), put at data if not NULL.
int64_t model_value_bytes(const model_value *value, uint8_t *data);

#endif
