// SPDX-License-Identifier: Apache-2.0
// The heap of kernels, malloc and free: one allocation of the device, as large as CUDA makes it,
// that lasts as long as the machine. It is there once a module that may ask for it was loaded.
#ifndef HEDDLE_MODEL_EXEC_HEAP_H
#define HEDDLE_MODEL_EXEC_HEAP_H

#include "memory.h"

#define HEAP_BYTES ((int64_t)8 << 20)

bool hd__model_heap_open(device_memory *memory); // false: no memory
void hd__model_heap_close(device_memory *memory);

// 16-byte aligned; 0: nothing is left, or less than asked for. False: malloc did not give that
// address, or it was given back before. Host threads may call at once.
uint64_t hd__model_heap_take(device_memory *memory, uint64_t bytes);
bool hd__model_heap_give(device_memory *memory, uint64_t address);

#endif
