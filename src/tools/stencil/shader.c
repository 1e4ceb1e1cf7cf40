/* SPDX-License-Identifier: MIT */
/* Programs of kernel files that are compute shaders: they dispatch the text over buffers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/gl/program.h"
#include "tools/stencil/machine.h"

/* Bytes of a member in front of each array, for guards of wide grids too. */
enum { FRONT = 1 << 16 };

/* ---- Regions of templates ---- */

static void put_facts(const struct qp_stencil *s, FILE *out)
{
    const struct qp_kernel_file *file = s->file;
    const struct qp_kernel_function *function = qp_kernel_file_function(file);
    int numbers = 0;
    bool asks = false;
    for (int i = 0; i + 1 < s->tokens->count; i++)
        asks = asks || (qp_token_is(&s->tokens->of[i], ".") &&
                        qp_token_is(&s->tokens->of[i + 1], "length"));
    fprintf(out, "#define ASKS_LENGTH %d\nstatic const size_t value[] = {", asks);
    for (int k = 0; k < file->inputs + file->states; k++) /* the first parameters */
        fprintf(out, "%s%d", k > 0 ? ", " : "",
                function->parameter[k].type == QP_ARRAY_DOUBLE ? 8 : 4);
    fputs("};\nstatic const char *const numbers[] = {", out);
    for (; file->desc.number[numbers].name != NULL; numbers++)
        fprintf(out, "\"%s\", ", file->desc.number[numbers].name);
    fprintf(out, "NULL};\nenum { INPUTS = %d, ALL = %d, NUMBERS = %d, FRONT = %d };\n",
            file->inputs, file->inputs + file->states, numbers, FRONT);
}

const struct qp_stencil_region qp_stencil_shader_regions[] = {{"shader facts", put_facts, NULL},
                                                              {NULL, NULL, NULL}};

/* ---- Texts ---- */

enum qp_status qp_build_take_shader(const struct qp_kernel_file *file, struct qp_build *build,
                                    bool *is_other)
{
    char *text = NULL;
    const enum qp_status status = qp_kernel_file_shader_text(file, FRONT, &text);
    *is_other = status == QP_OK && (build->text == NULL || strcmp(text, build->text) != 0);
    if (status != QP_OK)
        return status;
    free(build->text);
    build->text = text;
    return QP_OK;
}

enum qp_status qp_build_try_shader(struct qp_context *context, const struct qp_kernel_file *file)
{
    struct qp_program *program = NULL;
    const struct qp_tokens *first = ((const struct qp_kernel_file_owner *)file)->tokens;
    char *text = NULL, *head = NULL;
    if (!(qp_context_device(context)->abilities & QP_CAN_COMPUTE))
        return qp_fail(QP_NO_DEVICE, "%s: this device has no compute shaders (OpenGL 4.3)",
                       file->path);
    enum qp_status status = qp_kernel_file_shader_text(file, 0, &text);
    if (status == QP_OK && (head = qp_alloc(strlen(text) + 16, 1, "a shader's text")) == NULL)
        status = QP_NO_MEMORY;
    if (status == QP_OK) {
        char *version = text + (first->of[0].at - first->text); /* a line #version */
        sprintf(head, "%.*s\n#line 1\n", (int)strcspn(version, "\n"), version);
        version[0] = version[1] = '/';
        const struct qp_program_source source = {
            .compute = {.name = file->path, .text = text, .head = head},
            .target = GL_TEXTURE_RECTANGLE_ARB,
            .is_given_back = true};
        status = qp_program_make(context, &source, NULL, NULL, &program);
        qp_program_give_back(context, program);
    }
    free(head);
    free(text);
    return status;
}
