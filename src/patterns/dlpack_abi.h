// SPDX-License-Identifier: Apache-2.0
//
// The binary interface of DLPack 1.x: the structures of its dlpack.h (Copyright (c) 2017 by
// Contributors, Apache License 2.0), with their names, so that pointers to them are the same.
// Nothing else of it is used.
#ifndef HEDDLE_PATTERNS_DLPACK_ABI_H
#define HEDDLE_PATTERNS_DLPACK_ABI_H

#include <stdint.h>

#define DLPACK_MAJOR 1
#define DLPACK_MINOR 0

#define DLPACK_FLAG_READ_ONLY ((uint64_t)1)

enum { kDLCPU = 1, kDLCUDA = 2, kDLCUDAHost = 3, kDLExtDev = 12, kDLCUDAManaged = 13 };
enum { kDLInt, kDLUInt, kDLFloat, kDLOpaqueHandle, kDLBfloat, kDLComplex, kDLBool };

typedef struct DLPackVersion {
    uint32_t major, minor;
} DLPackVersion;

typedef struct DLDevice {
    int32_t device_type; // an enumeration, of the size of int
    int32_t device_id;
} DLDevice;

typedef struct DLDataType {
    uint8_t code, bits;
    uint16_t lanes;
} DLDataType;

typedef struct DLTensor {
    void *data;
    DLDevice device;
    int32_t ndim;
    DLDataType dtype;
    int64_t *shape;
    int64_t *strides; // in elements; NULL: row-major without gaps
    uint64_t byte_offset;
} DLTensor;

typedef struct DLManagedTensor {
    DLTensor dl_tensor;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensor *self);
} DLManagedTensor;

typedef struct DLManagedTensorVersioned {
    DLPackVersion version;
    void *manager_ctx;
    void (*deleter)(struct DLManagedTensorVersioned *self);
    uint64_t flags;
    DLTensor dl_tensor;
} DLManagedTensorVersioned;

#endif
