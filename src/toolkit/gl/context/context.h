/* SPDX-License-Identifier: MIT */
/* Private parts of an OpenGL context, shared by the files of this folder. */
#ifndef QP_GL_CONTEXT_H
#define QP_GL_CONTEXT_H

#include <stdbool.h>

#include <EGL/egl.h>
#include <GL/glew.h>
#include <pthread.h>

#include <quadpass/context.h>

#include "toolkit/base/status.h"
#include "toolkit/gl/context/display.h"

struct qp_gl_pass;
struct qp_step;
struct qp_passes;
struct qp_program;
struct qp_state;
struct qp_shared;
struct qp_texture_pool;

/* Work that was drawn and may not be done yet (queue.c). */
struct qp_queue {
    bool fenced;         /* fences are there */
    GLsync before;       /* after the slice before this one, or NULL */
    double texels, most; /* texels drawn since; texels of a slice, 0: not counted */
    double waited_at;
};

/* State that the draw before has left, while passes of a list follow each other and nothing else
 * changes it: a pass then leaves out what is there already (pass.c, step.c). */
struct qp_earlier_draw {
    bool follows;               /* in a list; otherwise nothing is known of the state */
    bool known;                 /* the rest is */
    const struct qp_step *step; /* whose program is in use, with its textures' units set */
    GLenum primitive;
    int blend;
    int x, y, width, height; /* the viewport */
    bool depths;             /* the projection is that of a test of depths */
};

/* Invocations of one group of a compute shader, across and up. */
struct qp_group {
    int x, y;
};

/* The fastest group for a shader (its name lives as long as the program) on 2^magnitude texels. */
struct qp_group_choice {
    const char *shader;
    GLenum target;
    int magnitude;
    struct qp_group group; /* 0 x 0: no choice yet */
};

enum { QP_GROUP_CHOICES = 64 };

struct qp_context {
    struct qp_candidate candidate; /* the device it was opened on */
    EGLDisplay display;
    EGLContext handle;
    int mark;                /* qp_call_mark's; 0: none, as in a context of the caller's own */
    pthread_t thread;        /* the only one that may use it */
    struct qp_device device; /* strings point into the driver or into `text` */
    char text[2][256];       /* egl, why */
    struct qp_counters counters;
    struct qp_queue queue;
    struct qp_earlier_draw earlier;
    struct qp_passes *passes; /* not drawn yet (passes.c); NULL before the first */
    /* The answer of qp_gl_ends_loops, where it was asked. */
    enum qp_loops { QP_LOOPS_UNKNOWN, QP_LOOPS_GO_ON, QP_LOOPS_END } loops;
    GLuint rounds_id;    /* the buffer of qp_gl_watch_rounds; 0: none */
    char rounds_of[256]; /* whose loops were drawn since the last look at it; "": none */
    bool tells_resets;   /* glGetGraphicsResetStatusARB answers */
    GLenum reset;        /* its answer once the context was lost; GL_NO_ERROR before */
    struct qp_group_choice group_choice[QP_GROUP_CHOICES]; /* made so far (groups.c) */
    int group_choices;                                     /* where the next one goes */
    struct qp_program *programs;                           /* compiled so far, newest first */
    struct qp_shared *shared; /* objects registered with CUDA, newest first (interop.c) */
    void (*abandon_shared)(struct qp_context *context); /* releases CUDA's side before the end */
    struct qp_texture_pool
        *texture_pool;      /* textures for arrays to come (src/toolkit/arrays/texture_pool.c) */
    char driver_words[512]; /* the driver's latest debug message about an error */
    struct qp_state *state; /* state of a context that is the caller's own (adopted.c), else NULL */
    struct qp_pool *threads; /* threads of parts, for plans to come (parts.c) */
    void (*abandon_threads)(struct qp_pool **threads); /* ends them */

    /* Called before and after each draw, its surface bound, for those who watch; NULL: nobody
     * does. */
    void (*on_pass)(void *user, const struct qp_gl_pass *pass, bool after);
    void *on_pass_user;
};

/* A context of this thread that has nothing yet and is known as living (objects.h); NULL, with the
 * sentence, if there is no memory. Owner: the caller, by qp_context_destroy. */
struct qp_context *qp_context_new(void);

/* Another context on the same device, for this thread. Errors: QP_NO_DEVICE, QP_NO_MEMORY. Owner:
 * the caller, by qp_context_destroy. */
enum qp_status qp_context_create_beside(const struct qp_context *other, struct qp_context **out);

/* Reads what the device is, and loads OpenGL's functions; the context is current. Errors:
 * QP_NO_DEVICE. */
enum qp_status qp_context_start(struct qp_context *context);

/* Makes the context current on this thread; one of the caller's own is as at its begin until the
 * call's end. Errors: QP_BAD_USE for NULL, another thread's context, or one that was made before a
 * fork. */
enum qp_status qp_context_enter(struct qp_context *context);

/* CUDA's number of the context's device; -1 where it has none, or there is no context. */
int qp_context_cuda_ordinal(const struct qp_context *context);

/* Reads the device's 16 bytes of identity, which other interfaces of its driver know, too; the
 * context is current. False where the driver has none (GL_EXT_memory_object). */
bool qp_gl_uuid(const struct qp_context *context, unsigned char uuid[16]);

/* True if this context has the extension (GLEW's flags are process-wide, so not those). */
bool qp_context_has(const struct qp_context *context, const char *extension);

/* Collects glGetError, whether the context is lost, and whether the driver has ended loops, once
 * per stage. Errors: QP_DEVICE or QP_NO_MEMORY, naming `stage`; QP_BAD_INPUT for loops, naming
 * theirs. */
enum qp_status qp_gl_check(struct qp_context *context, const char *stage);

/* Checks likewise after a small pass, but for errors alone: a loss that raises no error is found by
 * the next qp_gl_check. */
enum qp_status qp_gl_check_pass(struct qp_context *context, const char *stage);

/* Checks only whether the context is lost. Errors: QP_DEVICE. */
enum qp_status qp_gl_check_lost(struct qp_context *context, const char *stage);

/* True for a software driver that ends all loops of an invocation after 65535 rounds together,
 * without an error, as those of Mesa 22.3 do: the first call draws a loop that has more. */
bool qp_gl_ends_loops(struct qp_context *context);

/* On such drivers a shader whose loops may have as many rounds stores 1 in the buffer block
 * QP_ROUNDS where it finds them ended; this is called before it draws, with the name of its text,
 * and qp_gl_check looks. Errors: QP_BAD_INPUT for loops of another name before it. */
#define QP_ROUNDS "QP_ROUNDS"
enum qp_status qp_gl_watch_rounds(struct qp_context *context, const char *name);
void qp_gl_forget_rounds(struct qp_context *context);

/* Counts an object just made as alive. A driver that is out of memory names it 0: that is an error
 * like any other, QP_NO_MEMORY or QP_DEVICE, and nothing is counted. */
enum qp_status qp_gl_count(struct qp_context *context, GLuint id, const char *stage);

/* Sets context->tells_resets. */
void qp_gl_watch_resets(struct qp_context *context);

/* Drops errors that are pending. */
void qp_gl_forget_errors(void);

/* Bytes of free device memory, as the driver reports them; INFINITY where it does not, or where the
 * device is the host's processor (memory.c). */
double qp_gl_memory_there(const struct qp_context *context);

/* Measures device.abilities and the limits (caps.c). */
enum qp_status qp_caps_probe(struct qp_context *context);

#endif
