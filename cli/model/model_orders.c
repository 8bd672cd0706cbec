// SPDX-License-Identifier: Apache-2.0
//
// heddle model --explore: the orders in which threads loaded and stored what they share, as the
// lectures show the interleavings of two threads that add to one counter.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model_explore.h"
#include "cli/support/print.h"
#include "cli/support/escaped.h"

static bool is_same_place(const hd_model_event *a, const hd_model_event *b)
{
    return a->shared == b->shared && a->address == b->address &&
           (!a->shared || memcmp(a->block, b->block, sizeof a->block) == 0);
}

static int compare_actors(const hd_model_event *a, const hd_model_event *b)
{
    for (int k = 2; k >= 0; k--)
        if (a->block[k] != b->block[k]) return a->block[k] < b->block[k] ? -1 : 1;
    return a->thread < b->thread ? -1 : a->thread > b->thread;
}

// Whether another thread comes to the same place, and one of all who come there writes.
static bool is_contended(const hd_model_report *r, int64_t at)
{
    bool others = false, written = false;
    for (int64_t k = 0; k < r->event_count && !(others && written); k++) {
        if (!is_same_place(&r->events[k], &r->events[at])) continue;
        others |= compare_actors(&r->events[k], &r->events[at]) != 0;
        written |= r->events[k].access != HD_ACCESS_LOAD;
    }
    return others && written;
}

// Equal values stored one right after another: whose was first does not show, so they are told in
// the order of threads.
static void sort_equal_stores(hd_model_event *e, int count)
{
    for (int pass = 0; pass < count; pass++)
        for (int k = 1; k < count; k++) {
            const bool stores =
                e[k].access == HD_ACCESS_STORE && e[k - 1].access == HD_ACCESS_STORE;
            if (!stores || !is_same_place(&e[k], &e[k - 1]) || e[k].after != e[k - 1].after ||
                compare_actors(&e[k], &e[k - 1]) >= 0)
                continue;
            const hd_model_event moved = e[k];
            e[k] = e[k - 1], e[k - 1] = moved;
        }
}

static bool has_many(const int32_t axes[3])
{
    return axes[0] > 1 || axes[1] > 1 || axes[2] > 1;
}

static void name_actor(const hd_model_report *r, const hd_model_event *e, char *text, size_t room)
{
    const int32_t *g = r->shape.grid;
    const long long block =
        e->block[0] + (long long)g[0] * (e->block[1] + (long long)g[1] * e->block[2]);
    if (!has_many(g))
        snprintf(text, room, "thread %d", (int)e->thread);
    else if (!has_many(r->shape.block))
        snprintf(text, room, "block %lld", block);
    else
        snprintf(text, room, "thread %d of block %lld", (int)e->thread, block);
}

// The buffer that holds an address, or NULL.
static const model_argument *buffer_of(const model_run *r, const hd_model_event *e)
{
    for (int32_t k = 0; k < r->signature.count && !e->shared; k++) {
        const model_argument *a = &r->arguments.at[k];
        if (model_value_is_buffer(&a->value) && e->address >= a->address &&
            e->address - a->address < (uint64_t)a->bytes)
            return a;
    }
    return NULL;
}

static const char *value_text(const model_run *r, const hd_model_event *e, uint64_t value,
                              char text[PRINT_ROOM])
{
    const model_argument *a = buffer_of(r, e);
    if (a != NULL && hd_type_size(a->type) == (size_t)e->bytes)
        return print_value(a->type, &value, text);
    snprintf(text, PRINT_ROOM, "%" PRIu64, value);
    return text;
}

static void print_event(const exploration *x, const hd_model_report *r, const hd_model_event *e,
                        char *text, size_t room)
{
    char actor[64], before[PRINT_ROOM], after[PRINT_ROOM];
    name_actor(r, e, actor, sizeof actor);
    value_text(x->run, e, e->before, before);
    value_text(x->run, e, e->after, after);
    if (e->access == HD_ACCESS_LOAD)
        snprintf(text, room, "%s loads %s", actor, before);
    else if (e->access == HD_ACCESS_STORE)
        snprintf(text, room, "%s stores %s", actor, after);
    else
        snprintf(text, room, "%s makes %s of %s", actor, after, before);
}

static void name_place(exploration *x, const hd_model_event *e, int count)
{
    char called[80];
    const model_argument *a = buffer_of(x->run, e);
    for (int k = 1; k < count; k++)
        if (!is_same_place(&e[k], e)) {
            snprintf(x->shared_place, sizeof x->shared_place, "what threads share");
            return;
        }
    if (a == NULL)
        snprintf(x->shared_place, sizeof x->shared_place, "%s %s",
                 e->shared ? "one place of" : "one place of",
                 e->shared ? "shared memory" : "global memory");
    else
        snprintf(x->shared_place, sizeof x->shared_place, "%s[%lld]",
                 model_argument_name(&x->run->arguments, a, called, sizeof called),
                 (long long)((e->address - a->address) / hd_type_size(a->type)));
}

static explored_order *find_order(exploration *x, const char *text)
{
    for (int k = 0; k < x->order_count; k++)
        if (strcmp(x->orders[k].text, text) == 0) return &x->orders[k];
    if (x->order_count == EXPLORE_MAX_ORDERS) {
        x->no_orders = true;
        return NULL;
    }
    snprintf(x->orders[x->order_count].text, sizeof x->orders[0].text, "%s", text);
    return &x->orders[x->order_count++];
}

void explore_order(exploration *x, const hd_model_report *r, uint64_t seed, int result)
{
    hd_model_event e[EXPLORE_MAX_EVENTS];
    char text[1024] = "", one[200];
    int count = 0;
    if (r == NULL || r->events_lost) x->no_orders = true;
    for (int64_t k = 0; !x->no_orders && k < r->event_count; k++) {
        if (!is_contended(r, k)) continue;
        if (count == EXPLORE_MAX_EVENTS) x->no_orders = true;
        if (count < EXPLORE_MAX_EVENTS) e[count++] = r->events[k];
    }
    if (x->no_orders || count == 0) return;
    sort_equal_stores(e, count);
    name_place(x, e, count);
    for (int k = 0; k < count; k++) {
        const size_t used = strlen(text);
        print_event(x, r, &e[k], one, sizeof one);
        snprintf(text + used, sizeof text - used, "%s%s", k > 0 ? ", " : "", one);
    }
    explored_order *o = find_order(x, text);
    if (o != NULL && o->times++ == 0) o->seed = seed, o->result = result;
}

// ---- Said ---------------------------------------------------------------------------------------

static void print_orders(const exploration *x)
{
    if (x->no_orders || x->order_count == 0) return;
    printf("\n%d order%s of loads and stores at %s:\n", x->order_count,
           x->order_count == 1 ? "" : "s", shown(x->shared_place));
    for (int k = 0; k < x->order_count; k++) {
        const explored_order *o = &x->orders[k];
        printf("  %s\n      -> %s; %lld time%s, first with seed %llu\n", shown(o->text),
               o->result >= 0 ? shown(x->results[o->result].text) : "", (long long)o->times,
               o->times == 1 ? "" : "s", (unsigned long long)o->seed);
    }
}

void explore_print(const exploration *x)
{
    const unsigned long long last = x->first_seed + (uint64_t)x->schedules - 1;
    printf("%s of %s: the plain schedule (seed 0) and seeds %llu to %llu\n\n",
           shown(x->run->signature.kernel), shown(x->run->file), (unsigned long long)x->first_seed,
           last);
    printf("%s%d distinct result%s:\n", x->more_results ? "more than " : "", x->result_count,
           x->result_count == 1 ? "" : "s");
    for (int k = 0; k < x->result_count; k++) {
        const explored_result *of = &x->results[k];
        printf("  %s %s; %lld time%s, first with seed %llu\n",
               of->breaks ? "wrong:" : "right:", shown(of->text), (long long)of->times,
               of->times == 1 ? "" : "s", (unsigned long long)of->seed);
    }
    print_orders(x);
    printf("\n");
    if (x->broken)
        printf("Seed %llu breaks the result: %s. Again with --seed %llu.\n",
               (unsigned long long)x->breaking_seed, shown(x->broken_text),
               (unsigned long long)x->breaking_seed);
    else
        printf("No schedule broke the result.\n");
    if (x->hazardous == 0) {
        x->run->report = x->warned_report;
        if (x->warned_report != NULL)
            model_print_hazards(x->run);
        else
            printf("No hazard was found.\n");
        return;
    }
    printf("%lld of %lld schedules have a hazard, the first seed %llu:\n", (long long)x->hazardous,
           (long long)x->schedules + 1, (unsigned long long)x->hazard_seed);
    x->run->report = x->kept_report, x->run->status = x->kept_status;
    snprintf(x->run->failure, sizeof x->run->failure, "%s", x->kept_failure);
    model_print_hazards(x->run);
}

void explore_print_json(const exploration *x)
{
    json j = json_begin(stdout);
    json_text(&j, "command", "model");
    json_text(&j, "file", x->run->file);
    json_text(&j, "kernel", x->run->signature.kernel);
    json_int(&j, "schedules", x->schedules + 1);
    json_uint(&j, "first_seed", x->first_seed);
    json_list(&j, "results");
    for (int k = 0; k < x->result_count; k++) {
        json_object(&j, NULL);
        json_text(&j, "result", x->results[k].text);
        json_bool(&j, "breaks", x->results[k].breaks);
        json_int(&j, "times", x->results[k].times);
        json_uint(&j, "seed", x->results[k].seed);
        json_close(&j);
    }
    json_close(&j);
    json_bool(&j, "more_results", x->more_results);
    json_list(&j, "orders");
    for (int k = 0; k < x->order_count && !x->no_orders; k++) {
        json_object(&j, NULL);
        json_text(&j, "order", x->orders[k].text);
        json_int(&j, "result", x->orders[k].result);
        json_int(&j, "times", x->orders[k].times);
        json_uint(&j, "seed", x->orders[k].seed);
        json_close(&j);
    }
    json_close(&j);
    if (x->broken)
        json_uint(&j, "breaking_seed", x->breaking_seed);
    else
        json_text(&j, "breaking_seed", NULL);
    json_int(&j, "hazardous", x->hazardous);
    x->run->report = x->kept_report;
    if (x->kept_report != NULL) model_json_hazards(&j, x->run);
    if (x->kept_report == NULL) x->run->report = x->warned_report;
    if (x->run->report != NULL) model_json_warnings(&j, x->run);
    json_end(&j);
}
