/* SPDX-License-Identifier: MIT */
/* Stages 4 and 5: a step is data: a program and the names that it asks for. A pass (pass.h) gives
 * them values and says where it draws; engines are lists of passes (passes.h). */
#ifndef QP_GL_STEP_H
#define QP_GL_STEP_H

#include "toolkit/gl/pass.h"

/* Names of a step at most, and uniforms, where an array has one for each of its elements. */
enum { QP_STEP_NAMES = 64, QP_STEP_PLACES = 1088 };

/* Value of a name: a texture, or the first of an array's; a storage buffer; a number, both of a
 * vector, or those of an array or of a longer vector. */
struct qp_step_value {
    const struct qp_texture *texture;
    const struct qp_buffer *buffer;
    double x, y;
    /* Values, as many as the name has elements, or its vector numbers; NULL: all of them are x. */
    const double *list;
};

/* A program and the places of the names in it; the context owns the program. */
struct qp_step {
    struct qp_program *program; /* NULL until it is made */
    struct qp_group group;
    int names;
    struct {
        enum qp_uniform_type type;
        int elements, place;
    } name[QP_STEP_NAMES];
    int location[QP_STEP_PLACES];
};

/* `names` are all that the program may ask for, images before samplers. Errors: those of
 * qp_program_make. */
enum qp_status qp_step_make(struct qp_context *context, const struct qp_program_source *source,
                            const struct qp_uniform *names, struct qp_step *out);

/* True if the program uses this element of names[name], from 0 on. */
bool qp_step_uses(const struct qp_step *step, int name, int element);

/* Draws or dispatches a pass by its step and values. An image is read by fragments; what computes
 * may read and write it. Does not wait. */
void qp_step_run(struct qp_context *context, const struct qp_gl_pass *pass);

#endif
