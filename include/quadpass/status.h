/* SPDX-License-Identifier: MIT */
/* Status codes of functions, and the thread's sentence about the last error: a code travels, a sentence stays. */
#ifndef QUADPASS_STATUS_H
#define QUADPASS_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

enum qp_status {
    QP_OK = 0,
    QP_BAD_USE,     /* an argument or option makes no sense; exit code 2 */
    QP_BAD_INPUT,   /* a file or a problem is malformed; exit code 2 */
    QP_UNSUPPORTED, /* this variant or device cannot take this problem: a skip, with its reason */
    QP_NO_DEVICE,   /* no usable OpenGL context; exit code 3 */
    QP_NO_MEMORY,   /* of the machine or of the device; exit code 3 */
    QP_DEVICE,      /* OpenGL or CUDA refused something: a shader, a draw, a kernel; exit code 3 */
};

/* The calling thread's last sentence: which room, which object, what was wrong and what to do.
 * Never NULL; empty until something failed. Valid until this thread's next failing call. */
const char *qp_error(void);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
#endif
