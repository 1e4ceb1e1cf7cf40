/* SPDX-License-Identifier: MIT */
/* An OpenGL context without a screen, and what its device can do. */
#ifndef QUADPASS_CONTEXT_H
#define QUADPASS_CONTEXT_H

#include <stdbool.h>
#include <stddef.h>

#include <quadpass/status.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* An EGL context that renders into textures only. Several may live at once; each belongs to the
 * thread that created it, and using it elsewhere is refused with QP_BAD_USE, as is one that was
 * destroyed.
 *
 * A program may have EGL displays and contexts of its own. Displays stay open, and a context of its
 * own that is current on the thread is current again after every call but those of cuda.h; where
 * there is none, the library's stays current. (GLX is another matter: EGL does not know of it.)
 *
 * A process that was forked from one which has opened a context or computed is refused with
 * QP_BAD_USE wherever it would compute: the threads and devices are not copied. It can call
 * exec. */
struct qp_context;

/* Abilities, each measured at start by doing it, not guessed from a version. Whether the device
 * computes right with them: prove.h. */
enum qp_ability {
    QP_CAN_LUMINANCE32F = 1 << 0,    /* render to and read back GL_LUMINANCE32F_ARB rectangles */
    QP_CAN_R32F = 1 << 1,            /* the same with GL_R32F */
    QP_CAN_RGBA32F = 1 << 2,         /* the same with GL_RGBA32F_ARB */
    QP_CAN_FLOAT_BLEND = 1 << 3,     /* blend 32-bit floats, luminance and RGBA, without clamping */
    QP_CAN_TEXTURE_BARRIER = 1 << 4, /* glTextureBarrier makes a pass in place right */
    QP_CAN_PIXEL_BUFFER = 1 << 5,    /* read back through a pixel buffer object */
    QP_CAN_BOUNDARY_LINES = 1 << 6,  /* a one-texel line covers every texel of its column */
    QP_CAN_PRECISE = 1 << 7,         /* `precise` keeps (a+b)-a from becoming b */
    QP_CAN_LUMINANCE16F = 1 << 8,    /* render to and read back GL_LUMINANCE16F_ARB rectangles */
    QP_CAN_RGBA16F = 1 << 9,         /* the same with GL_RGBA16F_ARB */
    QP_CAN_COMPUTE = 1 << 10,        /* OpenGL 4.3: compute into GL_RGBA32F_ARB images */
    QP_CAN_READ_IMAGES = 1 << 11,    /* imageLoad sees what the pass before has drawn */
    QP_CAN_HALF_BLEND = 1 << 12,     /* blend GL_LUMINANCE16F_ARB without clamping */
    QP_CAN_LAYERED_IMAGES = 1 << 13, /* imageLoad from layers drawn at once, by vertices too */
    QP_CAN_FENCE = 1 << 14,          /* wait for the commands before a fence and no others */
    QP_CAN_MAP_FOR_LIFE = 1 << 15,   /* write and read buffers that stay mapped */
    QP_CAN_DOUBLE = 1 << 16,         /* compute in double from and to GL_RG32UI and GL_RGBA32UI */
    QP_CAN_RG32F = 1 << 17,          /* render to and read back GL_RG32F rectangles */
    QP_ABILITIES = 18                /* how many there are */
};

/* Zero means default. */
struct qp_context_desc {
    /* "auto" (default: QUADPASS_DEVICE, else hardware before software), "llvmpipe", "nvidia", or
     * the number of an EGL device. */
    const char *device;
};

/* Strings live as long as the context. */
struct qp_device {
    const char *renderer;   /* GL_RENDERER */
    const char *vendor;     /* GL_VENDOR */
    const char *version;    /* GL_VERSION */
    const char *glsl;       /* GL_SHADING_LANGUAGE_VERSION */
    const char *egl;        /* EGL_VERSION and the platform taken */
    const char *why;        /* why this device was taken */
    bool software;          /* llvmpipe or another rasteriser on the CPU */
    unsigned abilities;     /* enum qp_ability, or-ed */
    int rectangle_limit;    /* texels, each way, of a rectangle texture */
    int texture_limit;      /* texels, each way, of a 2D texture */
    int texture_units;      /* textures one fragment shader may read */
    int colour_attachments; /* textures one framebuffer object may hold */
    int draw_buffers;       /* textures one fragment shader may write */
    int vertex_outputs;     /* floats a vertex shader may hand on */
    int cuda_device;        /* CUDA's number of the same device, by EGL; -1: it has none */
};

/* Counters of a context's objects and traffic, for tests that must prove them. */
struct qp_counters {
    size_t live_objects; /* GL objects made for runs and not yet deleted: 0 between runs */
    /* GL objects that the context keeps: compiled programs (kernel.h), and textures with
     * framebuffer objects for arrays to come (array.h). */
    size_t kept_objects;
    size_t bytes_written;  /* from the host to textures and arrays */
    size_t bytes_read;     /* from them to the host */
    size_t passes;         /* draw calls and dispatches */
    size_t vertices;       /* vertices of these draws */
    size_t shared_objects; /* textures and buffers that CUDA knows (cuda.h): 0 between runs */
};

/* Opens a context and makes it current on this thread, unless one of the caller's own is; `desc`
 * may be NULL. Errors: QP_NO_DEVICE, with a sentence that says what was looked for and what to do;
 * QP_BAD_USE for an unknown device name, NULL or a forked process; QP_BAD_INPUT for a
 * QUADPASS_SHADER_DIR that is no folder; QP_NO_MEMORY; then *out is NULL. Owner: the caller, by
 * qp_context_destroy. Threads: any, to which the context then belongs. */
enum qp_status qp_context_create(const struct qp_context_desc *desc, struct qp_context **out);

/* Takes the EGL context of the caller's own that is current on this thread: desktop OpenGL 3.0 or
 * newer with the compatibility profile. Arrays can then be made of its textures (qp_array_adopt),
 * and it can draw with textures of arrays (qp_array_texture). After each call its state is what it
 * was before: bindings, matrices, enables, masks, the pixel store. Compute shaders may replace only
 * the bindings for imageLoad and shader storage, and errors that are pending are dropped. Commands
 * that count or drop all drawing, such as queries and glBeginConditionalRender, count or drop the
 * library's too. Both stacks of attributes need a free level: without one every call is refused
 * with QP_BAD_USE, as it is while a display list is open (glNewList) and in the render modes
 * GL_FEEDBACK and GL_SELECT, in which nothing is drawn. The context stays open, and must stay open
 * until it is given back by qp_context_destroy. Errors: QP_BAD_USE where no context is current or
 * for NULL, and for the states above; QP_UNSUPPORTED for OpenGL ES and the core profile;
 * QP_NO_DEVICE, QP_NO_MEMORY; then *out is NULL. Owner: the caller, by qp_context_destroy. Threads:
 * any, to which the context then belongs. */
enum qp_status qp_context_adopt(struct qp_context **out);

/* Deletes what the context keeps and closes it; takes NULL and leaves *context NULL. A forked
 * process only forgets it, and nothing is done to one that was destroyed before, through another
 * pointer. Errors: none. Owner: none. Threads: best the context's: another one cannot give back
 * what CUDA knows of it (cuda.h). */
void qp_context_destroy(struct qp_context **context);

/* The context's device. Errors: NULL for NULL or a destroyed context. Owner: the context. Threads:
 * any. */
const struct qp_device *qp_context_device(const struct qp_context *context);

/* Counters of what passed through so far. Errors: all zero for NULL or a destroyed context. Owner:
 * none. Threads: the context's. */
struct qp_counters qp_context_counters(const struct qp_context *context);

/* True once the driver has reported a reset of the device: nothing can be computed in this context
 * any more, and every walk returns QP_DEVICE. Destroy it and create another. Errors: none; false
 * for NULL or a destroyed context. Owner: none. Threads: the context's. */
bool qp_context_is_lost(const struct qp_context *context);

/* Name of ability number `index` (0 to QP_ABILITIES - 1), such as "float blend"; else "none".
 * Errors: none. Owner: the library, for ever. Threads: any. */
const char *qp_ability_name(int index);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
