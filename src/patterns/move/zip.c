// SPDX-License-Identifier: Apache-2.0
// hd_zip and hd_unzip: check their arguments; one job serves both directions.
#include "transpose.h"
#include "core/arguments.h"

#include <stdio.h>

HD__BRINGS(zip)
HD__BRINGS_PASS(zip)

typedef struct question {
    const char *call;
    hd_view structures;
    hd_views fields;
    bool unzips;
    const int64_t *offsets; // of the options
} question;

// Field k of the job, against the structures and the fields before it.
static hd_status check_field(hd_context *ctx, const question *q, int k, const hd__zip_job *job)
{
    const hd_view *v = &job->field[k], *s = &q->structures;
    HD_TRY(q->unzips ? hd__check_output_as(ctx, v, "%s: field %d", q->call, k)
                     : hd__check_input_as(ctx, v, "%s: field %d", q->call, k));
    if (!hd__same_shape(v, s)) {
        char name[32];
        snprintf(name, sizeof name, "field %d", k);
        return hd__check_shape_of(ctx, q->call, name, v, "the structures", s);
    }
    if (hd__overlaps(v, s) != HD__APART)
        return hd__fail(ctx, HD_ERROR_ALIAS, "%s: field %d overlaps the structures", q->call, k);
    for (int j = 0; q->unzips && j < k; j++)
        if (hd__overlaps(v, &job->field[j]) != HD__APART)
            return hd__fail(ctx, HD_ERROR_ALIAS, "%s: field %d overlaps field %d", q->call, k, j);
    return HD_OK;
}

// The offset of field k: as told, or after the field before it, as C aligns numbers.
static hd_status place_field(hd_context *ctx, const question *q, int k, hd__zip_job *job)
{
    const int64_t size = (int64_t)hd__size_of(job->field[k].type);
    const int64_t whole = (int64_t)hd__size_of(q->structures.type);
    const int64_t *offsets = q->offsets;
    if (offsets == NULL && !hd__is_number(job->field[k].type))
        return hd__fail(ctx, HD_ERROR_ARGUMENT,
                        "%s: field %d is a %s, whose alignment is not known; expected .offsets",
                        q->call, k, hd_type_name(job->field[k].type));
    const int64_t after =
        k == 0 ? 0 : job->offset[k - 1] + (int64_t)hd__size_of(job->field[k - 1].type);
    job->offset[k] = offsets != NULL ? offsets[k] : (after + size - 1) / size * size;
    if (job->offset[k] < 0 || job->offset[k] > whole - size)
        return hd__fail(
            ctx, HD_ERROR_ARGUMENT,
            "%s: field %d of %lld bytes at offset %lld does not fit into a structure of "
            "%lld bytes",
            q->call, k, (long long)size, (long long)job->offset[k], (long long)whole);
    for (int j = 0; !q->unzips && j < k; j++)
        if (job->offset[j] < job->offset[k] + size &&
            job->offset[k] < job->offset[j] + (int64_t)hd__size_of(job->field[j].type))
            return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: fields %d and %d overlap in the structure",
                            q->call, j, k);
    return HD_OK;
}

static hd_status check(hd_context *ctx, const question *q, hd__zip_job *job)
{
    HD_TRY(q->unzips ? hd__check_input_as(ctx, &q->structures, "%s: structures", q->call)
                     : hd__check_output_as(ctx, &q->structures, "%s: structures", q->call));
    if (q->fields.count < 1 || q->fields.count > HD_MAX_FIELDS || q->fields.view == NULL)
        return hd__fail(ctx, HD_ERROR_ARGUMENT, "%s: %lld fields; expected 1 to %d", q->call,
                        (long long)q->fields.count, HD_MAX_FIELDS);
    job->structures = q->structures;
    job->fields = (int32_t)q->fields.count;
    job->unzips = q->unzips;
    for (int k = 0; k < job->fields; k++) {
        job->field[k] = q->fields.view[k];
        hd__at_least_1d(&job->field[k]);
        HD_TRY(check_field(ctx, q, k, job));
        HD_TRY(place_field(ctx, q, k, job));
    }
    return HD_OK;
}

static hd_status run(hd_context *ctx, question *q, const hd_zip_options *options)
{
    hd__zip_job job;
    HD__BEGIN_ANYWHERE(ctx);
    hd_zip_options o[1];
    HD_TRY(HD__TAKE_OPTIONS(ctx, q->call, hd_zip_options, options, o));
    q->offsets = o->field_offsets;
    hd__at_least_1d(&q->structures);
    HD_TRY(check(ctx, q, &job));
    const int64_t n = hd_count(q->structures);
    if (n == 0) return HD_OK;
    hd__collapse(&job.structures);
    for (int k = 0; k < job.fields; k++) hd__collapse(&job.field[k]);
    const hd__subject subject = {q->unzips ? "apart" : "together", n, q->structures.type};
    return hd__dispatch(ctx, HD__ZIP_PATTERN, &job, &subject);
}

hd_status hd_unzip(hd_context *ctx, hd_view structures, hd_views fields,
                   const hd_zip_options *options)
{
    return run(ctx, &(question){"hd_unzip", structures, fields, true, NULL}, options);
}

hd_status hd_zip(hd_context *ctx, hd_views fields, hd_view structures,
                 const hd_zip_options *options)
{
    return run(ctx, &(question){"hd_zip", structures, fields, false, NULL}, options);
}
