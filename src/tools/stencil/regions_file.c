/* SPDX-License-Identifier: MIT */
/* Lines in templates that call a kernel in C or CUDA, and describe its arrays. */
#include <string.h>

#include "toolkit/arrays/array.h"
#include "tools/stencil/stencil.h"

enum { GROUP = 16 /* threads of a block across and up, unless the head says it */ };

/* A string of C. */
static void put_string(const char *text, FILE *out)
{
    fputc('"', out);
    for (; *text != '\0'; text++)
        fprintf(out, strchr("\\\"?", *text) != NULL ? "\\%c" : "%c", *text);
    fputc('"', out);
}

static const char *type_of(enum qp_array_type type)
{
    static const char *const types[] = {[QP_ARRAY_FLOAT] = "float",
                                        [QP_ARRAY_DOUBLE] = "double",
                                        [QP_ARRAY_INT] = "int",
                                        [QP_ARRAY_UINT] = "unsigned"};
    return types[type];
}

static void put_list(const struct qp_kernel_function *function, enum qp_kernel_use use, FILE *out)
{
    const char *before = "";
    for (int k = 0; k < function->parameters; k++) {
        const struct qp_kernel_parameter *one = &function->parameter[k];
        if (one->use != use)
            continue;
        fprintf(out, "%s{\"%s\", sizeof(%s), NULL, NULL}", before, one->name, type_of(one->type));
        before = ",\n    ";
    }
}

static void put_arrays(const struct qp_stencil *s, FILE *out)
{
    const struct qp_kernel_function *function = qp_kernel_file_function(s->file);
    fputs("#define PATH ", out);
    put_string(s->file->path, out);
    fprintf(out,
            "\n#define KERNEL \"%s\"\nenum { WHOLE = %d };\nstatic const int group[] = {%d, %d};",
            function->name, qp_array_is_whole(s->file->desc.output_type),
            function->group[0] > 0 ? function->group[0] : GROUP,
            function->group[1] > 0 ? function->group[1] : GROUP);
    fputs("\nstatic struct array input[] = {\n    ", out);
    put_list(function, QP_USE_READ, out);
    fputs("};\nstatic struct array output[] = {\n    ", out);
    put_list(function, QP_USE_WRITTEN, out);
    fputs("};\n", out);
}

/* Arguments of a call of the function, of which `begun` are there. */
static void put_arguments(const struct qp_kernel_function *function, bool begun, FILE *out)
{
    static const char *const casts[] = {[QP_USE_READ] = "(const %s *)read[%d]",
                                        [QP_USE_WRITTEN] = "(%s *)written[%d]",
                                        [QP_USE_NUMBER] = "(%s)number[%d]"};
    for (int k = 0; k < function->parameters; k++) {
        const struct qp_kernel_parameter *one = &function->parameter[k];
        fputs(k > 0 || begun ? ",\n        " : "", out);
        fprintf(out, casts[one->use], type_of(one->type), one->number);
    }
    fputs(");\n}\n", out);
}

/* The call of a function in C, after its declaration, or the launch of one in CUDA. */
static void put_call(const struct qp_stencil *s, FILE *out)
{
    static const char *const stars[] = {
        [QP_USE_READ] = ", const %s *", [QP_USE_WRITTEN] = ", %s *", [QP_USE_NUMBER] = ", %s"};
    const struct qp_kernel_function *function = qp_kernel_file_function(s->file);
    const bool cuda = function->language == QP_IN_CUDA;
    if (!cuda)
        fprintf(out, "void %s(int, int", function->name);
    for (int k = 0; k < function->parameters && !cuda; k++)
        fprintf(out, stars[function->parameter[k].use], type_of(function->parameter[k].type));
    fprintf(out,
            "%svoid call_kernel(int width, int height, void *const *read,\n"
            "                   void *const *written, const double *number)\n{\n    ",
            cuda ? "static " : ");\n\n");
    if (cuda)
        fputs("launch(", out);
    else
        fprintf(out, "%s(width, height", function->name);
    put_arguments(function, !cuda, out);
}

const struct qp_stencil_region qp_stencil_file_regions[] = {
    {"file arrays", put_arrays, NULL}, {"file call", put_call, NULL}, {NULL, NULL, NULL}};
