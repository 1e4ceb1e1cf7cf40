/* SPDX-License-Identifier: MIT */
/* The text of a kernel file without its head: its form, its outputs, and the types of numbers. */
#include "toolkit/array.h"
#include "toolkit/kernel.h"
#include "toolkit/kernel_file.h"

/* The type and channels of values of this GLSL type; false for one that no array has. */
static bool find_values(const struct qp_token *type, struct qp_kernel_desc *desc)
{
    static const enum qp_array_type types[] = {QP_ARRAY_FLOAT, QP_ARRAY_INT, QP_ARRAY_UINT,
                                               QP_ARRAY_DOUBLE};
    for (int k = 0; k < 4; k++) {
        for (int channels = 1; channels <= 4; channels *= 2) {
            if (qp_array_format(types[k], channels) == QP_FORMATS ||
                !qp_token_is(type, qp_kernel_type(types[k], channels)))
                continue;
            desc->output_type = types[k];
            desc->output_channels = channels;
            return true;
        }
    }
    return false;
}

/* Outputs from out0 on that are named, and their type: of the first constructor that one is assigned. */
static void find_outputs(const struct qp_tokens *tokens, struct qp_kernel_desc *desc)
{
    bool typed = false;
    desc->output_channels = 1;
    for (int i = 0; i < tokens->count; i++) {
        const struct qp_token *of = &tokens->of[i];
        if (of->kind != QP_TOKEN_WORD || of->length != 4 || memcmp(of->at, "out", 3) != 0 ||
            of->at[3] < '0' || of->at[3] >= '0' + QP_KERNEL_OUTPUTS)
            continue;
        if (of->at[3] - '0' >= desc->outputs)
            desc->outputs = of->at[3] - '0' + 1;
        typed = typed || (i + 3 < tokens->count && qp_token_is(of + 1, "=") &&
                          qp_token_is(of + 3, "(") && find_values(of + 2, desc));
    }
}

enum qp_status qp_kernel_file_find_form(struct qp_kernel_file_owner *owner)
{
    struct qp_kernel_file *file = &owner->file;
    struct qp_glsl_function function;
    file->desc.outputs = file->desc.output_channels = 1;
    if (qp_glsl_find(&owner->tokens, "main", &function))
        return QP_OK;
    if (!qp_glsl_find(&owner->tokens, "kernel", &function))
        return qp_fail(
            QP_BAD_INPUT,
            "%s is neither a fragment shader with a main() nor the short form, a function "
            "'float kernel(vec2 here)'",
            file->path);
    const struct qp_token *type = &owner->tokens.of[function.type];
    file->is_short = true;
    if (qp_token_is(type, "void"))
        find_outputs(&owner->tokens, &file->desc);
    if (find_values(type, &file->desc) || file->desc.outputs > 1)
        return QP_OK;
    return qp_fail(QP_BAD_INPUT,
                   "%s:%d: the kernel must be a function 'float kernel(vec2 here)', or of another "
                   "type that arrays have, such as vec2, vec4, int, uint or double; void writes "
                   "several outputs, out0, out1 and so on; and it returns %.*s",
                   file->path, type->line, type->length, type->at);
}

enum qp_status qp_kernel_file_type(const struct qp_kernel_file_owner *owner, const char *name,
                                   int values, struct qp_kernel_number *out)
{
    static const char *const names[] = {"float", "vec2", "vec3", "vec4", "int"};
    static const enum qp_number_type types[] = {QP_NUMBER_FLOAT, QP_NUMBER_VEC2, QP_NUMBER_VEC3,
                                                QP_NUMBER_VEC4};
    const struct qp_glsl_uniform declared = qp_glsl_uniform(&owner->tokens, name);
    int k = 0;
    while (declared.type != NULL && k < 5 && !qp_token_is(declared.type, names[k]))
        k++;
    const int wanted = declared.type == NULL || k == 5 ? values : k < 4 ? k + 1 : 1;
    *out = (struct qp_kernel_number){.name = name};
    if (declared.list || values > 4)
        out->elements = values;
    else
        out->type = declared.type != NULL && k == 4 ? QP_NUMBER_INT : types[values - 1];
    if (declared.list || wanted == values)
        return QP_OK;
    return qp_fail(QP_BAD_INPUT, "the shader declares '%s' as %s, which takes %d number%s", name,
                   names[k], wanted, wanted > 1 ? "s" : "");
}
