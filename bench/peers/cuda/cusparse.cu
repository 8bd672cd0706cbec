// SPDX-License-Identifier: Apache-2.0
//
// cuSPARSE, on a device: CSR times a vector, as it is best (descriptors, scratch and what it learns
// of a matrix are made once), and one tridiagonal system by gtsv2_nopivot, whose right side is
// copied first, as it is lost.
#include "bench/peer/peer_algorithm.h"
#include "bench/peers/support/on_device.hpp"

#include <climits>
#include <cusparse.h>
#include <map>

namespace
{

using on_device::arrays;

cusparseHandle_t handle;

// What a product needs besides its arrays, which are those of a copy.
struct product {
    cusparseSpMatDescr_t matrix;
    cusparseDnVecDescr_t x, y;
    void *room;
};
std::map<const void *, product> products; // by the values of the matrix

const peer_algorithm *algorithm_of(const peer_job *job, const char *work)
{
    const peer_device *more = static_cast<const peer_device *>(job->more);
    const peer_algorithm *a = static_cast<const peer_algorithm *>(more->more);
    return job->pattern == PEER_ALGORITHM && !strcmp(a->work, work) ? a : nullptr;
}

template <class T> constexpr cudaDataType type_of = sizeof(T) == 4 ? CUDA_R_32F : CUDA_R_64F;

template <class T> product prepare(const peer_job *job, const arrays &a)
{
    const int64_t rows = algorithm_of(job, "spmv-csr")->out_n;
    const T one = 1, none = 0;
    product p = {};
    size_t bytes = 0;
    void *offset = const_cast<void *>(a.input[0]), *column = const_cast<void *>(a.input[1]);
    void *value = const_cast<void *>(a.input[2]), *x = const_cast<void *>(a.input[3]);
    cusparseCreateCsr(&p.matrix, rows, rows, a.n, offset, column, value, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type_of<T>);
    cusparseCreateDnVec(&p.x, rows, x, type_of<T>);
    cusparseCreateDnVec(&p.y, rows, a.out, type_of<T>);
    cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, p.matrix, p.x, &none,
                            p.y, type_of<T>, CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
    if (bytes > 0 && cudaMalloc(&p.room, bytes) != cudaSuccess) p.room = nullptr;
    cusparseSpMV_preprocess(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, p.matrix, p.x, &none,
                            p.y, type_of<T>, CUSPARSE_SPMV_ALG_DEFAULT, p.room);
    return p;
}

template <class T> void multiply(const peer_job *job, const arrays &a)
{
    const T one = 1, none = 0;
    auto found = products.find(a.input[2]);
    if (found == products.end()) found = products.emplace(a.input[2], prepare<T>(job, a)).first;
    const product &p = found->second;
    cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, p.matrix, p.x, &none, p.y,
                 type_of<T>, CUSPARSE_SPMV_ALG_DEFAULT, p.room);
}

template <class T> void solve(const peer_job *, const arrays &a)
{
    const int n = static_cast<int>(a.n);
    const T *lower = static_cast<const T *>(a.input[0]),
            *upper = static_cast<const T *>(a.input[2]);
    const T *diagonal = static_cast<const T *>(a.input[1]);
    T *x = static_cast<T *>(a.out);
    cudaMemcpyAsync(x, a.input[3], a.n * sizeof(T), cudaMemcpyDeviceToDevice);
    size_t bytes = 0;
    if constexpr (sizeof(T) == 4)
        cusparseSgtsv2_nopivot_bufferSizeExt(handle, n, 1, lower, diagonal, upper, x, n, &bytes);
    else
        cusparseDgtsv2_nopivot_bufferSizeExt(handle, n, 1, lower, diagonal, upper, x, n, &bytes);
    on_device::with_scratch([&](void *room, size_t &wish) {
        wish = bytes + 1;
        if (!room) return;
        if constexpr (sizeof(T) == 4)
            cusparseSgtsv2_nopivot(handle, n, 1, lower, diagonal, upper, x, n, room);
        else
            cusparseDgtsv2_nopivot(handle, n, 1, lower, diagonal, upper, x, n, room);
    });
}

on_device::call *call_of(const peer_job *job)
{
    if (job->type != PEER_F32 && job->type != PEER_F64) return nullptr;
    const bool narrow = job->type == PEER_F32;
    if (algorithm_of(job, "spmv-csr")) return narrow ? multiply<float> : multiply<double>;
    const peer_algorithm *a = algorithm_of(job, "tridiagonal");
    if (!a || job->n > INT_MAX || *static_cast<const int64_t *>(a->array[4].data) != job->n)
        return nullptr;
    return narrow ? solve<float> : solve<double>;
}

int32_t open(int32_t threads)
{
    return on_device::open(threads) && cusparseCreate(&handle) == CUSPARSE_STATUS_SUCCESS;
}

// The next row's matrices may lie where these did.
void end(const peer_job *)
{
    for (auto &at : products) {
        cusparseDestroySpMat(at.second.matrix);
        cusparseDestroyDnVec(at.second.x), cusparseDestroyDnVec(at.second.y);
        cudaFree(at.second.room);
    }
    products.clear();
}

using plain = on_device::plain_peer<call_of>;
const peer self = {PEER_ABI | PEER_ON_DEVICE, "cuSPARSE", open, plain::find,
                   plain::run_timed,          nullptr,    end,  nullptr};

} // namespace

extern "C" PEER_EXPORT const peer *heddle_peer(void)
{
    return &self;
}
