/* SPDX-License-Identifier: MIT */
#include "toolkit/gl/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/tokens.h"
#include "toolkit/gl/shaders.h"

enum { VERTEX, FRAGMENT, COMPUTE, STAGES };

struct qp_program {
    struct qp_program *next;
    GLuint id;
    GLenum target;
    struct qp_group group; /* group of a compute shader */
    char *text[STAGES];    /* source texts; NULL for a stage it lacks */
    char *head[STAGES];    /* definitions put in front of them; NULL likewise */
    int users;             /* users that will give it back */
    bool stays;            /* somebody will not */
};

/* Lets a shader written for rectangles, whose coordinates are texels, run on 2D textures.
 * Coordinates lie at texel centres, so one rounded division still finds the same texel. A name in
 * its own definition is not expanded again. */
static const char rectangles_are_2d[] = "#define sampler2DRect sampler2D\n"
                                        "#define image2DRect image2D\n"
                                        "#define usampler2DRect usampler2D\n"
                                        "#define texture2DRect(s, p) "
                                        "texture2D(s, (p) / vec2(textureSize(s, 0)))\n"
                                        "#define texture(s, p) "
                                        "texture(s, (p) / vec2(textureSize(s, 0)))\n";

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

/* Path of a shader for messages. */
static void find_path(const struct qp_source *source, char *path, size_t size)
{
    if (source->text != NULL)
        snprintf(path, size, "%s", source->name);
    else
        qp_shader_path(source->name, path, size);
}

/* Stores a sentence about a line of a shader, as its file counts; about all of it with line 0. */
static enum qp_status report_line(enum qp_status status, const struct qp_source *source,
                                  const char *text, int number, const char *words)
{
    char path[4096], file[QP_PLACE_LETTERS];
    const char *line = text;
    find_path(source, path, sizeof path);
    for (int i = 1; i < number && line != NULL; i++)
        line = strchr(line, '\n') != NULL ? strchr(line, '\n') + 1 : NULL;
    if (number == 0 || line == NULL)
        return qp_fail(status, "stage 4, program: %s: %s", path, words);
    const struct qp_tokens *tokens = qp_tokens_read(text);
    if (tokens == NULL)
        return QP_NO_MEMORY;
    const int own = qp_tokens_line(tokens, path, number, file);
    const bool counts = own != number && *words >= '0' && *words <= '9'; /* the driver's number */
    const char *error = counts ? strstr(words, "error") : NULL;
    qp_tokens_release(&tokens);
    line += strspn(line, " \t");
    return qp_fail(status, "stage 4, program: %s:%d: '%.*s': %s", file, own,
                   (int)strcspn(line, "\n"), line, error != NULL ? error : words);
}

/* A text that its caller wrote is bad input where the driver names an error in it; one of the
 * library's own should compile on every device. */
static enum qp_status blame(const struct qp_source *source, const char *words)
{
    return source->text != NULL && strcasestr(words, "error") != NULL ? QP_BAD_INPUT : QP_DEVICE;
}

/* Stores the driver's first error, without the messages after it. Mesa's preprocessor takes the
 * number of a #line for that of the next line, as GLSL does from 3.30 on; with `old`, a #line of
 * GLSL before that, its own number is one too small. Where a comment never ends, it reports the end
 * of the text. */
static enum qp_status report(const struct qp_source *source, const char *text, const char *words,
                             bool old)
{
    char error[512];
    const char *line = words[0] != '\0' ? first_error(words) : "the driver gave no reason";
    snprintf(error, sizeof error, "%.*s", (int)strcspn(line, "\n"), line);
    int number = find_line_number(error);
    const char *said = strstr(error, "preprocessor error");
    if (said != NULL && old)
        number++;
    const bool is_open = said != NULL && strstr(said, "nterminated comment") != NULL;
    const struct qp_tokens *tokens = is_open ? qp_tokens_read(text) : NULL;
    if (tokens != NULL && tokens->open > 0)
        number = tokens->open;
    qp_tokens_release(&tokens);
    return report_line(blame(source, words), source, text, number, said != NULL ? said : error);
}

/* ---- Compile and link ---- */

/* Hands over the source. For 2D targets and compute shaders the #version line is replaced by one no
 * older and the definitions they need; a head comes after it. Line numbers stay. True where a #line
 * of GLSL before 3.30 says them. */
static bool give_source(GLuint shader_id, const struct qp_program *program, int stage)
{
    char first[128] = "#version 130\n";
    const char *text = program->text[stage], *head = program->head[stage];
    const char *rest = strchr(text, '\n');
    bool flat = program->target == GL_TEXTURE_2D, computes = program->text[COMPUTE] != NULL;
    bool told = (flat || computes || head != NULL) && rest != NULL;
    if (head != NULL && strncmp(head, "#version", 8) == 0) {
        glShaderSource(shader_id, 2, (const char *[]){head, text}, NULL);
        return atoi(head + strlen("#version ")) < 330;
    }
    if (computes)
        snprintf(first, sizeof first,
                 "#version 430 compatibility\n#define GROUP_X %d\n#define GROUP_Y %d\n",
                 program->group.x, program->group.y);
    else if (rest != NULL && (!flat || strncmp(text, "#version 120", 12) != 0))
        snprintf(first, sizeof first, "%.*s\n", (int)(rest - text), text);
    if (!told || strncmp(text, "#version", 8) != 0) {
        glShaderSource(shader_id, 1, &text, NULL);
        return false;
    }
    const bool old = !computes && atoi(first + strlen("#version ")) < 330;
    const char *parts[] = {first, flat ? rectangles_are_2d : "", head != NULL ? head : "",
                           old ? "#line 1" : "#line 2", /* from 3.30 on that of the next line */
                           rest};
    glShaderSource(shader_id, 5, parts, NULL);
    return old;
}

/* Reports a shader or program that the driver did not create, with its error if it set one. */
static enum qp_status report_none(struct qp_context *context, const char *name)
{
    enum qp_status status = qp_gl_check(context, "stage 4, program");
    return status != QP_OK
               ? status
               : qp_fail(QP_DEVICE, "stage 4, program: the driver makes none for %s", name);
}

static enum qp_status compile(struct qp_context *context, const struct qp_program *program,
                              int stage, const struct qp_source *source, GLuint *shader_id)
{
    static const GLenum kinds[STAGES] = {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER, GL_COMPUTE_SHADER};
    *shader_id = glCreateShader(kinds[stage]);
    if (*shader_id == 0)
        return report_none(context, source->name);
    const bool old = give_source(*shader_id, program, stage);
    glCompileShader(*shader_id);
    GLint good = GL_FALSE;
    glGetShaderiv(*shader_id, GL_COMPILE_STATUS, &good);
    if (good)
        return QP_OK;
    char words[1024] = "";
    glGetShaderInfoLog(*shader_id, sizeof words, NULL, words);
    glDeleteShader(*shader_id);
    *shader_id = 0;
    return report(source, program->text[stage], words, old);
}

/* The shader that messages call a program by. */
static const struct qp_source *main_of(const struct qp_source sources[STAGES])
{
    return &sources[sources[COMPUTE].name != NULL ? COMPUTE : FRAGMENT];
}

/* True if a fragment shader writes a colour; without one the texel is whatever a register held. */
static bool writes_colour(GLuint program_id, const char *text, const char *head)
{
    return strstr(text, "gl_FragColor") != NULL || strstr(text, "gl_FragData") != NULL ||
           (head != NULL && strstr(head, "gl_FragData") != NULL) ||
           qp_program_resources(program_id, GL_PROGRAM_OUTPUT, 1) > 0;
}

static enum qp_status link_program(struct qp_context *context, struct qp_program *program,
                                   const struct qp_source sources[STAGES])
{
    GLuint shader_ids[STAGES] = {0};
    enum qp_status status = QP_OK;
    for (int i = 0; i < STAGES && status == QP_OK; i++) {
        if (sources[i].name != NULL)
            status = compile(context, program, i, &sources[i], &shader_ids[i]);
    }
    program->id = status == QP_OK ? glCreateProgram() : 0;
    for (int i = 0; i < STAGES; i++) {
        if (program->id != 0 && shader_ids[i] != 0)
            glAttachShader(program->id, shader_ids[i]);
        glDeleteShader(shader_ids[i]); /* takes effect when the program is deleted */
    }
    if (status != QP_OK)
        return status;
    if (program->id == 0)
        return report_none(context, main_of(sources)->name);
    GLint good = GL_FALSE;
    glLinkProgram(program->id);
    glGetProgramiv(program->id, GL_LINK_STATUS, &good);
    if (good && sources[FRAGMENT].name != NULL &&
        !writes_colour(program->id, program->text[FRAGMENT], program->head[FRAGMENT]))
        return report_line(QP_BAD_INPUT, &sources[FRAGMENT], "", 0,
                           "writes no colour: gl_FragColor is never set");
    if (good)
        return QP_OK;
    char words[1024] = "the driver gave no reason";
    glGetProgramInfoLog(program->id, sizeof words, NULL, words);
    const char *error = first_error(words);
    return qp_fail(blame(main_of(sources), words), "stage 4, program: linking %s%s%s: %.*s",
                   sources[VERTEX].name ? sources[VERTEX].name : "",
                   sources[VERTEX].name ? " and " : "", main_of(sources)->name,
                   (int)strcspn(error, "\n"), error);
}

/* ---- The context's cache of programs ---- */

static void destroy(struct qp_program *program)
{
    if (program == NULL)
        return;
    if (program->id != 0)
        glDeleteProgram(program->id);
    for (int i = 0; i < STAGES; i++) {
        free(program->text[i]);
        free(program->head[i]);
    }
    free(program);
}

static bool same_text(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static struct qp_program *find_kept(struct qp_context *context, const struct qp_program *wanted)
{
    for (struct qp_program *kept = context->programs; kept != NULL; kept = kept->next) {
        bool same = kept->target == wanted->target && kept->group.x == wanted->group.x &&
                    kept->group.y == wanted->group.y;
        for (int i = 0; i < STAGES && same; i++)
            same = same_text(kept->text[i], wanted->text[i]) &&
                   same_text(kept->head[i], wanted->head[i]);
        if (same)
            return kept;
    }
    return NULL;
}

static enum qp_status read_text(const struct qp_source *source, char **text, char **head)
{
    static const char what[] = "a shader's text";
    if (source->head != NULL && (*head = qp_copy_text(source->head, what)) == NULL)
        return QP_NO_MEMORY;
    if (source->text == NULL)
        return qp_shader_read(source->name, text);
    *text = qp_copy_text(source->text, what);
    return *text != NULL ? QP_OK : QP_NO_MEMORY;
}

static enum qp_status check_names(const struct qp_program *program,
                                  const struct qp_source sources[STAGES],
                                  const struct qp_outputs *outputs,
                                  const struct qp_uniform *uniforms, int *locations)
{
    struct qp_complaint complaint;
    int known = 0;
    if ((uniforms == NULL ||
         qp_uniforms_find(program->id, program->target, uniforms, locations, &complaint)) &&
        (outputs == NULL || qp_outputs_check(program->id, outputs, &complaint)))
        return QP_OK;
    for (int i = 0; i < STAGES; i++) {
        if (program->text[i] == NULL)
            continue;
        int number = qp_find_declaration(program->text[i], complaint.name);
        if (number > 0)
            return report_line(QP_BAD_INPUT, &sources[i], program->text[i], number,
                               complaint.words);
        known = i;
    }
    return report_line(QP_BAD_INPUT, &sources[known], "", 0, complaint.words);
}

/* Finds a cached program of this text, or links a new one. */
static enum qp_status find_or_link(struct qp_context *context,
                                   const struct qp_source sources[STAGES], GLenum target,
                                   struct qp_group group, struct qp_program **out)
{
    *out = NULL;
    struct qp_program *program = qp_alloc_zero(1, sizeof *program, "a program");
    if (program == NULL)
        return QP_NO_MEMORY;
    program->target = target;
    program->group = group;
    enum qp_status status = QP_OK;
    for (int i = 0; i < STAGES && status == QP_OK; i++) {
        if (sources[i].name != NULL)
            status = read_text(&sources[i], &program->text[i], &program->head[i]);
    }
    struct qp_program *kept = status == QP_OK ? find_kept(context, program) : NULL;
    if (status == QP_OK && kept == NULL)
        status = link_program(context, program, sources);
    if (status == QP_OK)
        status = qp_gl_check(context, "stage 4, program");
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

enum qp_status qp_program_make(struct qp_context *context, const struct qp_program_source *source,
                               const struct qp_uniform *uniforms, int *locations,
                               struct qp_program **out)
{
    const struct qp_source sources[STAGES] = {source->vertex, source->fragment, source->compute};
    enum qp_status status = find_or_link(context, sources, source->target, source->group, out);
    if (status != QP_OK)
        return status;
    (*out)->users += source->is_given_back;
    (*out)->stays = (*out)->stays || !source->is_given_back;
    status = check_names(*out, sources, source->outputs, uniforms, locations);
    if (status != QP_OK && source->is_given_back)
        qp_program_give_back(context, *out);
    if (status != QP_OK)
        *out = NULL;
    return status;
}

/* Programs that nobody uses are stored in the order in which they were given back, the last one
 * first. */
void qp_program_give_back(struct qp_context *context, struct qp_program *program)
{
    int unused = 0;
    if (program == NULL || --program->users > 0 || program->stays)
        return;
    struct qp_program **at = &context->programs;
    while (*at != program)
        at = &(*at)->next;
    *at = program->next;
    program->next = context->programs;
    context->programs = program;
    for (at = &context->programs; *at != NULL;) {
        struct qp_program *kept = *at;
        if (kept->users > 0 || kept->stays || ++unused <= QP_PROGRAMS_UNUSED) {
            at = &kept->next;
            continue;
        }
        *at = kept->next;
        destroy(kept);
        context->counters.kept_objects--;
    }
}

void qp_program_forget_all(struct qp_context *context)
{
    while (context->programs != NULL) {
        struct qp_program *next = context->programs->next;
        if (eglGetCurrentContext() != context->handle)
            context->programs->id = 0; /* in another thread EGL frees the driver's objects */
        destroy(context->programs);
        context->programs = next;
        context->counters.kept_objects--;
    }
}

void qp_program_use(const struct qp_program *program)
{
    glUseProgram(program->id);
}
