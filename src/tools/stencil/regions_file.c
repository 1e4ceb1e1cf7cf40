/* SPDX-License-Identifier: MIT */
/* Lines in templates that call a kernel in C or CUDA, and describe its arrays. */
#include <string.h>

#include "tools/stencil/stencil.h"

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
    fputs("\nstatic struct array input[] = {\n    ", out);
    put_list(function, QP_USE_READ, out);
    fputs("};\nstatic struct array output[] = {\n    ", out);
    put_list(function, QP_USE_WRITTEN, out);
    fputs("};\n", out);
}

/* The function's declaration, and its call. */
static void put_call(const struct qp_stencil *s, FILE *out)
{
    static const char *const stars[] = {
        [QP_USE_READ] = "const %s *", [QP_USE_WRITTEN] = "%s *", [QP_USE_NUMBER] = "%s"};
    const struct qp_kernel_function *function = qp_kernel_file_function(s->file);
    fprintf(out, "void %s(int, int", function->name);
    for (int k = 0; k < function->parameters; k++) {
        const struct qp_kernel_parameter *one = &function->parameter[k];
        fputs(", ", out);
        fprintf(out, stars[one->use], type_of(one->type));
    }
    fprintf(out,
            ");\n\nvoid call_kernel(int width, int height, void *const *read, void *const "
            "*written,\n                 const double *number)\n{\n    %s(width, height",
            function->name);
    for (int k = 0; k < function->parameters; k++) {
        const struct qp_kernel_parameter *one = &function->parameter[k];
        if (one->use == QP_USE_NUMBER)
            fprintf(out, ", (%s)number[%d]", type_of(one->type), one->number);
        else
            fprintf(out, ", %s[%d]", one->use == QP_USE_READ ? "read" : "written", one->number);
    }
    fputs(");\n    (void)number;\n}\n", out);
}

const struct qp_stencil_region qp_stencil_file_regions[] = {
    {"file arrays", put_arrays, NULL}, {"file call", put_call, NULL}, {NULL, NULL, NULL}};
