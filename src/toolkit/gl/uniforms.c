/* SPDX-License-Identifier: MIT */
#include "toolkit/gl/uniforms.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "toolkit/base/nearest.h"
#include "toolkit/base/tokens.h"
#include "toolkit/gl/context/context.h"

enum { MOST_NAMED = 48 }; /* uniforms among which a complaint looks for a near name */

/* ---- Types ---- */

static const struct {
    GLenum type;
    const char *words;
} glsl_types[] = {
    {GL_FLOAT, "a float"},
    {GL_FLOAT_VEC2, "a vec2"},
    {GL_FLOAT_VEC3, "a vec3"},
    {GL_FLOAT_VEC4, "a vec4"},
    {GL_INT, "an int"},
    {GL_INT_VEC2, "an ivec2"},
    {GL_INT_VEC3, "an ivec3"},
    {GL_INT_VEC4, "an ivec4"},
    {GL_UNSIGNED_INT, "a uint"},
    {GL_UNSIGNED_INT_VEC2, "a uvec2"},
    {GL_UNSIGNED_INT_VEC3, "a uvec3"},
    {GL_UNSIGNED_INT_VEC4, "a uvec4"},
    {GL_BOOL, "a bool"},
    {GL_DOUBLE, "a double"},
    {GL_DOUBLE_VEC2, "a dvec2"},
    {GL_DOUBLE_VEC3, "a dvec3"},
    {GL_DOUBLE_VEC4, "a dvec4"},
    {GL_FLOAT_MAT2, "a mat2"},
    {GL_FLOAT_MAT3, "a mat3"},
    {GL_FLOAT_MAT4, "a mat4"},
    {GL_SAMPLER_1D, "a sampler1D"},
    {GL_SAMPLER_2D, "a sampler2D"},
    {GL_SAMPLER_3D, "a sampler3D"},
    {GL_SAMPLER_2D_RECT, "a sampler2DRect"},
    {GL_SAMPLER_2D_ARRAY, "a sampler2DArray"},
    {GL_INT_SAMPLER_2D, "an isampler2D"},
    {GL_INT_SAMPLER_2D_RECT, "an isampler2DRect"},
    {GL_UNSIGNED_INT_SAMPLER_2D, "a usampler2D"},
    {GL_UNSIGNED_INT_SAMPLER_2D_RECT, "a usampler2DRect"},
    {GL_IMAGE_2D, "an image2D"},
    {GL_IMAGE_2D_RECT, "an image2DRect"},
    {GL_IMAGE_2D_ARRAY, "an image2DArray"},
    {GL_INT_IMAGE_2D, "an iimage2D"},
    {GL_INT_IMAGE_2D_RECT, "an iimage2DRect"},
    {GL_UNSIGNED_INT_IMAGE_2D, "a uimage2D"},
    {GL_UNSIGNED_INT_IMAGE_2D_RECT, "a uimage2DRect"},
    {GL_UNSIGNED_INT_ATOMIC_COUNTER, "an atomic_uint"},
};

/* Types of what is set, for rectangles and on GL_TEXTURE_2D. */
static const GLenum set_types[][2] = {
    [QP_SAMPLER] = {GL_SAMPLER_2D_RECT, GL_SAMPLER_2D},
    [QP_SAMPLER_WORDS] = {GL_UNSIGNED_INT_SAMPLER_2D_RECT, GL_UNSIGNED_INT_SAMPLER_2D},
    [QP_SAMPLER_INTEGERS] = {GL_INT_SAMPLER_2D_RECT, GL_INT_SAMPLER_2D},
    [QP_IMAGE] = {GL_IMAGE_2D_RECT, GL_IMAGE_2D},
    [QP_IMAGE_WORDS] = {GL_UNSIGNED_INT_IMAGE_2D_RECT, GL_UNSIGNED_INT_IMAGE_2D},
    [QP_IMAGE_INTEGERS] = {GL_INT_IMAGE_2D_RECT, GL_INT_IMAGE_2D},
    [QP_IMAGE_LAYERS] = {GL_IMAGE_2D_ARRAY, GL_IMAGE_2D_ARRAY},
    [QP_INT] = {GL_INT, GL_INT},
    [QP_BOOL] = {GL_BOOL, GL_BOOL},
    [QP_FLOAT] = {GL_FLOAT, GL_FLOAT},
    [QP_DOUBLE] = {GL_DOUBLE, GL_DOUBLE},
    [QP_PAIR] = {GL_FLOAT_VEC2, GL_FLOAT_VEC2},
    [QP_VECTOR] = {GL_FLOAT_VEC2, GL_FLOAT_VEC2},
    [QP_VECTOR_3] = {GL_FLOAT_VEC3, GL_FLOAT_VEC3},
    [QP_VECTOR_4] = {GL_FLOAT_VEC4, GL_FLOAT_VEC4},
    [QP_UINT] = {GL_UNSIGNED_INT, GL_UNSIGNED_INT},
    [QP_DOUBLE_2] = {GL_DOUBLE_VEC2, GL_DOUBLE_VEC2},
    [QP_DOUBLE_3] = {GL_DOUBLE_VEC3, GL_DOUBLE_VEC3},
    [QP_DOUBLE_4] = {GL_DOUBLE_VEC4, GL_DOUBLE_VEC4},
};

/* Name of a type as shader files write it, which are written for rectangles. */
static const char *words_of(GLenum type, GLenum target)
{
    for (size_t i = 0; i < sizeof set_types / sizeof set_types[0] && target == GL_TEXTURE_2D; i++) {
        if (type == set_types[i][1])
            type = set_types[i][0];
    }
    for (size_t i = 0; i < sizeof glsl_types / sizeof glsl_types[0]; i++) {
        if (glsl_types[i].type == type)
            return glsl_types[i].words;
    }
    return "of a type that is never set";
}

/* ---- Complaints ---- */

/* Always false. */
__attribute__((format(printf, 3, 4))) static bool
complain(struct qp_complaint *complaint, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    snprintf(complaint->name, sizeof complaint->name, "%s", name);
    vsnprintf(complaint->words, sizeof complaint->words, format, arguments);
    va_end(arguments);
    return false;
}

/* Complains of a name not in the list, and proposes a near one that the program does not use;
 * without one, all are listed. */
static bool complain_of_unknown(GLuint program_id, const struct qp_uniform *uniforms,
                                const char *name, const char *type, struct qp_complaint *complaint)
{
    const char *unused[MOST_NAMED];
    char list[256] = "";
    size_t used = 0;
    int count = 0;
    for (int i = 0; i < MOST_NAMED && uniforms[i].name != NULL; i++) {
        if (glGetUniformLocation(program_id, uniforms[i].name) < 0)
            unused[count++] = uniforms[i].name;
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "",
                                     uniforms[i].name);
    }
    const char *near = qp_nearest(name, unused, count);
    if (near != NULL)
        return complain(complaint, name, "nothing sets '%s', %s; did you mean '%s'?", name, type,
                        near);
    return complain(complaint, name, "nothing sets '%s', %s; what is set: %s", name, type,
                    list[0] != '\0' ? list : "nothing");
}

/* ---- Looking ---- */

static bool check_one(GLuint program_id, GLenum target, const struct qp_uniform *uniforms,
                      const char *name, GLenum type, int elements, struct qp_complaint *complaint)
{
    const struct qp_uniform *listed = uniforms;
    const char *words = words_of(type, target);
    while (listed->name != NULL && strcmp(listed->name, name) != 0)
        listed++;
    if (listed->name == NULL)
        return complain_of_unknown(program_id, uniforms, name, words, complaint);
    const GLenum wanted = set_types[listed->type][target == GL_TEXTURE_2D];
    const int most = listed->elements > 0 ? listed->elements : 1;
    if (type != wanted)
        return complain(complaint, name, "'%s' is %s and must be %s", name, words,
                        words_of(wanted, target));
    if (elements > most)
        return complain(complaint, name, "'%s' has %d elements and %d %s set", name, elements, most,
                        most > 1 ? "are" : "is");
    if (glGetUniformLocation(program_id, name) < 0)
        return complain(complaint, name, "'%s' is in a uniform block, which nothing fills", name);
    return true;
}

/* Checks all active uniforms; for an array drivers give the name of the first element. */
static bool check_all(GLuint program_id, GLenum target, const struct qp_uniform *uniforms,
                      struct qp_complaint *complaint)
{
    GLint count = 0, elements = 0;
    char name[128];
    GLenum type;
    bool good = true;
    glGetProgramiv(program_id, GL_ACTIVE_UNIFORMS, &count);
    for (GLint i = 0; i < count && good; i++) {
        glGetActiveUniform(program_id, (GLuint)i, sizeof name, NULL, &elements, &type, name);
        name[strcspn(name, "[")] = '\0';
        if (strncmp(name, "gl_", 3) != 0)
            good = check_one(program_id, target, uniforms, name, type, elements, complaint);
    }
    return good;
}

int qp_program_resources(GLuint program_id, GLenum kind, int otherwise)
{
    GLint major = 0, minor = 0, count = otherwise;
    glGetIntegerv(GL_MAJOR_VERSION, &major);
    glGetIntegerv(GL_MINOR_VERSION, &minor);
    if (glGetProgramInterfaceiv != NULL &&
        (10 * major + minor >= 43 ||
         (kind == GL_PROGRAM_OUTPUT && qp_context_has(NULL, "GL_ARB_program_interface_query"))))
        glGetProgramInterfaceiv(program_id, kind, GL_ACTIVE_RESOURCES, &count);
    return count;
}

static bool is_storage(const struct qp_uniform *uniforms, const char *name)
{
    while (uniforms->name != NULL &&
           (uniforms->type != QP_STORAGE || strcmp(uniforms->name, name) != 0))
        uniforms++;
    return uniforms->name != NULL;
}

static bool check_buffers(GLuint program_id, const struct qp_uniform *uniforms,
                          struct qp_complaint *complaint)
{
    const int count = qp_program_resources(program_id, GL_SHADER_STORAGE_BLOCK, 0);
    bool good = true;
    for (int i = 0; i < count && good; i++) {
        char name[64] = "";
        glGetProgramResourceName(program_id, GL_SHADER_STORAGE_BLOCK, (GLuint)i, sizeof name, NULL,
                                 name);
        name[strcspn(name, "[")] = '\0';
        good = strcmp(name, QP_ROUNDS) == 0 || /* a body's buffer, which has no other */
               is_storage(uniforms, name) ||
               complain(complaint, name, "nothing binds the buffer '%s'", name);
    }
    return good;
}

/* Gives a block its binding point. */
static int bind_storage(GLuint program_id, const char *name, int point)
{
    const GLuint block = glGetProgramResourceIndex(program_id, GL_SHADER_STORAGE_BLOCK, name);
    if (block == GL_INVALID_INDEX)
        return -1;
    glShaderStorageBlockBinding(program_id, block, (GLuint)point);
    return point;
}

bool qp_uniforms_find(GLuint program_id, GLenum target, const struct qp_uniform *uniforms,
                      int *locations, struct qp_complaint *complaint)
{
    int point = 0;
    for (const struct qp_uniform *u = uniforms; u->name != NULL; u++) {
        if (u->type == QP_STORAGE) {
            *locations++ = bind_storage(program_id, u->name, point++);
            continue;
        }
        for (int i = 0; i < (u->elements > 0 ? u->elements : 1); i++) {
            char name[80];
            snprintf(name, sizeof name, i > 0 ? "%s[%d]" : "%s", u->name, i);
            *locations++ = glGetUniformLocation(program_id, name);
        }
    }
    return check_all(program_id, target, uniforms, complaint) &&
           check_buffers(program_id, uniforms, complaint);
}

int qp_find_declaration(const char *text, const char *name)
{
    const struct qp_tokens *tokens = name[0] != '\0' ? qp_tokens_read(text) : NULL;
    int found = 0, declared = 0;
    for (int i = 0; tokens != NULL && i < tokens->all && (found == 0 || found != declared); i++) {
        const struct qp_token *token = &tokens->of[i];
        if (qp_token_is(token, "uniform"))
            declared = token->line;
        else if (qp_token_is(token, name) && (found == 0 || token->line == declared))
            found = token->line;
    }
    qp_tokens_release(&tokens);
    return found;
}

/* ---- Outputs ---- */

/* Notes that `count` outputs from a location on are written, if they are wanted. For one base type,
 * scalar and vectors follow each other in glsl_types. */
static bool note_outputs(const struct qp_outputs *wanted, const char *name, GLenum type,
                         int location, int count, bool *written, struct qp_complaint *complaint)
{
    int last = 0, i;
    while (glsl_types[last].type != wanted->type)
        last++;
    for (i = last - 4 + wanted->channels; i <= last && glsl_types[i].type != type;)
        i++;
    if (i > last)
        return complain(complaint, name, "'%s' is %s and must be %s", name, words_of(type, 0),
                        glsl_types[last].words);
    if (location < 0 || location + count > wanted->count)
        return complain(complaint, name, "'%s' is output %d, and the kernel has %d, from 0 on",
                        name, location + count - 1, wanted->count);
    memset(written + location, true, (size_t)count);
    return true;
}

static bool note_built_in(const struct qp_outputs *wanted, bool *written,
                          struct qp_complaint *complaint)
{
    bool good = true;
    if (wanted->built_in == ~0u)
        return note_outputs(wanted, wanted->word, GL_FLOAT_VEC4, 0, wanted->count, written,
                            complaint);
    for (int i = 0; wanted->built_in >> i > 0 && good; i++) {
        if ((wanted->built_in >> i & 1) != 0)
            good = note_outputs(wanted, wanted->word, GL_FLOAT_VEC4, i, 1, written, complaint);
    }
    return good;
}

bool qp_outputs_check(GLuint program_id, const struct qp_outputs *wanted,
                      struct qp_complaint *complaint)
{
    static const GLenum asked[] = {GL_LOCATION, GL_ARRAY_SIZE, GL_TYPE};
    const int count = qp_program_resources(program_id, GL_PROGRAM_OUTPUT, -1);
    bool written[QP_OUTPUTS] = {false}, declared = false, good = true;
    for (int i = 0; i < count && good; i++) {
        char name[64] = "";
        GLint found[3] = {0};
        glGetProgramResourceName(program_id, GL_PROGRAM_OUTPUT, (GLuint)i, sizeof name, NULL, name);
        glGetProgramResourceiv(program_id, GL_PROGRAM_OUTPUT, (GLuint)i, 3, asked, 3, NULL, found);
        name[strcspn(name, "[")] = '\0';
        if (strncmp(name, "gl_", 3) == 0)
            continue;
        declared = true;
        good = note_outputs(wanted, name, (GLenum)found[2], found[0], found[1], written, complaint);
    }
    if (count < 0)
        return true;
    if (good && !declared)
        good = note_built_in(wanted, written, complaint);
    for (int i = 0; i < wanted->count && good; i++) {
        if (!written[i])
            good = complain(complaint, "",
                            "nothing writes output %d of %d: gl_FragData[%d], or "
                            "layout(location = %d)",
                            i, wanted->count, i, i);
    }
    return good;
}
