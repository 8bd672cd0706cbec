// SPDX-License-Identifier: Apache-2.0
//
// cuBLAS, on a device: geam transposes matrices of f32 and f64.
#include "bench/peer/peer_transpose.h"
#include "bench/peers/support/on_device.hpp"

#include <cublas_v2.h>

namespace
{

using on_device::arrays;

cublasHandle_t handle;

// Its matrices are by columns: what is (columns, rows) to it is (rows, columns) here.
template <class T> void transpose(const peer_job *job, const arrays &a)
{
    const peer_device *more = static_cast<const peer_device *>(job->more);
    const peer_transpose *m = static_cast<const peer_transpose *>(more->more);
    const int rows = static_cast<int>(m->rows), columns = static_cast<int>(m->columns);
    const T one = 1, none = 0;
    const T *in = static_cast<const T *>(a.in);
    T *out = static_cast<T *>(a.out);
    if constexpr (sizeof(T) == 4)
        cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &one, in, columns, &none, out,
                    rows, out, rows);
    else
        cublasDgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, rows, columns, &one, in, columns, &none, out,
                    rows, out, rows);
}

on_device::call *call_of(const peer_job *job)
{
    if (job->pattern != PEER_TRANSPOSE || job->in == job->out) return nullptr;
    return job->type == PEER_F32   ? transpose<float>
           : job->type == PEER_F64 ? transpose<double>
                                   : nullptr;
}

int32_t open(int32_t threads)
{
    return on_device::open(threads) && cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS;
}

using plain = on_device::plain_peer<call_of>;
const peer self = {PEER_ABI | PEER_ON_DEVICE, "cuBLAS", open,    plain::find,
                   plain::run_timed,          nullptr,  nullptr, nullptr};

} // namespace

extern "C" PEER_EXPORT const peer *heddle_peer(void)
{
    return &self;
}
