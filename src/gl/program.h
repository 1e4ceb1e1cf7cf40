/* SPDX-License-Identifier: MIT */
/* Room 4: kernels = shaders. */
#ifndef QP_GL_PROGRAM_H
#define QP_GL_PROGRAM_H

#include "gl/context.h"
#include "gl/uniforms.h"

/* A linked program. The context owns it and keeps it for the next run with the same text. */
struct qp_program;

/* A shader: a file of the library by its name, or any `text`, with the name for messages. `head` is put
 * behind its #version line: definitions that it asks for, whole lines. */
struct qp_source {
    const char *name;
    const char *text;
    const char *head;
};

/* Compiles and links shaders/`fragment` with shaders/`vertex` (NULL: the fixed pipeline's), or takes the
 * program from the context's cache, and finds the locations of `uniforms` (NULL: none are looked
 * for). Texts are read anew each time (shaders.h). `target` GL_TEXTURE_2D turns rectangle samplers into 2D
 * ones. Errors, after which *out is NULL, with file, line and that line's text: QP_DEVICE with the driver's
 * words, QP_BAD_INPUT for a uniform that is not in the list or of another type, or for a shader that does
 * not exist; QP_NO_MEMORY. */
enum qp_status qp_program_get(struct qp_context *context, const char *vertex, const char *fragment,
                              GLenum target, const struct qp_uniform *uniforms,
                              struct qp_program **out);

/* qp_program_get for any shader sources; a vertex shader without a name is the fixed pipeline's. */
enum qp_status qp_program_make(struct qp_context *context, const struct qp_source *vertex,
                               const struct qp_source *fragment, GLenum target,
                               const struct qp_uniform *uniforms, struct qp_program **out);

/* qp_program_get for a compute shader, whose #version line is replaced by OpenGL 4.3's and the size of
 * its groups, GROUP_X and GROUP_Y. Needs QP_CAN_COMPUTE. */
enum qp_status qp_program_make_compute(struct qp_context *context, const struct qp_source *compute,
                                       GLenum target, struct qp_group group,
                                       const struct qp_uniform *uniforms, struct qp_program **out);

void qp_program_use(const struct qp_program *program);

/* Location of a uniform; -1 for a name the program does not use. */
int qp_program_location(const struct qp_program *program, const char *name);

/* Deletes all programs of a context. */
void qp_program_forget_all(struct qp_context *context);

#endif
