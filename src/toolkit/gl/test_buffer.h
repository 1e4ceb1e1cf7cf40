/* SPDX-License-Identifier: MIT */
/* Tests that fragments must pass, and the buffer beside the targets that they are made against:
 * marks in its stencil, or depths. The device makes them before it runs a shader wherever it can,
 * so that what fails costs next to nothing. */
#ifndef QP_GL_TEST_BUFFER_H
#define QP_GL_TEST_BUFFER_H

#include "toolkit/gl/context/context.h"

enum qp_test_rule {
    QP_TEST_NONE,
    QP_TEST_MARK,     /* all pass, and their texels are marked */
    QP_TEST_MARKED,   /* only what falls on marked texels passes */
    QP_TEST_UNMARKED, /* only what falls on others */
    QP_TEST_NEARER, /* only what is nearer than all that passed at its texel, whose depth it has */
    QP_TEST_FARTHER /* only what is farther */
};

/* Part of a pass; zero is none. */
struct qp_test {
    enum qp_test_rule rule;
    /* Attached beside the targets while the pass draws; 0: it is attached already. */
    GLuint renderbuffer_id;
};

/* A renderbuffer and a framebuffer object that holds it alone. */
struct qp_test_buffer {
    struct qp_context *context;
    GLuint renderbuffer_id, framebuffer_id;
    GLenum format; /* GL_DEPTH24_STENCIL8 for marks, GL_DEPTH_COMPONENT32F for depths */
    int width, height;
};

/* Makes a buffer whose texels are undefined. Errors: QP_UNSUPPORTED for what the device does not
 * have; QP_NO_MEMORY; QP_DEVICE; then it is all zero. Owner: the caller, by
 * qp_test_buffer_destroy. */
enum qp_status qp_test_buffer_create(struct qp_context *context, GLenum format, int width,
                                     int height, struct qp_test_buffer *out);

/* Unmarks all texels, or sets all depths to one. Does not check for errors. */
void qp_test_buffer_clear(const struct qp_test_buffer *buffer, float depth);

void qp_test_buffer_destroy(struct qp_test_buffer *buffer);

/* Begin and end of the draw of a pass with a test, whose framebuffer object is bound. Afterwards it
 * is as before, and both tests are off. */
void qp_test_begin(const struct qp_test *test);
void qp_test_end(const struct qp_test *test);

#endif
