/* SPDX-License-Identifier: MIT */
/* The text of a kernel file without its head: its form, its outputs, and the types of numbers. */
#include "toolkit/kernel/kernel.h"
#include "toolkit/kernel_file/kernel_file.h"

#include <stdio.h>

/* The type and channels of values of this GLSL type; false for one that no array has. */
static bool find_values(const struct qp_token *type, struct qp_kernel_desc *desc)
{
    for (int k = QP_ARRAY_FLOAT; k <= QP_ARRAY_DOUBLE; k++) { /* floats before halves */
        for (int channels = 1; channels <= 4; channels *= 2) {
            if (!qp_token_is(type, qp_kernel_type((enum qp_array_type)k, channels)))
                continue;
            desc->output_type = (enum qp_array_type)k;
            desc->output_channels = channels;
            return true;
        }
    }
    return false;
}

/* The output that a word names, which of points is `value`; below 0: none. */
static int output_of(const struct qp_token *word, bool places)
{
    const int number =
        word->length == 4 && memcmp(word->at, "out", 3) == 0 ? word->at[3] - '0' : -1;
    return places ? (int)qp_token_is(word, "value") - 1 : number < QP_KERNEL_OUTPUTS ? number : -1;
}

/* Outputs from out0 on that are named, and their type: of the first constructor that one is
 * assigned. */
static void find_outputs(const struct qp_tokens *tokens, bool places, struct qp_kernel_desc *desc)
{
    bool typed = false;
    desc->output_channels = 1;
    for (int i = 0; i < tokens->count; i++) {
        const struct qp_token *of = &tokens->of[i];
        const int output = of->kind == QP_TOKEN_WORD ? output_of(of, places) : -1;
        if (output < 0)
            continue;
        if (output >= desc->outputs)
            desc->outputs = output + 1;
        typed = typed || (i + 3 < tokens->count && qp_token_is(of + 1, "=") &&
                          qp_token_is(of + 3, "(") && find_values(of + 2, desc));
    }
}

enum qp_status qp_kernel_file_find_form(struct qp_kernel_file_owner *owner)
{
    struct qp_kernel_file *file = &owner->file;
    file->desc.outputs = file->desc.output_channels = 1;
    if (qp_glsl_find(owner->tokens, "main") != NULL)
        return QP_OK;
    file->is_short = file->places = qp_glsl_places(owner->tokens);
    if (file->places) {
        find_outputs(owner->tokens, true, &file->desc);
        return QP_OK;
    }
    const struct qp_glsl_function *function = qp_glsl_find(owner->tokens, "kernel");
    if (function == NULL)
        return qp_fail(
            QP_BAD_INPUT,
            "%s is neither a fragment shader with a main() nor the short form, a function "
            "'float kernel(vec2 here)'",
            file->path);
    const struct qp_token *type = &owner->tokens->of[function->type];
    file->is_short = true;
    if (qp_token_is(type, "void"))
        find_outputs(owner->tokens, false, &file->desc);
    if (find_values(type, &file->desc) || file->desc.outputs > 1 || file->head.states > 1)
        return QP_OK;
    return qp_fail(QP_BAD_INPUT,
                   "%s: the kernel must be a function 'float kernel(vec2 here)', or of another "
                   "type that arrays have, such as vec2, vec4, int, uint or double; void writes "
                   "several outputs, out0, out1 and so on; and it returns %.*s",
                   QP_PLACE(owner->tokens, file->path, type->line), type->length, type->at);
}

/* ---- Values of a cell ---- */

/* The word that the statement around token i begins with, such as its type, if the token is in no
 * call's brackets; else that call's name. */
static const struct qp_token *find_statement(const struct qp_tokens *tokens, int i)
{
    static const char *const ends[] = {";", "{", "}", NULL};
    const struct qp_token *of = tokens->of;
    for (i--; i >= 0 && of[i].kind != QP_TOKEN_END && !qp_token_is_one_of(&of[i], ends); i--) {
        if (of[i].match >= 0 && of[i].match < i)
            i = of[i].match;
        else if (qp_token_is(&of[i], "(") && i > 0 && of[i - 1].kind == QP_TOKEN_WORD)
            return &of[i - 1];
    }
    return qp_token_is(&of[i + 1], "const") ? &of[i + 2] : &of[i + 1];
}

/* The values that a call at token i is used as: 4 or 1, or 0 where its neighbours do not say it. */
static int find_use(const struct qp_tokens *tokens, int i)
{
    static const char *const compare[] = {"<", ">", "<=", ">=", NULL};
    const struct qp_token *of = tokens->of, *after = of + of[i + 1].match + 1;
    if (qp_token_is(after, "."))
        return 4;
    if (i > 2 && qp_token_is(&of[i - 1], "=") && qp_token_is(&of[i - 3], "vec4") &&
        qp_token_is(after, ";"))
        return 4;
    return qp_token_is_one_of(after, compare) ||
                   (i > 0 && qp_token_is_one_of(&of[i - 1], compare)) ||
                   qp_token_is(find_statement(tokens, i), "float")
               ? 1
               : 0;
}

int qp_kernel_file_channels(const struct qp_kernel_file *file, int k, int otherwise)
{
    const struct qp_tokens *tokens = ((const struct qp_kernel_file_owner *)file)->tokens;
    char name[QP_GLSL_LETTERS];
    int most = 0;
    if (!file->is_short || file->desc.output_type != QP_ARRAY_FLOAT)
        return 1;
    for (int i = 0; k >= file->states && qp_glsl_next_gather(tokens, &i, name);) {
        const int use = strcmp(name, file->array[k].name) == 0 ? find_use(tokens, i - 1) : 0;
        most = use > most ? use : most;
    }
    return most > 0 ? most : otherwise;
}

/* ---- Numbers ---- */

enum qp_status qp_kernel_file_type(const struct qp_kernel_file_owner *owner, const char *name,
                                   int values, struct qp_kernel_number *out)
{
    const struct qp_kernel_number_type *types = qp_kernel_number_types;
    const struct qp_glsl_uniform declared = qp_glsl_uniform(owner->tokens, name);
    const enum qp_number_type scalar =
        owner->file.desc.output_type == QP_ARRAY_DOUBLE ? QP_NUMBER_DOUBLE : QP_NUMBER_FLOAT;
    int k = 0, made = scalar;
    while (k < QP_NUMBER_TYPES &&
           (declared.type == NULL || !qp_token_is(declared.type, types[k].name)))
        k++;
    while (made < QP_NUMBER_TYPES && types[made].values != values)
        made++;
    *out = (struct qp_kernel_number){.name = name, .type = scalar};
    if (declared.list || made == QP_NUMBER_TYPES)
        out->elements = values;
    else
        out->type = (enum qp_number_type)(k < QP_NUMBER_TYPES ? k : made);
    if (declared.list || k == QP_NUMBER_TYPES || types[k].values == values)
        return QP_OK;
    return qp_fail(QP_BAD_INPUT, "the shader declares '%s' as %s, which takes %d number%s", name,
                   types[k].name, types[k].values, types[k].values > 1 ? "s" : "");
}

enum qp_status qp_kernel_file_fail_at(const struct qp_kernel_file_owner *owner, int line,
                                      const char *word, const char *name)
{
    if (owner->unset_line > 0)
        return qp_fail_within(QP_BAD_INPUT, "%s",
                              QP_PLACE(owner->tokens, owner->file.path, owner->unset_line));
    if (line == 0)
        return qp_fail_within(QP_BAD_USE, "%s %s", word, name);
    return qp_fail_within(QP_BAD_INPUT, "%s:%d: %s %s", owner->file.path, line, word, name);
}

static bool is_sampler(const struct qp_token *type)
{
    return strncmp(type->at + (type->at[0] == 'i' || type->at[0] == 'u'), "sampler", 7) == 0;
}

/* Lists the uniforms of a whole shader that are no samplers. */
static void list_uniforms(const struct qp_tokens *tokens, char *list, size_t size)
{
    size_t used = 0;
    for (int i = 0; i + 2 < tokens->count && used + QP_GLSL_LETTERS < size; i++) {
        char name[QP_GLSL_LETTERS];
        snprintf(name, sizeof name, "%.*s", tokens->of[i].length, tokens->of[i].at);
        const struct qp_token *type = qp_glsl_uniform(tokens, name).type;
        if (type != NULL && &tokens->of[i] == type + 1 && !is_sampler(type))
            used += (size_t)snprintf(list + used, size - used, "%s'%s'",
                                     used > 0 ? ", " : "; it reads ", name);
    }
}

enum qp_status qp_kernel_file_check_read(const struct qp_kernel_file_owner *owner, const char *name,
                                         bool gathers)
{
    char near[QP_GLSL_LETTERS], list[256] = "";
    if (qp_glsl_has(owner->tokens, name) ||
        (gathers && owner->file.is_short && qp_glsl_reads(owner->tokens, name)))
        return QP_OK;
    qp_glsl_nearest(owner->tokens, name, near);
    if (near[0] == '\0' && !gathers && !owner->file.is_short)
        list_uniforms(owner->tokens, list, sizeof list);
    return qp_fail(QP_BAD_INPUT, "the shader reads no '%s'%s%s%s%s", name,
                   near[0] != '\0' ? "; did you mean '" : "", near, near[0] != '\0' ? "'?" : "",
                   list);
}
