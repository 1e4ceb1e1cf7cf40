/* SPDX-License-Identifier: MIT */
/* Regions of programs that all targets share: the description, arrays, numbers, and the kernel's
 * text. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "toolkit/arrays/array.h"
#include "toolkit/base/expression.h"
#include "toolkit/kernel/kernel.h"
#include "toolkit/kernel_file/kernel_file.h"
#include "tools/stencil/stencil.h"

static int given(int value, int usual)
{
    return value > 0 ? value : usual;
}

/* True if the reference computes in double what the kernel computes in float. */
static bool is_double(const struct qp_stencil *s)
{
    return s->file->desc.output_type == QP_ARRAY_FLOAT;
}

static void put_description(const struct qp_stencil *s, FILE *out)
{
    const struct qp_kernel_file *file = s->file;
    const char *ending = strrchr(file->path, '.');
    const enum qp_array_type type = file->desc.output_type;
    const double tolerance =
        file->head.tolerance > 0.0 ? file->head.tolerance : qp_array_tolerance(type);
    fprintf(out, "typedef %s real; /* a value of an array */\n", qp_kernel_type(type, 1));
    fprintf(out, "#define IS_WHOLE %d /* 1: values are integers */\n#define NAME \"%s\"\n\n",
            type == QP_ARRAY_INT, s->name);
    fprintf(out,
            "enum { REACH = %d }; /* distance of the farthest cell that a cell reads */\n"
            "enum { STATES = %d }; /* arrays that a step writes */\n"
            "enum { ARRAYS = %d }; /* all arrays: the states, then arrays that are only read */\n\n"
            "enum { STEPS = %d, WIDTH = %d, HEIGHT = %d }; /* by default */\n"
            "#define SEED %lluu /* seed of random arrays */\n"
            "#define TOLERANCE %.9g /* largest error of a step over the largest value */\n",
            given(s->reach, 1), file->states, file->inputs, given(file->head.steps, 1),
            given(file->head.width, 256), given(file->head.height, 256),
            file->head.has_seed ? file->head.seed : 1ull, tolerance);
    fprintf(out, "#define IS_POISSON %d /* a step solves -laplace(x) = f */\n",
            ending != NULL && strcmp(ending, ".conf") == 0 && file->inputs > 1);
}

const char *qp_stencil_type(const struct qp_kernel_number *number)
{
    return number->type >= QP_NUMBER_DOUBLE ? "double"
           : number->type == QP_NUMBER_INT  ? "int"
                                            : "float";
}

static void put_fields(const struct qp_stencil *s, FILE *out)
{
    static const char *const members[] = {"", "", "x, y", "x, y, z", "x, y, z, w"};
    for (int k = 0; k < s->file->head.numbers; k++) {
        const struct qp_kernel_number *number = &s->file->desc.number[k];
        const int values = qp_kernel_number_types[number->type].values;
        const char *type = qp_stencil_type(number);
        if (values > 1)
            fprintf(out, "struct { %s %s; } %s%s;\n", type, members[values],
                    qp_stencil_own(number->name), number->name);
        else
            fprintf(out, number->elements > 0 ? "%s %s%s[%d];\n" : "%s %s%s;\n", type,
                    qp_stencil_own(number->name), number->name, number->elements);
    }
}

static void put_names(const struct qp_stencil *s, FILE *out)
{
    const struct qp_kernel_file *file = s->file;
    for (int k = 0; k < file->inputs; k++)
        fprintf(out, "#define %s_at(dx, dy) at_of(at, %d, dx, dy)\n", file->array[k].name, k);
    for (int k = 0; file->states > 1 && k < file->states; k++)
        fprintf(out, "#define out%d (at->out[%d])\n", k, k);
}

const char *qp_stencil_outside(const struct qp_kernel_file_array *array)
{
    return array->outside == QP_OUTSIDE_CLAMP  ? "CLAMP"
           : array->outside == QP_OUTSIDE_WRAP ? "WRAP"
                                               : "VALUE";
}

double qp_stencil_value_outside(const struct qp_kernel_file_array *array)
{
    return array->outside == QP_OUTSIDE_VALUE ? array->outside_value : 0.0;
}

static enum qp_status put_expressions(const struct qp_stencil *s, FILE *out)
{
    struct qp_expression expression;
    for (int k = 0; k < s->file->inputs; k++) {
        const struct qp_kernel_file_array *array = &s->file->array[k];
        if (array->made != QP_MADE_EXPRESSION)
            continue;
        if (qp_expression_read(array->from, &expression) != QP_OK)
            return QP_NO_MEMORY;
        fprintf(out, "if (array == %d)\n    return ", k);
        qp_expression_put(&expression, expression.whole, "x", "y", out);
        fputs(";\n", out);
    }
    return QP_OK;
}

/* C takes -0 for an integer, which has no sign. */
static void put_outside(const struct qp_kernel_file_array *array, FILE *out)
{
    const double value = qp_stencil_value_outside(array);
    fprintf(out, "%s, %.17g%s},\n", qp_stencil_outside(array), value,
            value == 0.0 && signbit(value) ? ".0" : "");
}

static void put_arrays(const struct qp_stencil *s, FILE *out)
{
    static const char *const made[] = {"FROM_FILE", "ZEROS",   "ONES",      "RANDOM",
                                       "GRADIENT",  "IMPULSE", "EXPRESSION"};
    const struct qp_kernel_file *file = s->file;
    for (int k = 0; k < file->inputs; k++) {
        const struct qp_kernel_file_array *array = &file->array[k];
        fprintf(out, "{\"%s\", %s, ", array->name,
                k < file->states && array->from == NULL ? "RANDOM" : made[array->made]);
        put_outside(array, out);
    }
}

static void put_outsides(const struct qp_stencil *s, FILE *out)
{
    for (int k = 0; k < s->file->inputs; k++) {
        fputc('{', out);
        put_outside(&s->file->array[k], out);
    }
}

static void put_settings(const struct qp_stencil *s, FILE *out)
{
    const struct qp_kernel_file *file = s->file;
    for (int k = 0; k < file->head.numbers; k++)
        fprintf(out, "{\"%s\", offsetof(struct numbers, %s%s), %d, '%c'},\n",
                file->desc.number[k].name, qp_stencil_own(file->desc.number[k].name),
                file->desc.number[k].name, file->head.number[k].values,
                qp_stencil_type(&file->desc.number[k])[0]);
}

static void put_values(const struct qp_stencil *s, FILE *out)
{
    const struct qp_kernel_file *file = s->file;
    for (int k = 0; k < file->head.numbers; k++) {
        const struct qp_kernel_file_number *number = &file->head.number[k];
        fputs(number->values > 1 ? "{" : "", out);
        const char type = qp_stencil_type(&file->desc.number[k])[0];
        for (int i = 0; i < number->values; i++)
            fprintf(out, "%s%.*g", i > 0 ? ", " : "", type == 'f' ? 9 : 17,
                    type == 'f' ? (double)(float)number->value[i] : number->value[i]);
        fputs(number->values > 1 ? "},\n" : ",\n", out);
    }
}

static bool is_async(const struct qp_stencil *s)
{
    const enum qp_sync sync = qp_kernel_file_sync(s->file)->number;
    return sync >= QP_SYNC_ASYNC0 && sync <= QP_SYNC_ASYNC3;
}

int qp_stencil_rows(const struct qp_stencil *s)
{
    const struct qp_kernel_tuned *unknowns = qp_kernel_file_tuned(s->file, "cuda", "unknowns");
    const bool async = is_async(s);
    const int warps = (int)qp_stencil_tuned(s, "cuda", "threads", 512.0) / 32,
              beside = warps < 4 ? warps : 4, bytes = 32 * beside * 16,
              across = bytes / (s->file->desc.output_type == QP_ARRAY_DOUBLE ? 8 : 4);
    for (int rows = async ? 4 : 1; rows <= (async ? 32 : 8) && unknowns != NULL; rows *= 2) {
        if (unknowns->value[0] == (async ? 64 : across) && warps > 0 &&
            unknowns->value[1] == (async ? rows : rows * warps / (double)beside))
            return rows;
    }
    return 0;
}

/* Rows of a warp or of an asynchronous block, where blocks of this number of unknowns can be had.
 */
static void put_unknowns(const struct qp_stencil *s, FILE *out)
{
    const int rows = qp_stencil_rows(s);
    if (rows > 0 && qp_kernel_file_tuned(s->file, "cuda", "block") == NULL)
        fprintf(out, "#define %s %d /* rows of unknowns */\n", is_async(s) ? "BLOCK" : "UP", rows);
}

/* All numbers of the target, as constants in capitals. */
static void put_tuned(const struct qp_stencil *s, FILE *out)
{
    const struct qp_kernel_file_owner *owner = (const struct qp_kernel_file_owner *)s->file;
    for (int k = 0; k < owner->tunings; k++) {
        const struct qp_kernel_tuned *tuned = &owner->tuned[k];
        if (strcmp(tuned->target, s->target) != 0)
            continue;
        if (strcmp(tuned->name, "unknowns") == 0)
            put_unknowns(s, out);
        if (tuned->value[1] != 0.0)
            continue;
        fputs("#define ", out);
        for (const char *letter = tuned->name; *letter != '\0'; letter++)
            fputc(toupper((unsigned char)*letter), out);
        fprintf(out, " %d /* tuned */\n", (int)tuned->value[0]);
    }
}

/* Rows at once: one of a long text, whose values do not stay in registers for several. */
static void put_together(const struct qp_stencil *s, FILE *out)
{
    fprintf(
        out,
        "#define TOGETHER %d /* rows that are computed at once, so that rows between them are read "
        "once */\n",
        (int)qp_stencil_tuned(
            s, s->target, "together",
            s->tokens->count * s->file->inputs <= 150 && !qp_glsl_loops(s->tokens) ? 4 : 1));
}

double qp_stencil_tuned(const struct qp_stencil *s, const char *other, const char *name,
                        double usual)
{
    const struct qp_kernel_tuned *own = qp_kernel_file_tuned(s->file, s->target, name),
                                 *tuned =
                                     own != NULL ? own : qp_kernel_file_tuned(s->file, other, name);
    return tuned != NULL ? tuned->value[0] : usual;
}

/* A share above 1 is all; below 0 there is none. */
static void put_partition(const struct qp_stencil *s, FILE *out)
{
    fprintf(out, "double partition = %.9g;\n",
            fmin(qp_stencil_tuned(s, s->target, "partition", -1.0), 1.0));
}

static void put_result(const struct qp_stencil *s, FILE *out)
{
    fprintf(out, "%skernel(&cell, here);\n", s->file->states > 1 ? "" : "cell.out[0] = ");
}

static enum qp_status put_body(const struct qp_stencil *s, FILE *out)
{
    return qp_stencil_put_body(s, QP_BODY_C, out);
}

static enum qp_status put_reference_body(const struct qp_stencil *s, FILE *out)
{
    return qp_stencil_put_body(s, is_double(s) ? QP_BODY_REFERENCE : QP_BODY_C, out);
}

static void put_reference_types(const struct qp_stencil *s, FILE *out)
{
    fputs(is_double(s) ? "#define DOUBLES\n" : "", out);
}

static void put_help(const struct qp_stencil *s, FILE *out)
{
    const enum qp_sync sync = qp_kernel_file_sync(s->file)->number;
    const bool launches = is_async(s);
    fprintf(out,
            "\"  --steps N           %s\\n\"\n"
            "\"  --set NAME=VALUE    a number of the kernel%s\\n\"\n",
            launches ? "launches of alpha + 1 steps" : "steps",
            launches                 ? ", alpha, or block: 4, 8, 16 or 32"
            : sync == QP_SYNC_JACOBI ? ", or steps_at_once: 1, 2, 4 ..."
                                     : "");
}

static void put_sync(const struct qp_stencil *s, FILE *out)
{
    static const char *const names[] = {"", "ASYNC0", "ASYNC1", "ASYNC2", "ASYNC3", "RED_BLACK"};
    const struct qp_kernel_sync *sync = qp_kernel_file_sync(s->file);
    fprintf(out, "#define SYNC %s\n#define ALPHA %d\n", names[sync->number], given(sync->alpha, 6));
}

static void put_usage(const struct qp_stencil *s, FILE *out)
{
    const struct qp_kernel_file_head *head = &s->file->head;
    fprintf(out, "./%s --steps %d --size %dx%d -o x.npy --time\n", s->name, given(head->steps, 1),
            given(head->width, 256), given(head->height, 256));
}

static void put_changes(const struct qp_stencil *s, FILE *out)
{
    if (s->is_cxx)
        fputs("The program is C++17: the kernel computes with vectors, or has what C has not.\n"
              "`v.yx` became `v.get<'y', 'x'>()`, or `set` where it is written; `out` parameters "
              "became references.\n",
              out);
}

static void put_name(const struct qp_stencil *s, FILE *out)
{
    fprintf(out, "NAME = %s\n", s->name);
}

static void put_language(const struct qp_stencil *s, FILE *out)
{
    fprintf(out, "LANGUAGE = %s\n", s->is_cxx ? "-x c++ -std=c++17 -fno-exceptions" : "-std=gnu11");
}

const struct qp_stencil_region qp_stencil_regions[] = {
    {"description", put_description, NULL},
    {"fields", put_fields, NULL},
    {"names", put_names, NULL},
    {"arrays", put_arrays, NULL},
    {"expressions", NULL, put_expressions},
    {"outsides", put_outsides, NULL},
    {"settings", put_settings, NULL},
    {"numbers", put_values, NULL},
    {"together", put_together, NULL},
    {"tuned", put_tuned, NULL},
    {"partition", put_partition, NULL},
    {"result", put_result, NULL},
    {"body", NULL, put_body},
    {"reference body", NULL, put_reference_body},
    {"reference types", put_reference_types, NULL},
    {"help", put_help, NULL},
    {"sync", put_sync, NULL},
    {"usage", put_usage, NULL},
    {"changes", put_changes, NULL},
    {"name", put_name, NULL},
    {"language", put_language, NULL},
    {NULL, NULL, NULL}};
