/* SPDX-License-Identifier: MIT */
/* Status codes of functions, and the thread's sentence about the last error.
 *
 * In all of these headers the comment of a function ends with three words:
 *
 * Errors: the codes it may return, and what *out holds then; "none" for a function that cannot
 * fail. Owner: who frees what it hands out, or how long that lives; "none" where it hands out
 * nothing. Threads: "any", several at once too, as long as none of them writes what another one was
 * given; or "the context's", the one that created the context: functions that compute in it refuse
 * others with QP_BAD_USE. A NULL context, for variants on the CPU and in CUDA, leaves it to any. */
#ifndef QUADPASS_STATUS_H
#define QUADPASS_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum qp_status {
    QP_OK = 0,
    QP_BAD_USE,     /* an argument or option makes no sense; exit code 2 */
    QP_BAD_INPUT,   /* a file, a problem or a caller's shader is malformed; exit code 2 */
    QP_UNSUPPORTED, /* this variant or device cannot take this problem: a skip, with its reason */
    QP_NO_DEVICE,   /* no usable OpenGL context; exit code 3 */
    QP_NO_MEMORY,   /* memory of the machine or of the device ran out; exit code 3 */
    QP_DEVICE,      /* OpenGL or CUDA refused something of ours: a draw, a kernel; exit code 3 */
};

/* The calling thread's last sentence: which stage, which object, what was wrong and what to do.
 * Never NULL; empty until something failed. Errors: none. Owner: the library, until this thread's
 * next failing call. Threads: any; each has its own. */
const char *qp_error(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
