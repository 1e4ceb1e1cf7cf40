/* SPDX-License-Identifier: MIT */
/* Room 4 of all tours: where shaders are read from, and their texts where those are asked for. */
#include "cmd/tour/tour.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/output/sentence.h"
#include "gl/shaders.h"
#include "plan/plan.h"

static void print_text(FILE *out, const char *name)
{
    char *text;
    if (qp_shader_read(name, &text) != QP_OK)
        return;
    sentence_put_lines(out, text, 1);
    free(text);
}

enum { MOST_SHOWN = 64 };

/* Texts that are printed already, for a list of draws may name a shader often. */
struct shown {
    const char *name[MOST_SHOWN];
    int count;
};

static void print_text_once(const struct tour *tour, const char *name, struct shown *shown)
{
    for (int i = 0; i < shown->count; i++) {
        if (strcmp(shown->name[i], name) == 0)
            return;
    }
    if (!tour->with_texts || shown->count == MOST_SHOWN)
        return;
    shown->name[shown->count++] = name;
    print_text(tour->out, name);
}

/* A fragment shader, with its vertex shader if it has one, or a compute shader. */
static void print_shader(const struct tour *tour, const char *vertex, const char *name,
                         struct shown *shown)
{
    char path[PATH_MAX];
    qp_shader_path(name, path, sizeof path);
    fprintf(tour->out, "    %s", path);
    if (vertex != NULL)
        qp_shader_path(vertex, path, sizeof path);
    fprintf(tour->out, "%s%s\n", vertex != NULL ? " with " : "", vertex != NULL ? path : "");
    if (vertex != NULL)
        print_text_once(tour, vertex, shown);
    print_text_once(tour, name, shown);
}

void tour_shaders(const struct tour *tour)
{
    const struct qp_recipe *recipe = tour->variant->recipe;
    struct shown shown = {.count = 0};
    const char *name;
    for (int k = 0;
         tour->plan->engine->shader != NULL && (name = tour->plan->engine->shader(tour->plan, k));
         k++)
        print_shader(tour, NULL, name, &shown);
    for (int i = 0; i < qp_recipe_draws(recipe); i++) {
        const struct qp_draw *draw = &recipe->draw[i];
        print_shader(tour, draw->vertex, draw->compute != NULL ? draw->compute : draw->fragment,
                     &shown);
    }
}
