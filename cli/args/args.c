// SPDX-License-Identifier: Apache-2.0
//
// The argument parser. What the help looks like is in args_help.c.
#include "args.h"

#include "io/stream/format.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

typedef struct args_parser {
    const arg_spec *spec;
    int argc, at; // argv[at] is next
    char **argv;
    char *fields;
    arg_result *result;
} args_parser;

__attribute__((format(printf, 2, 3))) static arg_status refuse(args_parser *p, const char *format,
                                                               ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(p->result->error, sizeof p->result->error, format, arguments);
    va_end(arguments);
    return ARG_ERROR;
}

static const char *option_name(int k, const void *user)
{
    const arg_option *options = user;
    return options[k].name;
}

static const arg_option *option_named(const arg_spec *spec, const char *name, size_t length)
{
    for (const arg_option *o = spec->options; o->kind != ARG_KIND_END; o++)
        if (strlen(o->name) == length && memcmp(o->name, name, length) == 0) return o;
    return NULL;
}

static const arg_option *option_lettered(const arg_spec *spec, char letter)
{
    for (const arg_option *o = spec->options; o->kind != ARG_KIND_END; o++)
        if (o->letter != 0 && o->letter == letter) return o;
    return NULL;
}

// Whether the value is one of those that "a|b|c" lists.
static bool is_listed(const char *list, const char *value)
{
    const size_t n = strlen(value);
    while (true) {
        const size_t m = strcspn(list, "|");
        if (m == n && memcmp(list, value, n) == 0) return true;
        if (list[m] == '\0') return false;
        list += m + 1;
    }
}

static arg_status store_text(args_parser *p, const arg_option *o, const char *value)
{
    if (strchr(o->value, '|') && !is_listed(o->value, value))
        return refuse(p, "--%s: expected one of %s, got '%.80s'", o->name, o->value, value);
    memcpy(p->fields + o->field, &value, sizeof value);
    return ARG_OK;
}

static arg_status store_output(args_parser *p, const arg_option *o, const char *value)
{
    io_format format;
    io_error error;
    if (io_format_for_output(value, &format, &error) != IO_OK)
        return refuse(p, "--%s %s", o->name, error.text);
    memcpy(p->fields + o->field, &value, sizeof value);
    return ARG_OK;
}

static arg_status store_int(args_parser *p, const arg_option *o, const char *value)
{
    char *end;
    errno = 0;
    const long long number = strtoll(value, &end, 10);
    const bool clean =
        end != value && *end == '\0' && errno == 0 && strchr(" \t\n\v\f\r+", *value) == NULL;
    if (!clean || number < o->least || number > o->most)
        return refuse(p, "--%s: expected a whole number from %lld to %lld, got '%.80s'", o->name,
                      (long long)o->least, (long long)o->most, value);
    const arg_int field = {.given = true, .value = number};
    memcpy(p->fields + o->field, &field, sizeof field);
    return ARG_OK;
}

static arg_status store_one_more(args_parser *p, const arg_option *o, const char *value)
{
    arg_texts texts;
    memcpy(&texts, p->fields + o->field, sizeof texts);
    if (texts.count >= ARG_MAX_TEXTS)
        return refuse(p, "--%s: at most %d of them", o->name, ARG_MAX_TEXTS);
    texts.at[texts.count++] = value;
    memcpy(p->fields + o->field, &texts, sizeof texts);
    return ARG_OK;
}

static arg_status store(args_parser *p, const arg_option *o, const char *value)
{
    if (o->kind == ARG_KIND_MANY) return store_one_more(p, o, value);
    if (o->kind == ARG_KIND_OUTPUT) return store_output(p, o, value);
    return o->kind != ARG_KIND_TEXT ? store_int(p, o, value) : store_text(p, o, value);
}

static void raise_flag(args_parser *p, const arg_option *o)
{
    const bool yes = true;
    memcpy(p->fields + o->field, &yes, sizeof yes);
}

// An option whose value, if not attached, is the next argument.
static arg_status take_value(args_parser *p, const arg_option *o, const char *attached)
{
    if (attached != NULL) return store(p, o, attached);
    if (o->kind == ARG_KIND_PERHAPS) {
        const arg_int field = {.given = true, .value = o->least};
        memcpy(p->fields + o->field, &field, sizeof field);
        return ARG_OK;
    }
    if (p->at >= p->argc) return refuse(p, "--%s: expected a value: %s", o->name, o->value);
    return store(p, o, p->argv[p->at++]);
}

static arg_status unknown(args_parser *p, const char *name, size_t length)
{
    char typed[64];
    snprintf(typed, sizeof typed, "%.*s", (int)(length < 63 ? length : 63), name);
    const char *near = args_nearest(typed, option_name, p->spec->options);
    if (near != NULL) return refuse(p, "unknown option --%s; the nearest is --%s", typed, near);
    return refuse(p, "unknown option --%s", typed);
}

static arg_status parse_long(args_parser *p, const char *text)
{
    const size_t length = strcspn(text, "=");
    const char *attached = text[length] == '=' ? text + length + 1 : NULL;
    if (length == 4 && memcmp(text, "help", 4) == 0) return ARG_HELP;
    const arg_option *o = option_named(p->spec, text, length);
    if (o == NULL) return unknown(p, text, length);
    if (o->kind != ARG_KIND_FLAG) return take_value(p, o, attached);
    if (attached != NULL)
        return refuse(p, "--%s: expected no value, got '%.80s'", o->name, attached);
    raise_flag(p, o);
    return ARG_OK;
}

// Letters of one argument: flags one after another, the last may have a value.
static arg_status parse_letters(args_parser *p, const char *letters)
{
    for (; *letters; letters++) {
        if (*letters == 'h') return ARG_HELP;
        const arg_option *o = option_lettered(p->spec, *letters);
        if (o == NULL) return refuse(p, "unknown option -%c", *letters);
        if (o->kind != ARG_KIND_FLAG) return take_value(p, o, letters[1] ? letters + 1 : NULL);
        raise_flag(p, o);
    }
    return ARG_OK;
}

static arg_status take_operand(args_parser *p, const char *text)
{
    const arg_spec *s = p->spec;
    const int most = s->most < ARG_MAX_OPERANDS ? s->most : ARG_MAX_OPERANDS;
    if (p->result->count >= most)
        return refuse(p, "expected %s%s, and then came '%.80s'",
                      most == 0 ? "options only" : "at most ", most == 0 ? "" : s->operands, text);
    p->result->operand[p->result->count++] = text;
    return ARG_OK;
}

// No option has a digit for its letter: -1 and -.5 are operands.
static bool is_negative_number(const char *text)
{
    const char *digit = text + 1 + (text[0] == '-' && text[1] == '.');
    return text[0] == '-' && *digit >= '0' && *digit <= '9';
}

arg_status args_parse(const arg_spec *spec, int argc, char **argv, void *fields, arg_result *result)
{
    args_parser p = {spec, argc, 1, argv, fields, result};
    bool options = true;
    *result = (arg_result){.count = 0};
    while (p.at < argc) {
        const char *text = argv[p.at++];
        arg_status status = ARG_OK;
        if (options && strcmp(text, "--") == 0)
            options = false;
        else if (options && strncmp(text, "--", 2) == 0)
            status = parse_long(&p, text + 2);
        else if (options && text[0] == '-' && text[1] && !is_negative_number(text))
            status = parse_letters(&p, text + 1);
        else
            status = take_operand(&p, text);
        if (status != ARG_OK) return status;
    }
    if (result->count < spec->least) return refuse(&p, "expected %s", spec->operands);
    return ARG_OK;
}
