/* SPDX-License-Identifier: MIT */
#include "support/random_case.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

#include "support/interpreter.h"
#include "support/kernel_runs.h"
#include "toolkit/base/random.h"

/* ---- Values ---- */

static double as_type(enum qp_array_type type, double v)
{
    return type == QP_ARRAY_FLOAT ? (double)(float)v : type == QP_ARRAY_DOUBLE ? v : rint(v) + 0.0;
}

static double draw_value(const struct random_case *of, uint64_t *seed)
{
    const enum qp_array_type type = of->frame->type;
    const bool all = (of->frame->kinds & RANDOM_VALUES) != 0;
    const double bits = (double)(uint32_t)qp_random_bits(seed);
    if (type == QP_ARRAY_INT)
        return all ? bits - 0x1p31 : random_draw(seed, 14) - 4;
    if (type == QP_ARRAY_UINT)
        return all ? bits : random_draw(seed, 14);
    if (random_draw(seed, 4) == 0)
        return random_draw(seed, 3) - 1;
    const double v = qp_random(seed, -1.5, 1.5);
    return all && type == QP_ARRAY_DOUBLE ? v : (double)(float)v;
}

/* Expressions of a head, and the same in C. */
static const char *const expressions[] = {"(x - y)",
                                          "(x / 10)",
                                          "(1 / (x + y))",
                                          "(sin(3 * x + 7 * y))",
                                          "(16777216 + x)",
                                          "(2147483647 - x * y)",
                                          "(-2147483648 + x + y)",
                                          "(4294967295 - x)",
                                          "(0.1 * x - y / 7)"};

static double expression_value(int k, double x, double y)
{
    switch (k) {
    case 0:
        return x - y;
    case 1:
        return x / 10;
    case 2:
        return 1 / (x + y);
    case 3:
        return sin(3 * x + 7 * y);
    case 4:
        return 16777216 + x;
    case 5:
        return 2147483647 - x * y;
    case 6:
        return -2147483648.0 + x + y;
    case 7:
        return 4294967295.0 - x;
    default:
        return 0.1 * x - y / 7;
    }
}

/* An expression that the type holds. */
static int draw_expression(enum qp_array_type type, uint64_t *seed)
{
    static const int of_int[] = {0, 1, 4, 5, 6}, of_uint[] = {1, 2, 4, 5, 7},
                     of_real[] = {0, 1, 2, 3, 8};
    const int k = random_draw(seed, 5);
    return type == QP_ARRAY_INT ? of_int[k] : type == QP_ARRAY_UINT ? of_uint[k] : of_real[k];
}

static int fill(struct random_case *of, int k, uint64_t *seed)
{
    const int made = draw_expression(of->frame->type, seed);
    of->file[k] = of->wide[k] != of->width || of->high[k] != of->height ||
                  (of->frame->kinds & RANDOM_VALUES) == 0 || random_draw(seed, 2) == 0;
    for (int i = 0; i < of->wide[k] * of->high[k]; i++)
        of->start[k][i] =
            of->file[k] ? draw_value(of, seed)
                        : as_type(of->frame->type,
                                  expression_value(made, 1 + i % of->wide[k], 1 + i / of->wide[k]));
    return made;
}

/* ---- A kernel ---- */

static void draw_sizes(struct random_case *of, uint64_t *seed)
{
    const int kind = random_draw(seed, 10),
              wide = kind == 0  ? 40
                     : kind < 3 ? 3
                                : 13,
              high = kind == 0  ? 30
                     : kind < 3 ? 3
                                : 11;
    of->width = 1 + random_draw(seed, wide);
    of->height = 1 + random_draw(seed, high);
    of->steps = 1 + random_draw(seed, 12);
    if ((of->frame->kinds & RANDOM_LOOPS) != 0) { /* which take long */
        of->width = 1 + random_draw(seed, 2);
        of->height = of->steps = 1;
    }
    for (int k = 0; k < of->frame->arrays; k++) {
        of->wide[k] = of->width;
        of->high[k] = of->height;
        if (k < of->frame->states || (of->frame->kinds & RANDOM_SIZES) == 0)
            continue;
        of->wide[k] = 1 + random_draw(seed, random_draw(seed, 2) == 0 ? 4 : 40);
        of->high[k] = 1 + random_draw(seed, random_draw(seed, 2) == 0 ? 4 : 30);
        if (of->wide[k] != of->width || of->high[k] != of->height)
            of->kinds |= RANDOM_SIZES;
    }
}

void random_case_draw(const struct random_frame *frame, int number, uint64_t *seed,
                      struct random_case *out)
{
    static const unsigned whole = RANDOM_DIGITS | RANDOM_OUTSIDES | RANDOM_VALUES | RANDOM_UNSIGNED;
    out->frame = frame;
    out->number = number;
    out->kinds = frame->kinds & whole;
    FILE *file = fmemopen(out->text, sizeof out->text, "w");
    assert_non_null(file);
    draw_sizes(out, seed);
    fprintf(file, "//@ size %dx%d\n//@ steps %d\n", out->width, out->height, out->steps);
    for (int k = 0; k < frame->arrays; k++) {
        const int made = fill(out, k, seed);
        fprintf(file, "//@ input %s=", frame->array[k].name);
        if (out->file[k])
            fprintf(file, "%s.npy\n", frame->array[k].name);
        else
            fprintf(file, "%s\n", expressions[made]);
    }
    out->kinds |= random_kernel_draw(frame, number, seed, file);
    fclose(file);
}

void random_case_write(const struct random_case *of, const char *folder_of)
{
    char path[RANDOM_PATH];
    assert_true(mkdir(folder_of, 0777) == 0);
    snprintf(path, sizeof path, "%s/k.frag", folder_of);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(of->text, file);
    fclose(file);
    for (int k = 0; k < of->frame->arrays; k++) {
        snprintf(path, sizeof path, "%s/%s.npy", folder_of, of->frame->array[k].name);
        npy_write(path, of->frame->type == QP_ARRAY_UINT ? QP_ARRAY_DOUBLE : of->frame->type,
                  of->wide[k], of->high[k], of->start[k]);
    }
}

void random_case_interpret(struct random_case *of)
{
    const struct random_frame *is = of->frame;
    struct interpreter_grid grid = {.type = is->type,
                                    .width = of->width,
                                    .height = of->height,
                                    .states = is->states,
                                    .arrays = is->arrays,
                                    .numbers = is->numbers};
    memcpy(of->wanted, of->start, sizeof of->wanted);
    for (int k = 0; k < is->arrays; k++)
        grid.array[k] = (struct interpreter_array){.name = is->array[k].name,
                                                   .outside = is->array[k].outside,
                                                   .value = is->array[k].value,
                                                   .cells = of->wanted[k],
                                                   .error = of->error[k],
                                                   .width = of->wide[k],
                                                   .height = of->high[k]};
    for (int k = 0; k < is->numbers; k++)
        grid.number[k] = (struct interpreter_number){is->number[k].name, is->number[k].values,
                                                     is->number[k].value};
    if ((of->kinds & RANDOM_WRITES) != 0) /* which has no meaning */
        return;
    const char *why = interpreter_run(of->text, &grid, of->steps);
    if (why != NULL) {
        fputs(of->text, stderr);
        fail_msg("%s", why);
    }
    for (int k = 0; k < is->states; k++) {
        for (int i = 0; i < of->width * of->height; i++) {
            const double error = of->error[k][i];
            if (is->exact && error != 0.0 && error < (double)INFINITY) {
                fputs(of->text, stderr);
                fail_msg("a kernel of exact functions is off by %g", error);
            }
        }
    }
}
