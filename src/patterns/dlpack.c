// SPDX-License-Identifier: Apache-2.0
// Views from DLPack's tensors and tensors from views: heddle_dlpack.h.
#include "heddle_dlpack.h"

#include "dlpack_abi.h"
#include "core/view.h"

#include <stdlib.h>
#include <string.h>

// ---- Types --------------------------------------------------------------------------------------

typedef struct type_row {
    hd_type type;
    uint8_t code, bits;
} type_row;

static const type_row types[] = {
    {HD_I8, kDLInt, 8},       {HD_I16, kDLInt, 16},     {HD_I32, kDLInt, 32},
    {HD_I64, kDLInt, 64},     {HD_U8, kDLUInt, 8},      {HD_U16, kDLUInt, 16},
    {HD_U32, kDLUInt, 32},    {HD_U64, kDLUInt, 64},    {HD_F16, kDLFloat, 16},
    {HD_BF16, kDLBfloat, 16}, {HD_F32, kDLFloat, 32},   {HD_F64, kDLFloat, 64},
    {HD_BOOL, kDLBool, 8},    {HD_C64, kDLComplex, 64}, {HD_C128, kDLComplex, 128},
};
enum { TYPES = sizeof types / sizeof *types };

static hd_status read_type(hd_context *ctx, const char *call, DLDataType from, hd_type *type)
{
    static const char *const codes[] = {"int",    "uint",    "float", "handle",
                                        "bfloat", "complex", "bool"};
    for (int k = 0; k < TYPES; k++)
        if (types[k].code == from.code && types[k].bits == from.bits && from.lanes == 1) {
            *type = types[k].type;
            return HD_OK;
        }
    if (from.code < sizeof codes / sizeof *codes)
        return hd__fail(ctx, HD_ERROR_TYPE,
                        "%s: elements of DLPack's type %s of %d bits with %d lanes; expected one "
                        "of Heddle's thirteen number types, c64 or c128, with 1 lane",
                        call, codes[from.code], (int)from.bits, (int)from.lanes);
    return hd__fail(ctx, HD_ERROR_TYPE, "%s: elements of DLPack's type code %d, %d bits, %d lanes",
                    call, (int)from.code, (int)from.bits, (int)from.lanes);
}

// ---- Memory spaces -----------------------------------------------------------------------------

static hd_status read_space(hd_context *ctx, const char *call, DLDevice device,
                            hd_memory_space *space)
{
    const bool model = ctx->backend == HD_MODEL;
    const bool takes = ctx->backend == HD_CUDA || ctx->backend == HD_AUTO || model;
    *space = HD_HOST;
    if (device.device_type == kDLCPU || device.device_type == kDLCUDAHost) return HD_OK;
    if (device.device_type == kDLCUDAManaged && (!takes || model)) return HD_OK; // the host's, too
    *space = HD_DEVICE;
    const bool cuda = device.device_type == kDLCUDA || device.device_type == kDLCUDAManaged;
    if (!takes || (model ? device.device_type != kDLExtDev : !cuda))
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: a tensor on DLPack's device type %d; the context's backend %s takes "
                        "%s",
                        call, (int)device.device_type, hd_backend_name(ctx->backend),
                        model   ? "those of the host and kDLExtDev (12)"
                        : takes ? "those of the host and of CUDA (1, 2, 3, 13)"
                                : "those of the host (1, 3)");
    if (device.device_id != ctx->device)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: a tensor on device %d; the context's is %d",
                        call, (int)device.device_id, (int)ctx->device);
    return HD_OK;
}

static DLDevice device_of(const hd_context *ctx, const hd_view *v)
{
    if (v->space == HD_HOST) return (DLDevice){kDLCPU, 0};
    return (DLDevice){ctx->backend == HD_MODEL ? kDLExtDev : kDLCUDA, ctx->device};
}

// ---- In -----------------------------------------------------------------------------------------

static hd_status read_tensor(hd_context *ctx, const char *call, const DLTensor *t, hd_view *view)
{
    static const int64_t one = 1;
    hd_type type = HD_NONE;
    hd_memory_space space;
    HD_TRY(read_type(ctx, call, t->dtype, &type));
    HD_TRY(read_space(ctx, call, t->device, &space));
    if (t->ndim < 0 || t->ndim > HD_MAX_DIMS)
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: a tensor of %d dimensions; expected 0 to %d",
                        call, (int)t->ndim, HD_MAX_DIMS);
    if (t->ndim > 0 && t->shape == NULL)
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: a tensor of %d dimensions without a shape", call,
                        (int)t->ndim);
    // Some write strides of a tensor without elements as they like; none are looked at.
    char *data = t->data != NULL ? (char *)t->data + t->byte_offset : NULL;
    hd_view v = t->ndim > 0 ? hd_view_nd(type, data, t->ndim, t->shape, t->strides)
                            : hd_view_nd(type, data, 1, &one, NULL);
    if (space == HD_DEVICE) v = hd_on_device(v, t->device.device_id);
    const int64_t count = hd_count(v);
    if (count < 0)
        return hd__fail(ctx, HD_ERROR_SHAPE,
                        "%s: a length is negative, or there are too many "
                        "elements",
                        call);
    if (count > 0 && data == NULL)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: %lld elements at a null pointer", call,
                        (long long)count);
    if (count > 0 && (uintptr_t)data % hd_type_size(type) != 0)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: elements of type %s at address %p, which is no multiple of their size",
                        call, hd_type_name(type), (void *)data);
    *view = v;
    return HD_OK;
}

hd_status hd_view_of_dlpack(hd_context *ctx, const struct DLManagedTensor *tensor, hd_view *view)
{
    static const char call[] = "hd_view_of_dlpack";
    HD__BEGIN(ctx);
    if (tensor == NULL || view == NULL)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: %s is NULL", call,
                        tensor == NULL ? "tensor" : "view");
    return read_tensor(ctx, call, &tensor->dl_tensor, view);
}

hd_status hd_view_of_dlpack_versioned(hd_context *ctx,
                                      const struct DLManagedTensorVersioned *tensor, hd_view *view)
{
    static const char call[] = "hd_view_of_dlpack_versioned";
    HD__BEGIN(ctx);
    if (tensor == NULL || view == NULL)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: %s is NULL", call,
                        tensor == NULL ? "tensor" : "view");
    // Of another major version only the version and the deleter are where they are here.
    if (tensor->version.major != DLPACK_MAJOR)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: DLPack %u.%u; expected version %d", call,
                        (unsigned)tensor->version.major, (unsigned)tensor->version.minor,
                        DLPACK_MAJOR);
    HD_TRY(read_tensor(ctx, call, &tensor->dl_tensor, view));
    view->read_only = (tensor->flags & DLPACK_FLAG_READ_ONLY) != 0;
    return HD_OK;
}

void hd_dlpack_release(struct DLManagedTensor *tensor)
{
    if (tensor != NULL && tensor->deleter != NULL) tensor->deleter(tensor);
}

void hd_dlpack_versioned_release(struct DLManagedTensorVersioned *tensor)
{
    if (tensor != NULL && tensor->deleter != NULL) tensor->deleter(tensor);
}

// ---- Out ----------------------------------------------------------------------------------------

// A tensor of either kind, with its shape behind it.
typedef struct exported {
    union {
        DLManagedTensor old;
        DLManagedTensorVersioned versioned;
    } tensor;
    int64_t shape[HD_MAX_DIMS], strides[HD_MAX_DIMS];
    void (*done)(void *user);
    void *user;
} exported;

static void drop(exported *e)
{
    if (e->done != NULL) e->done(e->user);
    free(e);
}

static void drop_old(DLManagedTensor *t)
{
    drop(t->manager_ctx);
}

static void drop_versioned(DLManagedTensorVersioned *t)
{
    drop(t->manager_ctx);
}

// The consumer may free it from any thread at any time: it is malloc's, not the context's.
static hd_status write_tensor(hd_context *ctx, const char *call, const hd_view *v, exported **made,
                              DLTensor *t)
{
    *made = NULL;
    if (v->space == HD_INDEXED)
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: DLPack has no indexed views", call);
    if (v->space == HD_IMPLICIT)
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: an implicit view has no elements in memory", call);
    int row = 0;
    while (row < TYPES && types[row].type != v->type) row++;
    if (row == TYPES)
        return hd__fail(ctx, HD_ERROR_TYPE, "%s: DLPack has no type for elements of type %s", call,
                        hd_type_name(v->type));
    const int64_t count = hd_count(*v);
    if (count < 0 || (count > 0 && v->data == NULL))
        return hd__fail(ctx, HD_ERROR_SHAPE, "%s: the view has no valid shape, or no elements",
                        call);
    exported *e = calloc(1, sizeof *e);
    if (e == NULL) return hd__fail(ctx, HD_ERROR_MEMORY, "%s: no memory for a tensor", call);
    memcpy(e->shape, v->shape, (size_t)v->ndim * sizeof *e->shape);
    memcpy(e->strides, v->stride, (size_t)v->ndim * sizeof *e->strides);
    *t = (DLTensor){.data = v->data,
                    .device = device_of(ctx, v),
                    .ndim = v->ndim,
                    .dtype = {types[row].code, types[row].bits, 1},
                    .shape = e->shape,
                    .strides = e->strides};
    *made = e;
    return HD_OK;
}

hd_status hd_dlpack_of_view(hd_context *ctx, hd_view view, void (*done)(void *user), void *user,
                            struct DLManagedTensor **tensor)
{
    static const char call[] = "hd_dlpack_of_view";
    exported *e;
    DLTensor t;
    HD__BEGIN(ctx);
    if (tensor == NULL) return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: tensor is NULL", call);
    if (view.read_only != 0)
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: the view is read-only, which only tensors of DLPack 1.0 can say",
                        call);
    HD_TRY(write_tensor(ctx, call, &view, &e, &t));
    e->done = done, e->user = user;
    e->tensor.old = (DLManagedTensor){.dl_tensor = t, .manager_ctx = e, .deleter = drop_old};
    *tensor = &e->tensor.old;
    return HD_OK;
}

hd_status hd_dlpack_versioned_of_view(hd_context *ctx, hd_view view, void (*done)(void *user),
                                      void *user, struct DLManagedTensorVersioned **tensor)
{
    static const char call[] = "hd_dlpack_versioned_of_view";
    exported *e;
    DLTensor t;
    HD__BEGIN(ctx);
    if (tensor == NULL) return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: tensor is NULL", call);
    HD_TRY(write_tensor(ctx, call, &view, &e, &t));
    e->done = done, e->user = user;
    e->tensor.versioned =
        (DLManagedTensorVersioned){.version = {DLPACK_MAJOR, DLPACK_MINOR},
                                   .manager_ctx = e,
                                   .deleter = drop_versioned,
                                   .flags = view.read_only ? DLPACK_FLAG_READ_ONLY : 0,
                                   .dl_tensor = t};
    *tensor = &e->tensor.versioned;
    return HD_OK;
}
