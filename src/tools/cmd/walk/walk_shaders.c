/* SPDX-License-Identifier: MIT */
/* Stage 4 of all tours: where shaders are read from, and their texts where those are asked for. */
#include "tools/cmd/walk/walk.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lab/plan/plan.h"
#include "toolkit/gl/shaders.h"
#include "tools/cmd/output/sentence.h"

enum { MOST_SHOWN = 64 };

/* Texts that are printed already, for a list of draws may name a shader often. */
struct shown {
    const char *name[MOST_SHOWN];
    int count;
};

static void print_text_once(const struct trace *trace, const char *name, struct shown *shown)
{
    bool passed_over = !trace->with_texts || shown->count == MOST_SHOWN;
    char *text;
    for (int i = 0; i < shown->count; i++)
        passed_over = passed_over || strcmp(shown->name[i], name) == 0;
    if (passed_over || qp_shader_read(name, &text) != QP_OK)
        return;
    shown->name[shown->count++] = name;
    sentence_put_lines(trace->out, text, 1);
    free(text);
}

/* A fragment shader, with its vertex shader if it has one, or a compute shader. */
static void print_shader(const struct trace *trace, const char *vertex, const char *name,
                         struct shown *shown)
{
    char path[PATH_MAX];
    qp_shader_path(name, path, sizeof path);
    fprintf(trace->out, "    %s", path);
    if (vertex != NULL)
        qp_shader_path(vertex, path, sizeof path);
    fprintf(trace->out, "%s%s\n", vertex != NULL ? " with " : "", vertex != NULL ? path : "");
    if (vertex != NULL)
        print_text_once(trace, vertex, shown);
    print_text_once(trace, name, shown);
}

void walk_shaders(const struct trace *trace)
{
    const struct qp_recipe *recipe = trace->plan->variant->recipe;
    struct shown shown = {.count = 0};
    const char *name;
    for (int k = 0; trace->plan->engine->shader != NULL &&
                    (name = trace->plan->engine->shader(trace->plan, k));
         k++)
        print_shader(trace, NULL, name, &shown);
    for (int i = 0; i < qp_recipe_draws(recipe); i++) {
        const struct qp_draw *draw = &recipe->draw[i];
        print_shader(trace, draw->vertex, draw->compute != NULL ? draw->compute : draw->fragment,
                     &shown);
    }
}
