// SPDX-License-Identifier: Apache-2.0
// Views of a device in calls that work in host memory. The context copies, through page-locked
// memory where its device has that.
#include "stage.h"

#include "views.h"

static bool is_on_device(const hd_view *v)
{
    return v->space == HD_DEVICE && v->ndim >= 0 && v->ndim <= HD_MAX_DIMS &&
           hd_type_size(v->type) > 0 && hd_count(*v) >= 0;
}

static hd_status make_copy(hd_mpi *m, const hd_view *v, hd__mpi_use use, hd_view *copy)
{
    if (use != HD__MPI_WRITTEN) return hd__mpi_copy(m, v, v->type, copy);
    const hd_status status = hd__mpi_row(m, v->type, hd_count(*v), copy);
    if (status == HD_OK) *copy = hd_view_nd(v->type, copy->data, v->ndim, v->shape, NULL);
    return status;
}

void hd__mpi_stage_small(hd_mpi *m, hd_view *v, hd__mpi_use use)
{
    if (m->staging != HD_OK || !is_on_device(v)) return;
    if (m->stages == HD__MPI_STAGES) {
        m->staging =
            hd__mpi_fail(m, HD_ERROR_MEMORY, "more than %d views of a device", HD__MPI_STAGES);
        return;
    }
    hd__mpi_staged *s = &m->stage[m->stages];
    s->device = *v;
    s->is_read = use != HD__MPI_WRITTEN;
    s->goes_back = use != HD__MPI_READ && v->read_only == 0;
    m->staging = make_copy(m, v, use, &s->host);
    if (m->staging != HD_OK) return;
    s->host.read_only = v->read_only;
    *v = s->host;
    m->stages++;
}

void hd__mpi_stage(hd_mpi *m, hd_view *v, hd__mpi_use use)
{
    if (m->direct)
        m->there = m->there || is_on_device(v);
    else
        hd__mpi_stage_small(m, v, use);
}

void hd__mpi_stage_small_option(hd_mpi *m, const hd_view **option, hd__mpi_use use)
{
    if (*option == NULL || !is_on_device(*option)) return;
    const int at = m->stages;
    hd_view v = **option;
    hd__mpi_stage_small(m, &v, use);
    if (m->staging == HD_OK) *option = &m->stage[at].host;
}

void hd__mpi_stage_option(hd_mpi *m, const hd_view **option, hd__mpi_use use)
{
    if (!m->direct)
        hd__mpi_stage_small_option(m, option, use);
    else if (*option != NULL)
        m->there = m->there || is_on_device(*option);
}

void hd__mpi_stage_list(hd_mpi *m, hd_views *list, int64_t group)
{
    bool any = false;
    if (list->count < 1 || list->count > HD__MPI_LISTED || list->view == NULL) return;
    for (int64_t k = 0; k < list->count; k++) any = any || is_on_device(&list->view[k]);
    m->there = m->there || (any && m->direct);
    if (!any || m->direct) return;
    for (int64_t k = 0; k < list->count; k++) {
        m->listed[k] = list->view[k];
        hd__mpi_stage(m, &m->listed[k],
                      group > 0 && k % group == group - 1 ? HD__MPI_WRITTEN : HD__MPI_READ);
    }
    list->view = m->listed;
}

// After an error what was read goes back too: a number may say what is missing.
hd_status hd__mpi_unstage(hd_mpi *m, hd_status status)
{
    hd_status sent = HD_OK;
    for (int k = 0; k < m->stages && sent == HD_OK; k++) {
        const hd__mpi_staged *s = &m->stage[k];
        if (s->goes_back && (s->is_read || status == HD_OK))
            sent = hd__mpi_failed(m, hd_map(m->ctx, s->host, NULL, s->device, NULL));
    }
    m->stages = 0;
    return status != HD_OK ? status : sent;
}
