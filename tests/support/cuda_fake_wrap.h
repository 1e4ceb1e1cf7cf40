/* SPDX-License-Identifier: MIT */
/* Calls of CUDA's that fakes answer (cuda_fake.h). The Makefile finds their names at the beginnings
 * of lines. */
#ifndef QP_TESTS_CUDA_FAKE_WRAP_H
#define QP_TESTS_CUDA_FAKE_WRAP_H

#include "support/cuda_fake.h"

/* __wrap_NAME takes the library's calls, __real_NAME is CUDA's own, absent in a build without. */
#define WRAP(name, parameters, arguments, ...)                                     \
    int __real_##name parameters __attribute__((weak));                            \
    int __wrap_##name parameters;                                                  \
    int __wrap_##name parameters                                                   \
    {                                                                              \
        if (!cuda_fake.on)                                                         \
            return __real_##name != NULL ? __real_##name arguments : FAKE_INVALID; \
        __VA_ARGS__                                                                \
    }

/* The error of this call, 0 but on order. */
int cuda_fake_fails(void);

#endif
