// SPDX-License-Identifier: Apache-2.0
//
// Arrays of other libraries as views, and views as arrays of theirs, without a copy: DLPack, which
// NumPy, PyTorch, CuPy and JAX speak.
//
//     #include <dlpack/dlpack.h>  // for the structures: this header only names them
//     #include <heddle_dlpack.h>
//
//     hd_view v;
//     hd_view_of_dlpack(ctx, tensor, &v);
//     hd_reduce(ctx, v, HD_SUM, HD_VIEW(&sum, 1), NULL);
//     hd_dlpack_release(tensor);
//
// Tensors of the host (kDLCPU, kDLCUDAHost) become views of the host. Those of a device become
// views of the device, where the context's backend is cuda or auto and the device is the context's
// (kDLCUDA, kDLCUDAManaged); memory of the model machine goes by the name kDLExtDev, in contexts of
// the backend model. Managed memory is the host's where the context has no CUDA device. A tensor
// without axes becomes a view of one element. Structures, implicit views, several lanes and types
// that are not Heddle's are HD_ERROR_TYPE; whatever else does not fit is HD_ERROR_ARGUMENT or
// HD_ERROR_SHAPE, with a text.
#ifndef HEDDLE_DLPACK_H
#define HEDDLE_DLPACK_H

#include "heddle.h"

#ifdef __cplusplus
extern "C" {
#endif

struct DLManagedTensor;          // before version 1.0
struct DLManagedTensorVersioned; // since

// The view of a tensor's elements. It lives as long as the tensor, which the caller still has to
// release.
HD_API HD__CHECKED hd_status hd_view_of_dlpack(hd_context *ctx,
                                               const struct DLManagedTensor *tensor, hd_view *view);

// The same of a tensor of DLPack 1.0 or later: the view is read-only where the tensor is.
HD_API HD__CHECKED hd_status hd_view_of_dlpack_versioned(
    hd_context *ctx, const struct DLManagedTensorVersioned *tensor, hd_view *view);

// Calls the tensor's deleter, if it has one; NULL is allowed.
HD_API void hd_dlpack_release(struct DLManagedTensor *tensor);
HD_API void hd_dlpack_versioned_release(struct DLManagedTensorVersioned *tensor);

// A tensor of a view's elements, for another library, which calls its deleter once; that calls
// done(user) (may be NULL), after which the elements may go. It may be called by any thread, also
// after the context was closed; elements on the device must be there until then. A tensor of DLPack
// 1.0 is read-only where the view is; older ones cannot say so, and such a view is refused.
HD_API HD__CHECKED hd_status hd_dlpack_of_view(hd_context *ctx, hd_view view,
                                               void (*done)(void *user), void *user,
                                               struct DLManagedTensor **tensor);
HD_API HD__CHECKED hd_status hd_dlpack_versioned_of_view(hd_context *ctx, hd_view view,
                                                         void (*done)(void *user), void *user,
                                                         struct DLManagedTensorVersioned **tensor);

#ifdef __cplusplus
}
#endif

#endif
