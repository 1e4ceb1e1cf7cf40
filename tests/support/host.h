/* SPDX-License-Identifier: MIT */
/* A program that embeds the library, with an OpenGL context of its own that is full of state. */
#ifndef QP_TESTS_HOST_H
#define QP_TESTS_HOST_H

#include "support/support.h"

#include "toolkit/gl/context/context.h"

extern struct host {
    struct qp_context *other; /* whose display and functions are used */
    EGLContext handle;
} host;

/* Opens a context of the host's by this API and makes it current; without OpenGL the test is
 * skipped. */
void host_open(EGLenum api, const EGLint *attributes);
void host_close(void);

/* Sets all that passes need otherwise, and much that would spoil them. */
void host_set_state(void);

enum { HOST_ENABLES = 26, HOST_NUMBERS = 42, HOST_REALS = 13, HOST_UNITS = 4, HOST_STORAGES = 8 };

struct shot {
    GLboolean enabled[HOST_ENABLES];
    GLint number[HOST_NUMBERS], bound[HOST_UNITS][3], storage[HOST_STORAGES];
    GLdouble real[HOST_REALS][16];
};

struct shot host_look(void);

/* Fails with the name of `call` where the state is another one than `before`. */
void host_assert_same(const struct shot *before, const char *call);

#endif
