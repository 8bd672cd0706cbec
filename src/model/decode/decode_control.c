// SPDX-License-Identifier: Apache-2.0
//
// Operands of branches, calls and barriers.
#include "decode.h"

bool hd__model_decode_branch(decoder *d, const int32_t *join)
{
    const ptx_function *f = d->slots.text;
    const int32_t at = (int32_t)(d->i - f->code);
    d->o->join = join[at];
    if (d->i->op == PTX_OP_bra) {
        if (d->i->operands != 1 || d->i->operand[0].kind != PTX_LABEL)
            return hd__model_decode_refuse(d, "expected a label");
        d->o->target = f->labels[d->i->operand[0].number].at;
        return true;
    }
    if (d->i->operands < 2 || d->i->operand[1].kind != PTX_LABEL)
        return hd__model_decode_refuse(d, "expected an index and a list of targets");
    if (!hd__model_decode_source(d, 0, PTX_U32, &d->o->a, NULL)) return false;
    const ptx_label *targets = &f->labels[d->i->operand[1].number];
    d->o->list = (uint32_t)d->slots.program->list_count;
    d->o->count = targets->target_count;
    for (int32_t k = 0; k < targets->target_count; k++) {
        const ptx_operand *t = &f->pool[targets->target_list + k];
        if (t->kind != PTX_LABEL) return hd__model_decode_refuse(d, "a target that is no label");
        if (!hd__model_registers_append(&d->slots, (uint32_t)f->labels[t->number].at))
            return hd__model_decode_no_memory(d);
    }
    return true;
}

// Arguments or results: three words each, the place of the caller's variable, that of the callee's
// (of a call through a pointer it is found when it is made), and how many bytes.
static bool append_pairs(decoder *d, const ptx_operand *mine, const int32_t *theirs, int32_t count)
{
    const ptx_module *m = d->slots.module->text;
    const int32_t given = mine == NULL ? 0 : mine->count;
    if (given != count)
        return hd__model_decode_refuse(d, "%d arguments or results; expected %d", given, count);
    for (int32_t k = 0; k < count; k++) {
        const ptx_operand *o = &d->slots.text->pool[mine->list + k];
        if (o->kind != PTX_ADDRESS || m->variables[o->number].space != PTX_LOCAL)
            return hd__model_decode_refuse(d, "an argument that is no parameter variable");
        const ptx_variable *from = &m->variables[o->number];
        const ptx_variable *to = theirs != NULL ? &m->variables[theirs[k]] : from;
        if (o->offset < 0 || o->offset > from->bytes)
            return hd__model_decode_refuse(d, "an argument outside of its variable");
        const int64_t room = from->bytes - o->offset;
        const int64_t bytes = room < to->bytes ? room : to->bytes;
        if (!hd__model_registers_append(&d->slots, (uint32_t)(from->address + o->offset)) ||
            !hd__model_registers_append(&d->slots, (uint32_t)to->address) ||
            !hd__model_registers_append(&d->slots, (uint32_t)bytes))
            return hd__model_decode_no_memory(d);
    }
    return true;
}

// call (results), %rd1, (arguments), prototype
static bool decode_indirect(decoder *d, int at, const ptx_operand *results,
                            const ptx_operand *arguments)
{
    const int32_t argument_count = arguments != NULL ? arguments->count : 0;
    const int32_t result_count = results != NULL ? results->count : 0;
    if (argument_count > 255 || result_count > 255)
        return hd__model_decode_refuse(d, "too many parameters");
    if (!hd__model_decode_layout(d, &d->i->operand[at], PTX_B64) ||
        !hd__model_decode_source(d, at, PTX_U64, &d->o->a, NULL))
        return false;
    d->o->vector = (uint8_t)argument_count, d->o->bytes = (uint8_t)result_count;
    return append_pairs(d, arguments, NULL, argument_count) &&
           append_pairs(d, results, NULL, result_count);
}

bool hd__model_decode_call(decoder *d)
{
    const ptx_module *m = d->slots.module->text;
    int at = 0;
    while (at < d->i->operands && d->i->operand[at].kind == PTX_VECTOR) at++;
    if (at >= d->i->operands || at > 1) return hd__model_decode_refuse(d, "expected a function");
    const ptx_operand *results = at > 0 ? &d->i->operand[0] : NULL;
    const bool has_arguments = at + 1 < d->i->operands && d->i->operand[at + 1].kind == PTX_VECTOR;
    const ptx_operand *arguments = has_arguments ? &d->i->operand[at + 1] : NULL;
    d->o->list = (uint32_t)d->slots.program->list_count;
    if (d->i->operand[at].kind == PTX_REGISTER) return decode_indirect(d, at, results, arguments);
    if (d->i->operand[at].kind != PTX_FUNCTION)
        return hd__model_decode_refuse(d, "expected a function");
    const int32_t number = d->i->operand[at].number;
    const ptx_function *f = &m->functions[number];
    d->o->vector = (uint8_t)f->param_count, d->o->bytes = (uint8_t)f->result_count;
    if (f->param_count > 255 || f->result_count > 255)
        return hd__model_decode_refuse(d, "too many parameters");
    if (f->entry) return hd__model_decode_refuse(d, "a kernel cannot be called");
    if (!append_pairs(d, arguments, f->params, f->param_count) ||
        !append_pairs(d, results, f->results, f->result_count))
        return false;
    d->o->callee = &d->slots.module->programs[number];
    if (f->defined) return true;
    d->o->run = hd__model_builtin_named(f->name, f->param_count);
    if (d->o->run == NULL) d->o->run = hd__model_math_named(d->slots.module->text, f, d->o);
    return d->o->run != NULL ||
           hd__model_decode_refuse(d, "the function '%s' is not there", f->name);
}

// bar.sync a, b   bar.red.popc.u32 d, a, b, p   bar.warp.sync mask
bool hd__model_decode_barrier(decoder *d)
{
    operation *o = d->o;
    const ptx_instruction *i = d->i;
    o->d = o->b = UINT32_MAX;
    if (ptx_has(i, PTX_MOD_CLUSTER)) return true;
    if (ptx_has(i, PTX_MOD_WARP)) {
        o->gathers = true;
        return hd__model_decode_source(d, 0, PTX_U32, &o->e, NULL);
    }
    int k = 0;
    const bool reduces = ptx_has(i, PTX_MOD_RED);
    if (reduces && !hd__model_decode_result(d, k++)) return false;
    if (!hd__model_decode_source(d, k++, PTX_U32, &o->a, NULL)) return false;
    const int left = i->operands - k - reduces;
    if (left > 0 && !hd__model_decode_source(d, k++, PTX_U32, &o->b, NULL)) return false;
    return !reduces || hd__model_decode_source(d, k, PTX_PRED, &o->c, &o->negate_c);
}
