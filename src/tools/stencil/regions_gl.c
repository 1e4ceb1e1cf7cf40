/* SPDX-License-Identifier: MIT */
/* Regions of programs on OpenGL: the shaders' facts about the kernel, and its text, precise. */
#include <stdlib.h>

#include "toolkit/base/status.h"
#include "toolkit/kernel/kernel.h"
#include "tools/stencil/stencil.h"

/* Values outside are written so that they are read as they are; integers by their bits. */
static void put_outside(enum qp_array_type type, double value, int k, FILE *out)
{
    fputs(k > 0 ? ", qp_real(" : "qp_real(", out);
    if (type == QP_ARRAY_INT)
        fprintf(out, "%uu)", (unsigned)(int)value);
    else
        fprintf(out, "%.17e%s)", value, type == QP_ARRAY_DOUBLE ? "lf" : "");
}

static void put_description(const struct qp_stencil *s, FILE *out)
{
    const struct qp_kernel_file *file = s->file;
    const struct qp_kernel_type *type = &qp_kernel_types[file->desc.output_type];
    fputs(qp_glsl_loops(s->tokens) ? "#define qp_loops // the kernel has loops\n" : "", out);
    fprintf(out,
            "#define qp_real %s // a value of an array\n"
            "#define qp_texel %svec4 // CELLS values, side by side\n"
            "#define qp_sampler %ssampler2DRect\n#define qp_image %simage2DRect\n"
            "#define REACH %d // distance of the farthest cell that a cell reads\n"
            "#define STATES %d\n#define ARRAYS %d\n"
            "const int qp_outside[ARRAYS] = int[](",
            type->values[0], type->letter, type->letter, type->letter, s->reach > 0 ? s->reach : 1,
            file->states, file->inputs);
    for (int k = 0; k < file->inputs; k++)
        fprintf(out, "%s%s", k > 0 ? ", " : "", qp_stencil_outside(&file->array[k]));
    fputs(");\nconst qp_real qp_beyond[ARRAYS] = qp_real[](", out);
    for (int k = 0; k < file->inputs; k++)
        put_outside(file->desc.output_type, qp_stencil_value_outside(&file->array[k]), k, out);
    fputs(");\n", out);
    for (int k = 0; k < file->head.numbers; k++) {
        const struct qp_kernel_number *number = &file->desc.number[k];
        fprintf(out, number->elements > 0 ? "uniform %s %s[%d];\n" : "uniform %s %s;\n",
                qp_kernel_number_types[number->type].name, number->name, number->elements);
    }
}

/* Cells beyond the side of a state that wraps are those of the other side once more. They find
 * the same neighbours there only if all arrays wrap. */
static bool takes_several(const struct qp_kernel_file *file)
{
    int wrapping = 0, states = 0;
    for (int k = 0; k < file->inputs; k++) {
        const bool wraps = file->array[k].outside == QP_OUTSIDE_WRAP;
        wrapping += wraps;
        states += k < file->states && wraps;
    }
    return states == 0 || wrapping == file->inputs;
}

/* Each cell of a block, and of what is around it, has its text in the shader: a block and its
 * steps are as large as drivers compile in seconds, which take minutes for dozens of long loops.
 * Fragments have 8 targets and 32 textures. */
static void put_block(const struct qp_stencil *s, FILE *out)
{
    const struct qp_kernel_file *file = s->file;
    const int words = s->tokens->count * file->inputs;
    int most = qp_glsl_loops(s->tokens) || words > 300 || !takes_several(file) ? 1
               : words > 150                                                   ? 2
                                                                               : 4;
    while (most > 1 && most * s->reach > 4) /* more of neighbours' cells than of its own */
        most /= 2;
    fprintf(out,
            "#define ROWS %d /* rows of the block of cells that an invocation computes */\n"
            "#define MOST %d /* steps at once */\n",
            (int)qp_stencil_tuned(s, s->target, "rows",
                                  s->loops_long                            ? 2
                                  : file->states == 1 && file->inputs <= 4 ? 8
                                  : file->states <= 2                      ? 4
                                                                           : 2),
            takes_several(file) ? (int)qp_stencil_tuned(s, s->target, "steps", most) : 1);
}

static void put_reads(const struct qp_stencil *s, FILE *out)
{
    const struct qp_kernel_file *file = s->file;
    for (int k = 0; k < file->inputs; k++)
        fprintf(out, "#define %s_at(dx, dy) %s_AT(%d, dx, dy)\n", file->array[k].name,
                k < file->states ? "STATE" : "INPUT", k);
    for (int k = 0; file->states > 1 && k < file->states; k++)
        fprintf(out, "precise %s out%d;\n", qp_kernel_type(file->desc.output_type, 1), k);
}

static enum qp_status put_body(const struct qp_stencil *s, FILE *out)
{
    char *text;
    const enum qp_status status = qp_drawn_text(&s->file->desc, true, &text);
    if (status == QP_OK)
        fprintf(out, "%s%s%s\n", qp_division_functions(s->file->text), qp_sum_functions(s->tokens),
                text + (s->tokens->of[0].at - s->file->text));
    free(text);
    return status;
}

static void put_calls(const struct qp_stencil *s, FILE *out)
{
    const int states = s->file->states;
    fputs(states > 1 ? "kernel(here);\n" : "qp_keep(0, kernel(here));\n", out);
    for (int k = 0; states > 1 && k < states; k++)
        fprintf(out, "qp_keep(%d, out%d);\n", k, k);
}

static void put_uniforms(const struct qp_stencil *s, FILE *out)
{
    const struct qp_kernel_file *file = s->file;
    for (int k = 0; k < file->head.numbers; k++) {
        const struct qp_kernel_number *number = &file->desc.number[k];
        const char *type = qp_stencil_type(number);
        fprintf(out,
                "glUniform%d%cv(glGetUniformLocation(program, \"%s\"), %d, "
                "(const %s *)&grid->set.%s%s);\n",
                qp_kernel_number_types[number->type].values, type[0], number->name,
                number->elements > 0 ? number->elements : 1, type, qp_stencil_own(number->name),
                number->name);
    }
}

const struct qp_stencil_region qp_stencil_gl_regions[] = {
    {"shader description", put_description, NULL},
    {"block", put_block, NULL},
    {"reads", put_reads, NULL},
    {"shader body", NULL, put_body},
    {"shader calls", put_calls, NULL},
    {"set uniforms", put_uniforms, NULL},
    {NULL, NULL, NULL}};
