/* SPDX-License-Identifier: MIT */
/* Room 4: the uniforms of a program, by name and type. OpenGL reports neither a sampler whose name is misspelt,
 * which reads unit 0, nor a number that is never set, which is 0; so the uniforms that a shader declares are
 * compared with those that are set, before the first draw. */
#ifndef QP_GL_UNIFORMS_H
#define QP_GL_UNIFORMS_H

#include <stdbool.h>

#include <GL/glew.h>

enum qp_uniform_type {
    QP_SAMPLER,
    QP_SAMPLER_WORDS,    /* of unsigned integers: QP_R32UI and its like, QP_RG32UI_WORDS */
    QP_SAMPLER_INTEGERS, /* QP_R32I and its like */
    QP_IMAGE,
    QP_IMAGE_WORDS, /* of unsigned integers */
    QP_IMAGE_INTEGERS,
    QP_IMAGE_LAYERS, /* of an array texture, all of them */
    QP_INT,
    QP_BOOL,
    QP_FLOAT,
    QP_DOUBLE, /* needs QP_CAN_DOUBLE */
    QP_PAIR,   /* vec2: both parts of a double (base/pairs.h) */
    QP_VECTOR, /* vec2 */
    QP_VECTOR_3,
    QP_VECTOR_4
};

struct qp_uniform {
    const char *name; /* NULL ends a list */
    enum qp_uniform_type type;
    int elements; /* of an array; 0 for one that is none */
};

/* An error in a program's uniforms, and the name it is about. */
struct qp_complaint {
    char name[64];
    char words[384];
};

/* Finds where uniforms stand, one after the other, of an array each element: -1, which setting ignores, where the
 * program does not use it. False, with the complaint, if the program uses one that is not listed or has
 * another type, or a buffer. What it does not use is no mistake: compilers leave out what changes nothing. On
 * GL_TEXTURE_2D rectangle samplers and images are 2D ones. */
bool qp_uniforms_find(GLuint program_id, GLenum target, const struct qp_uniform *uniforms,
                      int *locations, struct qp_complaint *complaint);

/* Number of outputs or buffers of a program (`kind`: GL_PROGRAM_OUTPUT, GL_SHADER_STORAGE_BLOCK); `otherwise` on
 * drivers older than OpenGL 4.3, which cannot tell. */
int qp_program_resources(GLuint program_id, GLenum kind, int otherwise);

/* Set uniforms of the program in use. */
void qp_uniform_sampler(int location, int unit);
void qp_uniform_int(int location, int value);
void qp_uniform_float(int location, double value);
void qp_uniform_double(int location, double value);
void qp_uniform_pair(int location, double value);
void qp_uniform_vector(int location, double x, double y);

/* A vec3 or vec4, from as many numbers. */
void qp_uniform_long_vector(int location, int length, const double *numbers);

#endif
