/* SPDX-License-Identifier: MIT */
/* What reads a stranger's bytes: each target takes any bytes, and aborts if a promise is broken. They
 * run under libFuzzer (make fuzz) and, with the committed bytes only, in tests/test_fuzz.c. */
#ifndef QP_TESTS_FUZZ_H
#define QP_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* A Matrix Market file: read as a file and as a pipe, and put on a grid. */
void fuzz_market(const uint8_t *bytes, size_t size);

/* A command line: its words end in line feeds, the first is the command's name. */
void fuzz_options(const uint8_t *bytes, size_t size);

#define PROMISE(true_or_bug)                                                          \
    do {                                                                              \
        if (!(true_or_bug)) {                                                         \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #true_or_bug); \
            abort();                                                                  \
        }                                                                             \
    } while (0)

#endif
