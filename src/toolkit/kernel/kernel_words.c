/* SPDX-License-Identifier: MIT */
/* Why a kernel could not be made, in words of the toolkit: the driver's, and a guess at what was
 * meant. */
#include "toolkit/kernel/kernel.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/nearest.h"
#include "toolkit/base/text.h"
#include "toolkit/glsl/facts.h"

enum { WORD = 72 /* letters of a known name, and the end */, GATHERS = 3 };

/* A body of points is a vertex shader: it reads arrays by x_cell, as textures of its own. */
static enum qp_status check_points(const struct qp_kernel *kernel)
{
    const char *name = kernel->desc.name;
    GLint most = 0;
    int count = 0;
    if (kernel->outputs > 1)
        return qp_fail(QP_BAD_USE, "%s: points write one output, not %d", name, kernel->outputs);
    if (!qp_glsl_has(kernel->tokens, "value"))
        return qp_fail(QP_BAD_USE, "%s: its place() never sets `value`, which is put into the cell",
                       name);
    for (int i = 0; i < kernel->inputs; i++) {
        char at[WORD], cell[WORD];
        snprintf(at, sizeof at, "%s_at", kernel->desc.input[i].name);
        snprintf(cell, sizeof cell, "%s_cell", kernel->desc.input[i].name);
        if (qp_glsl_has(kernel->tokens, at))
            return qp_fail(QP_BAD_USE,
                           "%s: a point has no cell of its own, so place() reads %s(vec2), not %s",
                           name, cell, at);
        count += qp_glsl_has(kernel->tokens, cell);
    }
    glGetIntegerv(GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, &most);
    return count <= most ? QP_OK
                         : qp_fail(QP_UNSUPPORTED,
                                   "%s: its place() reads %d array%s, and vertex shaders of this "
                                   "device read %d; compute cells by a kernel(vec2 here)",
                                   name, count, count > 1 ? "s" : "", (int)most);
}

enum qp_status qp_kernel_check_body(const struct qp_kernel *kernel)
{
    if (qp_glsl_has(kernel->tokens, "varying"))
        return qp_fail(
            QP_BAD_USE,
            "%s: a body has no varyings, for it has no vertex shader that sets them; take "
            "numbers, or a whole shader",
            kernel->desc.name);
    if (qp_glsl_check_sets(kernel->tokens, kernel->desc.name) != QP_OK ||
        qp_glsl_check_effects(kernel->tokens, kernel->desc.name) != QP_OK ||
        qp_glsl_check_literals(kernel->tokens, kernel->desc.output_type == QP_ARRAY_DOUBLE,
                               kernel->desc.name) != QP_OK)
        return QP_BAD_INPUT;
    if (kernel->places)
        return check_points(kernel);
    for (int i = 0; i < kernel->outputs && kernel->outputs > 1; i++) {
        char name[16];
        snprintf(name, sizeof name, "out%d", i);
        if (!qp_glsl_has(kernel->tokens, name))
            return qp_fail(QP_BAD_USE, "%s has %d outputs, and its body never sets %s",
                           kernel->desc.name, kernel->outputs, name);
    }
    return QP_OK;
}

/* ---- Suggestions for misspelt names ---- */

/* Names that a body may use and whose spelling can be wrong. */
struct known {
    int count;
    const char *name[GATHERS * QP_KERNEL_INPUTS + QP_KERNEL_NUMBERS];
    char gather[GATHERS * QP_KERNEL_INPUTS][WORD];
};

static void list_known(const struct qp_kernel *kernel, struct known *known)
{
    static const char *const endings[GATHERS] = {"_at", "_cell", "_size"};
    known->count = 0;
    for (int i = 0; i < GATHERS * kernel->inputs; i++) {
        snprintf(known->gather[i], WORD, "%s%s", kernel->desc.input[i / GATHERS].name,
                 endings[i % GATHERS]);
        known->name[known->count++] = known->gather[i];
    }
    for (int i = 0; i < kernel->numbers; i++)
        known->name[known->count++] = kernel->desc.number[i].name;
}

/* A word of the body that the driver complains of, and that is nearly a known name: that name. */
static const char *find_meant(const struct qp_kernel *kernel, const struct known *known,
                              const char *words)
{
    char word[WORD];
    for (const char *at = words; *at != '\0';) {
        size_t length = 0;
        while (qp_is_letter(at[length]))
            length++;
        if (length > 0 && length < sizeof word) {
            snprintf(word, sizeof word, "%.*s", (int)length, at);
            const char *near = qp_glsl_has(kernel->tokens, word)
                                   ? qp_nearest(word, known->name, known->count)
                                   : NULL;
            if (near != NULL && strcmp(near, word) != 0)
                return near;
        }
        at += length > 0 ? length : 1;
    }
    return NULL;
}

/* ---- Sentences ---- */

/* True if the body has a function of this name that returns this type and takes this one. */
static bool has_function(const struct qp_tokens *tokens, const char *name, const char *type,
                         const char *takes)
{
    const struct qp_glsl_function *function = qp_glsl_find(tokens, name);
    return function != NULL && qp_token_is(&tokens->of[function->type], type) &&
           qp_token_is(&tokens->of[function->open + 1], takes);
}

/* The driver complains of the text in front of a body, in which only the names are the caller's.
 * Then no line is quoted: "NAME: words". Returns these words without the line, or NULL. */
static const char *find_names_error(const struct qp_kernel *kernel, const char *said)
{
    const size_t length = strlen(kernel->desc.name);
    if (strncmp(said, kernel->desc.name, length) != 0 || strncmp(said + length, ": ", 2) != 0)
        return NULL;
    for (const char *at = said + length; *at != '\0'; at++) {
        if (isdigit((unsigned char)*at) && strtod(at, NULL) >= QP_KERNEL_HEAD_LINE)
            return strstr(at, "error") != NULL ? strstr(at, "error") : said + length + 2;
    }
    return NULL;
}

/* The driver has too few registers for the uniforms: two of NVIDIA's ways to say so, and Mesa's. */
static bool is_about_registers(const char *said)
{
    return strstr(said, "register limit") != NULL || strstr(said, "suitable resource") != NULL ||
           strstr(said, "uniform block components") != NULL;
}

/* A uniform that is not listed or has another type (toolkit/gl/uniforms.c): that sentence has its
 * own hint. */
static bool is_about_uniforms(const char *said)
{
    return strstr(said, "nothing sets '") != NULL || strstr(said, " and must be ") != NULL;
}

enum qp_status qp_kernel_explain(const struct qp_kernel *kernel, enum qp_status status)
{
    static const char stage[] = "stage 4, program: ";
    const char *said = qp_error();
    struct known known;
    if (strncmp(said, stage, strlen(stage)) == 0)
        said += strlen(stage);
    if (status == QP_BAD_INPUT && is_about_registers(said))
        return qp_fail(
            status, "%s; each element of an array takes a register: put long arrays into an input",
            said);
    if (kernel->desc.body == NULL || status != QP_BAD_INPUT || is_about_uniforms(said))
        return qp_fail(status, "%s", said);
    const char *type = qp_kernel_returns(kernel);
    if (kernel->places && !has_function(kernel->tokens, "place", type, "float"))
        return qp_fail(status, "%s; a body of points has a function `vec2 place(float i)`", said);
    if (!kernel->places && !has_function(kernel->tokens, "kernel", type, "vec2"))
        return qp_fail(status, "%s; a body has a function `%s kernel(vec2 here)`", said, type);
    if (find_names_error(kernel, said) != NULL)
        return qp_fail(status, "%s: %s; is the name of an input or a number a word of GLSL?",
                       kernel->desc.name, find_names_error(kernel, said));
    const char *words = strstr(said, "': "), *list = strstr(said, "; candidates are:"),
               *uniform = strstr(said, "uniform ");
    list_known(kernel, &known);
    const char *meant = words != NULL ? find_meant(kernel, &known, words) : NULL;
    if (words != NULL && uniform != NULL && uniform < words &&
        (strstr(words, "redeclared") != NULL || strstr(words, "previous decl") != NULL))
        return qp_fail(status,
                       "%s; the short form declares inputs and numbers: leave this line out", said);
    if (list == NULL && strstr(said, "function call") != NULL) /* as NVIDIA says it */
        list = said + strlen(said);
    if (list != NULL && meant == NULL)
        return qp_fail(status, "%.*s%s", (int)(list - said), said,
                       strstr(said, "_at(") != NULL || strstr(said, "_cell(") != NULL
                           ? "; gathers are x_at(float, float) and x_cell(vec2)"
                           : "");
    return qp_fail(status, "%s%s%s%s", said, meant != NULL ? "; did you mean '" : "",
                   meant != NULL ? meant : "", meant != NULL ? "'?" : "");
}
