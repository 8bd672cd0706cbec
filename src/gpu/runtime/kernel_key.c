// SPDX-License-Identifier: Apache-2.0
#include "kernel_key.h"

#include <string.h>

_Static_assert(sizeof(hd__gpu_kernel_config) < HD__GPU_KERNEL_KEY_MAX / 2,
               "the half of a key is for texts");

static void add(hd__gpu_kernel_key *key, const void *bytes, size_t count)
{
    if (key->bytes == 0) return;
    if (count > sizeof key->at - key->bytes) {
        key->bytes = 0;
        return;
    }
    memcpy(key->at + key->bytes, bytes, count);
    key->bytes += count;
}

static void add_text(hd__gpu_kernel_key *key, const char *text)
{
    const char none = 1; // no text begins with it
    if (text == NULL)
        add(key, &none, 1);
    else
        add(key, text, strlen(text) + 1);
}

static void add_source(hd__gpu_kernel_key *key, const hd_source *source)
{
    add_text(key, source != NULL ? source->name : NULL);
    add_text(key, source != NULL ? source->text : NULL);
}

// Its type; one kernel serves all its values.
static void add_state(hd__gpu_kernel_key *key, const hd_state *state)
{
    add(key, &state->size, sizeof state->size);
    add_text(key, state->text);
}

static void add_operator(hd__gpu_kernel_key *key, const hd__fold *fold)
{
    const hd_operator *op = fold->node;
    add(key, &op->flags, sizeof op->flags);
    add(key, &fold->node_size, sizeof fold->node_size);
    add_text(key, fold->asked->name);
    add_text(key, op->type_text);
    add_text(key, op->identity_text);
    add_text(key, op->body_text);
    add_state(key, &op->state);
    add_source(key, op->source);
}

static void add_function(hd__gpu_kernel_key *key, const hd_function *map)
{
    add(key, &map->inputs, sizeof map->inputs);
    add(key, &map->result, sizeof map->result);
    add(key, map->input, sizeof map->input);
    add_text(key, map->name);
    add_text(key, map->result_text);
    add_text(key, map->inputs_text);
    add_text(key, map->body_text);
    add_state(key, &map->state);
    add_source(key, map->source);
}

void hd__gpu_kernel_key_of(hd__gpu_kernel_key *key, const hd__gpu_kernel_config *config,
                           const hd__fold *fold, const hd_function *map)
{
    memcpy(key->at, config, sizeof *config);
    key->bytes = sizeof *config;
    if (fold != NULL && fold->op == HD__USER_OP) add_operator(key, fold);
    if (map != NULL) add_function(key, map);
}
