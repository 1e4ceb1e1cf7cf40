/* SPDX-License-Identifier: MIT */
/* The interpreter's steps, cell by cell. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/interpreter_run.h"

enum base interpreter_base(enum qp_array_type type)
{
    static const enum base bases[] = {[QP_ARRAY_FLOAT] = IS_FLOAT,
                                      [QP_ARRAY_INT] = IS_INT,
                                      [QP_ARRAY_UINT] = IS_UINT,
                                      [QP_ARRAY_DOUBLE] = IS_DOUBLE};
    return bases[type];
}

static int name_with(struct run *r, const char *name, const char *end)
{
    char whole[2 * NAME_LETTERS];
    const int length = snprintf(whole, sizeof whole, "%s%s", name, end);
    return text_name(r->text, whole, length);
}

/* Declares the names that a text uses without declaring them: arrays, numbers and outputs. */
static void declare_given(struct run *r)
{
    const struct interpreter_grid *grid = r->grid;
    for (int k = 0; k < MOST_NAMES; k++) {
        r->array[k] = -1;
        r->built_in[k] = k < r->text->names ? built_in_find(r->text->name[k]) : NULL;
    }
    for (int k = 0; k < grid->arrays; k++)
        r->array[name_with(r, grid->array[k].name, "_at")] = k;
    for (int k = 0; k < grid->numbers; k++) {
        const struct interpreter_number *number = &grid->number[k];
        const bool list = number->values > 4;
        struct value *at =
            interpreter_declare(r, name_with(r, number->name, ""), list ? number->values : 0)->at;
        for (int i = 0; i < number->values; i++) {
            struct value *to = list ? at + i : at;
            to->base = grid->type == QP_ARRAY_DOUBLE ? IS_DOUBLE : IS_FLOAT;
            to->n = list ? 1 : number->values;
            to->v[list ? 0 : i] = value_rounded(to->base, number->value[i]);
            to->e[list ? 0 : i] = 0.0;
        }
    }
    for (int k = 0; k < grid->states && grid->states > 1; k++) {
        char name[16];
        snprintf(name, sizeof name, "out%d", k);
        *interpreter_declare(r, name_with(r, name, ""), 0)->at =
            value_of(interpreter_base(grid->type), 0.0);
    }
}

/* Constants outside of functions. */
static void declare_constants(struct run *r)
{
    int next = 0;
    r->at = 0;
    while (r->at < r->text->words) {
        if (next < r->text->functions && r->at >= r->text->function[next].from)
            r->at = r->text->function[next++].end;
        else
            interpreter_statement(r);
        r->globals = r->variables;
    }
}

static const struct function *find_kernel(struct run *r)
{
    for (int k = 0; k < r->text->functions; k++) {
        if (r->text->function[k].name == THE_KERNEL && r->text->function[k].body > 0)
            return &r->text->function[k];
    }
    interpreter_stop(r, "no function kernel");
}

static void compute_cell(struct run *r, const struct function *kernel, double *const next[],
                         double *const error[])
{
    const struct interpreter_grid *grid = r->grid;
    const struct value here = {.base = IS_FLOAT, .n = 2, .v = {r->x, r->y}};
    const int at = r->y * grid->width + r->x, numbers = grid->numbers;
    r->variables = r->first = r->globals;
    *interpreter_declare(r, kernel->parameter[0].name, 0)->at = here;
    r->doubt = false;
    r->returned = (struct value){.n = 0};
    r->at = kernel->body;
    interpreter_statement(r);
    if (r->returned.n != kernel->n)
        interpreter_stop(r, "a kernel that returns nothing, or another type");
    if (r->returned.n > 0)
        r->returned = value_as(interpreter_base(grid->type), &r->returned);
    for (int k = 0; k < grid->states; k++) {
        const struct value *out = grid->states > 1 ? r->variable[numbers + k].at : &r->returned;
        next[k][at] = out->v[0];
        error[k][at] = r->doubt || !(out->e[0] >= 0.0) ? (double)INFINITY : out->e[0];
    }
}

static void compute_steps(struct run *r, struct interpreter_grid *grid, int steps,
                          double *const next[], double *const error[])
{
    const struct function *kernel = find_kernel(r);
    const size_t bytes = sizeof(double) * (size_t)grid->width * (size_t)grid->height;
    const int values = r->values;
    for (int step = 0; step < steps; step++) {
        for (r->y = 0; r->y < grid->height; r->y++) {
            for (r->x = 0; r->x < grid->width; r->x++) {
                r->values = values;
                compute_cell(r, kernel, next, error);
            }
        }
        for (int k = 0; k < grid->states; k++) {
            memcpy(grid->array[k].cells, next[k], bytes);
            memcpy(grid->array[k].error, error[k], bytes);
        }
    }
}

const char *interpreter_run(const char *text, struct interpreter_grid *grid, int steps)
{
    static struct text words;
    static struct run run;
    static char why[sizeof words.why];
    double *next[QP_KERNEL_INPUTS], *error[QP_KERNEL_INPUTS];
    const size_t count = (size_t)grid->width * (size_t)grid->height;
    for (int k = 0; k < grid->states; k++) {
        next[k] = malloc(sizeof(double) * count);
        error[k] = malloc(sizeof(double) * count);
        memset(grid->array[k].error, 0, sizeof(double) * count);
    }
    run.text = &words;
    words.doubles = grid->type == QP_ARRAY_DOUBLE;
    run.grid = grid;
    run.variables = run.values = run.globals = run.first = run.calls = run.at = 0;
    why[0] = '\0';
    if (setjmp(words.failed) == 0) {
        text_read(&words, text);
        declare_given(&run);
        declare_constants(&run);
        compute_steps(&run, grid, steps, next, error);
    } else {
        memcpy(why, words.why, sizeof why);
    }
    for (int k = 0; k < grid->states; k++) {
        free(next[k]);
        free(error[k]);
    }
    return why[0] != '\0' ? why : NULL;
}
