/* SPDX-License-Identifier: MIT */
/* Stage 4: the uniforms and outputs of a program, by name and type. OpenGL reports neither a
 * sampler whose name is misspelt, which reads unit 0, nor a number that is never set, which is 0;
 * so the uniforms that a shader declares are compared with those that are set, before the first
 * draw. */
#ifndef QP_GL_UNIFORMS_H
#define QP_GL_UNIFORMS_H

#include <stdbool.h>

#include <GL/glew.h>

enum qp_uniform_type {
    QP_SAMPLER,
    QP_SAMPLER_WORDS,    /* sampler of unsigned integers: QP_R32UI and its like, QP_RG32UI_WORDS */
    QP_SAMPLER_INTEGERS, /* QP_R32I and its like */
    QP_IMAGE,
    QP_IMAGE_WORDS, /* image of unsigned integers */
    QP_IMAGE_INTEGERS,
    QP_IMAGE_LAYERS, /* image of an array texture, all its layers */
    QP_INT,
    QP_BOOL,
    QP_FLOAT,
    QP_DOUBLE, /* needs QP_CAN_DOUBLE */
    QP_PAIR,   /* vec2: both parts of a double (toolkit/base/pairs.h) */
    QP_VECTOR, /* vec2 */
    QP_VECTOR_3,
    QP_VECTOR_4,
    QP_UINT,
    QP_STORAGE,  /* shader storage buffer, by the name of its block */
    QP_DOUBLE_2, /* dvec2, likewise */
    QP_DOUBLE_3,
    QP_DOUBLE_4
};

struct qp_uniform {
    const char *name; /* NULL ends a list */
    enum qp_uniform_type type;
    int elements; /* array length; 0: not an array */
};

/* An error in a program's uniforms or outputs, and the name it is about, "" for none. */
struct qp_complaint {
    char name[64];
    char words[384];
};

/* Storage buffers of a program at most, the least that OpenGL 4.3 promises to compute shaders. */
enum { QP_STORAGES = 8 };

/* Finds the locations of uniforms, one after the other, each element of an array separately: -1,
 * which setting ignores, where the program does not use it. A storage buffer's is the binding point
 * that its block gets here, counted from 0 in the order of the list. False, with the complaint, if
 * the program uses one that is not listed or has another type. An unused one is no mistake:
 * compilers leave out what changes nothing. On GL_TEXTURE_2D rectangle samplers and images are 2D
 * ones. */
bool qp_uniforms_find(GLuint program_id, GLenum target, const struct qp_uniform *uniforms,
                      int *locations, struct qp_complaint *complaint);

/* Outputs that a fragment shader must write, at the locations from 0 on: GL_FLOAT_VEC4, GL_INT_VEC4
 * or GL_UNSIGNED_INT_VEC4, or shorter vectors with at least the channels wanted. */
enum { QP_OUTPUTS = 8 };
struct qp_outputs {
    int count; /* up to QP_OUTPUTS */
    GLenum type;
    int channels;
    /* A bit for each that the shader's text writes by an undeclared word, which drivers list in
     * ways of their own; ~0u: all. */
    unsigned built_in;
    const char *word; /* gl_FragData, or gl_FragColor */
};

/* True for a program that writes these outputs and no other, or where the driver does not list
 * them; else false, with the complaint. */
bool qp_outputs_check(GLuint program_id, const struct qp_outputs *wanted,
                      struct qp_complaint *complaint);

/* The line that declares a uniform or a buffer, else the first with its name as a word; 0 for
 * none. */
int qp_find_declaration(const char *text, const char *name);

/* Number of outputs or buffers of a program (`kind`: GL_PROGRAM_OUTPUT, GL_SHADER_STORAGE_BLOCK);
 * `otherwise` on drivers that cannot say: older than OpenGL 4.3, and for outputs without
 * GL_ARB_program_interface_query. */
int qp_program_resources(GLuint program_id, GLenum kind, int otherwise);

#endif
