/* SPDX-License-Identifier: MIT */
#ifndef QP_BASE_INTERRUPT_H
#define QP_BASE_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* True once a signal handler, or another owner of the flag, wants long work to end. NULL never does. */
static inline bool qp_is_interrupted(const volatile sig_atomic_t *interrupt)
{
    return interrupt != NULL && *interrupt != 0;
}

#endif
