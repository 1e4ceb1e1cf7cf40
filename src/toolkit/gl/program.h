/* SPDX-License-Identifier: MIT */
/* Stage 4: kernels = shaders. */
#ifndef QP_GL_PROGRAM_H
#define QP_GL_PROGRAM_H

#include "toolkit/gl/context/context.h"
#include "toolkit/gl/uniforms.h"

/* A linked program. The context owns it and keeps it for the next run with the same text: for ever,
 * or, of those that are given back by all their users, the last QP_PROGRAMS_UNUSED. */
struct qp_program;
enum { QP_PROGRAMS_UNUSED = 64 };

/* A shader: a file of the library by its name, or any `text`, with the name for messages. `head` is
 * put after its #version line: definitions that it asks for, whole lines; or, with a #version line
 * of its own, in front of a text that has none. */
struct qp_source {
    const char *name;
    const char *text;
    const char *head;
};

/* Sources of a program: a shader for fragments, and one for vertices unless the fixed pipeline's
 * will do; or one that computes, for groups of this size, which needs QP_CAN_COMPUTE: its #version
 * line gives way to OpenGL 4.3's and to GROUP_X and GROUP_Y. `target` GL_TEXTURE_2D turns rectangle
 * samplers into 2D ones. */
struct qp_program_source {
    struct qp_source vertex, fragment, compute;
    struct qp_group group;
    GLenum target;                    /* target of the textures that are read */
    const struct qp_outputs *outputs; /* outputs of the fragment shader; NULL: any */
    bool is_given_back;               /* by qp_program_give_back */
};

/* Compiles and links, or finds what the context has kept, and finds the uniforms that whoever draws
 * will set and their locations (uniforms.h); NULL: none are looked for. Texts are read anew each
 * time (shaders.h). Errors, after which *out is NULL, with file, line and that line's text: the
 * driver's words, as QP_BAD_INPUT for a `text` and as QP_DEVICE for a file of the library;
 * QP_BAD_INPUT for a uniform that is not in the list or of another type, for outputs that are
 * others, or for a shader that does not exist; QP_NO_MEMORY. */
enum qp_status qp_program_make(struct qp_context *context, const struct qp_program_source *source,
                               const struct qp_uniform *uniforms, int *locations,
                               struct qp_program **out);

void qp_program_use(const struct qp_program *program);

/* Ends a use of a program that was made to be given back; the context is current. Takes NULL. */
void qp_program_give_back(struct qp_context *context, struct qp_program *program);

/* Deletes all programs of a context. */
void qp_program_forget_all(struct qp_context *context);

#endif
