/* SPDX-License-Identifier: MIT */
/* Failures to order. The linker leads what the library asks of the C library and of OpenGL 1.1
 * through here (--wrap), and GLEW's table of functions is changed in place, so that the library
 * under test is the one that is shipped: it holds no hook. */
#ifndef QP_TESTS_FAULTS_H
#define QP_TESTS_FAULTS_H

#include <stdbool.h>

#include <GL/glew.h>
#include <quadpass/status.h>

enum fault {
    FAULT_MEMORY, /* malloc and its kin answer NULL */
    FAULT_GL,     /* a GL object cannot be made, or has no storage, or does not compile */
    FAULT_ERROR,  /* asked for it, the driver says that a command before was invalid */
    FAULT_RESET   /* asked for it, the driver says that it reset the device; it says so once */
};

/* Group set-up: support_open_context, then GLEW's functions are led through here. */
int faults_open_context(void **state);

/* From now on the number-th request of this kind fails, counted from 1; those before and after it
 * are served. */
void faults_arm(enum fault fault, int number);

/* Everything is served again; returns how many requests there were since. */
int faults_disarm(void);

/* Name of the last call that failed: "glTexImage2D", "malloc"; NULL if none has since arming. */
const char *faults_struck(void);

/* True if that was for want of memory, the host's or the device's. */
bool faults_ran_out(void);

/* Width or height, whichever is more, of the largest texture that was asked for since arming. */
int faults_largest(void);

/* Blocks of memory the library holds. */
long faults_live_blocks(void);

struct qp_context;
/* Frees what a context keeps for the next plan: its programs, and threads of parts with their
 * contexts. NULL: nothing. */
void faults_forget(struct qp_context *context);

/* Sets glGetIntegerv's answer for one name from now on; 0 is no name. */
void faults_integer(GLenum name, GLint value);

#endif
