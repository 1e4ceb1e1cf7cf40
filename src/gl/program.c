/* SPDX-License-Identifier: MIT */
#include "gl/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gl/shaders.h"

struct qp_program {
    struct qp_program *next;
    GLuint id;
    GLenum target;
    char *vertex; /* the texts it was made from; vertex may be NULL */
    char *fragment;
};

/* Lets a shader written for rectangles, whose coordinates are texels, run on 2D textures.
 * Coordinates lie at texel centres, so one rounded division still finds the same texel. */
static const char preamble_2d[] = "#version 130\n"
                                  "#define sampler2DRect sampler2D\n"
                                  "#define texture2DRect(s, p) "
                                  "texture2D(s, (p) / vec2(textureSize(s, 0)))\n";

/* ---- Errors: file, line, that line, the driver's words ---- */

/* Drivers write "0:12(5): error: ..." (Mesa) or "0(12) : error ..." (NVIDIA). */
static int find_line_number(const char *words)
{
    int line = 0;
    if (sscanf(words, "%*d:%d", &line) == 1 || sscanf(words, "%*d(%d)", &line) == 1)
        return line;
    return 0;
}

/* The line with the first error: drivers may warn before it. */
static const char *first_error(const char *words)
{
    for (const char *line = words; line != NULL; line = strchr(line, '\n')) {
        line += *line == '\n';
        const char *error = strstr(line, "error");
        if (error != NULL && (size_t)(error - line) < strcspn(line, "\n"))
            return line;
    }
    return words;
}

static enum qp_status report(const struct qp_source *source, const char *text, const char *words)
{
    char path[4096];
    if (source->text != NULL)
        snprintf(path, sizeof path, "%s", source->name);
    else
        qp_shader_path(source->name, path, sizeof path);
    words = words[0] != '\0' ? first_error(words) : "the driver gave no reason";
    int length = (int)strcspn(words, "\n");
    int number = find_line_number(words);
    const char *line = text;
    for (int i = 1; i < number && line != NULL; i++)
        line = strchr(line, '\n') != NULL ? strchr(line, '\n') + 1 : NULL;
    if (number == 0 || line == NULL)
        return qp_fail(QP_DEVICE, "room 4, program: %s: %.*s", path, length, words);
    line += strspn(line, " \t");
    return qp_fail(QP_DEVICE, "room 4, program: %s:%d: '%.*s': %.*s", path, number,
                   (int)strcspn(line, "\n"), line, length, words);
}

/* ---- Compile and link ---- */

/* For 2D targets the first line, its #version, gives way to the preamble; line numbers stay. */
static void give_source(GLuint shader_id, const char *text, GLenum target)
{
    const char *rest = strchr(text, '\n');
    if (target == GL_TEXTURE_2D && strncmp(text, "#version", 8) == 0 && rest != NULL) {
        const char *parts[] = {preamble_2d, "#line 1", rest};
        glShaderSource(shader_id, 3, parts, NULL);
    } else {
        glShaderSource(shader_id, 1, &text, NULL);
    }
}

/* The driver made nothing: its error, if it set one, says why. */
static enum qp_status report_none(struct qp_context *context, const char *name)
{
    enum qp_status status = qp_gl_check(context, "room 4, program");
    return status != QP_OK
               ? status
               : qp_fail(QP_DEVICE, "room 4, program: the driver makes none for %s", name);
}

static enum qp_status compile(struct qp_context *context, GLenum kind,
                              const struct qp_source *source, const char *text, GLenum target,
                              GLuint *shader_id)
{
    *shader_id = glCreateShader(kind);
    if (*shader_id == 0)
        return report_none(context, source->name);
    give_source(*shader_id, text, target);
    glCompileShader(*shader_id);
    GLint good = GL_FALSE;
    glGetShaderiv(*shader_id, GL_COMPILE_STATUS, &good);
    if (good)
        return QP_OK;
    char words[1024] = "";
    glGetShaderInfoLog(*shader_id, sizeof words, NULL, words);
    glDeleteShader(*shader_id);
    *shader_id = 0;
    return report(source, text, words);
}

static enum qp_status link_program(struct qp_context *context, struct qp_program *program,
                                   const struct qp_source *vertex, const struct qp_source *fragment)
{
    GLuint shader_ids[2] = {0, 0};
    enum qp_status status = QP_OK;
    if (vertex->name != NULL)
        status = compile(context, GL_VERTEX_SHADER, vertex, program->vertex, program->target,
                         &shader_ids[0]);
    if (status == QP_OK)
        status = compile(context, GL_FRAGMENT_SHADER, fragment, program->fragment, program->target,
                         &shader_ids[1]);
    program->id = status == QP_OK ? glCreateProgram() : 0;
    for (int i = 0; i < 2; i++) {
        if (program->id != 0 && shader_ids[i] != 0)
            glAttachShader(program->id, shader_ids[i]);
        glDeleteShader(shader_ids[i]); /* stays until the program goes */
    }
    if (status != QP_OK)
        return status;
    if (program->id == 0)
        return report_none(context, fragment->name);
    GLint good = GL_FALSE;
    glLinkProgram(program->id);
    glGetProgramiv(program->id, GL_LINK_STATUS, &good);
    if (good)
        return QP_OK;
    char words[1024] = "the driver gave no reason";
    glGetProgramInfoLog(program->id, sizeof words, NULL, words);
    return qp_fail(QP_DEVICE, "room 4, program: linking %s%s%s: %.*s",
                   vertex->name ? vertex->name : "", vertex->name ? " and " : "", fragment->name,
                   (int)strcspn(words, "\n"), words);
}

/* ---- What the context keeps ---- */

static void destroy(struct qp_program *program)
{
    if (program == NULL)
        return;
    if (program->id != 0)
        glDeleteProgram(program->id);
    free(program->vertex);
    free(program->fragment);
    free(program);
}

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static struct qp_program *find_kept(struct qp_context *context, const struct qp_program *wanted)
{
    for (struct qp_program *kept = context->programs; kept != NULL; kept = kept->next) {
        if (kept->target == wanted->target && same_text(kept->vertex, wanted->vertex) &&
            same_text(kept->fragment, wanted->fragment))
            return kept;
    }
    return NULL;
}

static enum qp_status read_text(const struct qp_source *source, char **text)
{
    if (source->text == NULL)
        return qp_shader_read(source->name, text);
    size_t size = strlen(source->text) + 1;
    *text = qp_alloc(size, 1, "a shader's text");
    if (*text == NULL)
        return QP_NO_MEMORY;
    memcpy(*text, source->text, size);
    return QP_OK;
}

enum qp_status qp_program_make(struct qp_context *context, const struct qp_source *vertex,
                               const struct qp_source *fragment, GLenum target,
                               struct qp_program **out)
{
    *out = NULL;
    struct qp_program *program = qp_alloc_zero(1, sizeof *program, "a program");
    if (program == NULL)
        return QP_NO_MEMORY;
    program->target = target;
    enum qp_status status = read_text(fragment, &program->fragment);
    if (status == QP_OK && vertex->name != NULL)
        status = read_text(vertex, &program->vertex);
    struct qp_program *kept = status == QP_OK ? find_kept(context, program) : NULL;
    if (status == QP_OK && kept == NULL)
        status = link_program(context, program, vertex, fragment);
    if (status == QP_OK)
        status = qp_gl_check(context, "room 4, program");
    if (status != QP_OK || kept != NULL) {
        destroy(program);
        *out = kept;
        return status;
    }
    program->next = context->programs;
    context->programs = program;
    context->counters.kept_objects++;
    *out = program;
    return QP_OK;
}

enum qp_status qp_program_get(struct qp_context *context, const char *vertex, const char *fragment,
                              GLenum target, struct qp_program **out)
{
    return qp_program_make(context, &(struct qp_source){.name = vertex},
                           &(struct qp_source){.name = fragment}, target, out);
}

void qp_program_forget_all(struct qp_context *context)
{
    while (context->programs != NULL) {
        struct qp_program *next = context->programs->next;
        if (eglGetCurrentContext() != context->handle)
            context->programs->id = 0; /* another thread's: EGL frees what the driver holds */
        destroy(context->programs);
        context->programs = next;
        context->counters.kept_objects--;
    }
}

/* ---- Uniforms ---- */

void qp_program_use(const struct qp_program *program)
{
    glUseProgram(program->id);
}

int qp_program_location(const struct qp_program *program, const char *name)
{
    return glGetUniformLocation(program->id, name);
}

bool qp_program_uniform(const struct qp_program *program, int index, char *name, size_t size,
                        GLenum *type)
{
    GLint count = 0, ignored;
    glGetProgramiv(program->id, GL_ACTIVE_UNIFORMS, &count);
    if (index >= count)
        return false;
    glGetActiveUniform(program->id, (GLuint)index, (GLsizei)size, NULL, &ignored, type, name);
    return true;
}

void qp_uniform_sampler(int location, int unit)
{
    glUniform1i(location, unit);
}

void qp_uniform_float(int location, double value)
{
    glUniform1f(location, (float)value);
}

void qp_uniform_vector(int location, double x, double y)
{
    glUniform2f(location, (float)x, (float)y);
}
