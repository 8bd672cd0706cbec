// SPDX-License-Identifier: Apache-2.0
//
// heddle model: kernels that are templates, and the names of those that are made of them.
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "model.h"
#include "program.h"

static const char name[] = "model";

const char *model_instance(const model_run *r, const char *kernel, char *text, size_t room)
{
    const kernel_template *t = kernel != NULL && strchr(kernel, '<') == NULL
                                   ? hd__model_template_named(&r->templates, kernel)
                                   : NULL;
    if (t == NULL || !t->defaults) return kernel;
    snprintf(text, room, "%s<>", kernel);
    return text;
}

// Whether a kernel of the module was made of a template.
static bool is_made(const model_run *r, const kernel_template *t)
{
    const char *kernel;
    for (int32_t k = 0; (kernel = hd_model_kernel(r->module, k)) != NULL; k++)
        if (strchr(kernel, '<') != NULL && hd__model_name_matches(kernel, t->name)) return true;
    return false;
}

void model_list_templates(const model_run *r)
{
    bool any = false;
    for (int32_t k = 0; k < r->templates.count; k++) {
        if (is_made(r, &r->templates.at[k])) continue;
        printf("%s\n", r->templates.at[k].text);
        any = true;
    }
    if (any) printf("A template is run by the name of an instance, as in 'NAME<256>'.\n");
}

void model_list_templates_json(json *j, const model_run *r)
{
    json_list(j, "templates");
    for (int32_t k = 0; k < r->templates.count; k++) {
        json_object(j, NULL);
        json_text(j, "name", r->templates.at[k].name);
        json_text(j, "declared", r->templates.at[k].text);
        json_close(j);
    }
    json_close(j);
}

static void name_templates(const model_run *r, char *text, size_t room)
{
    text[0] = 0;
    for (int32_t k = 0; k < r->templates.count; k++) {
        const size_t used = strlen(text);
        snprintf(text + used, room - used, "%s%s", k > 0 ? ", " : "", r->templates.at[k].text);
    }
}

int model_template_failed(const model_run *r, const char *kernel, int code)
{
    const kernel_template *t = hd__model_template_named(&r->templates, kernel);
    const char *log = hd_model_error(r->model);
    char all[2048];
    if (t != NULL) return fail(code, name, "%s'%s' cannot be made of %s", log, kernel, t->text);
    name_templates(r, all, sizeof all);
    return fail(code, name, "%s'%s': no kernel of that name is a template; %s%s", log, kernel,
                *all ? "there are: " : "there is none", all);
}

bool model_find_instance(model_run *r, const char *wanted)
{
    const kernel_template *t =
        strchr(wanted, '<') != NULL ? hd__model_template_named(&r->templates, wanted) : NULL;
    const char *kernel, *found = NULL;
    for (int32_t k = 0; t != NULL && (kernel = hd_model_kernel(r->module, k)) != NULL; k++) {
        if (strchr(kernel, '<') == NULL || !hd__model_name_matches(kernel, t->name)) continue;
        if (found != NULL) return false;
        found = kernel;
    }
    if (found != NULL) snprintf(r->kernel, sizeof r->kernel, "%s", found);
    return found != NULL;
}

int model_is_template(const model_run *r, const char *wanted)
{
    const kernel_template *t = hd__model_template_named(&r->templates, wanted);
    if (t == NULL || strchr(wanted, '<') != NULL) return EXIT_DONE;
    return fail(EXIT_USAGE, name, "%s: '%s' is a template, %s: name an instance, as in '%s<%s>'",
                r->file, wanted, t->text, wanted,
                strncmp(t->text, "template <typename", 18) == 0 ||
                        strncmp(t->text, "template <class", 15) == 0
                    ? "float"
                    : "256");
}
