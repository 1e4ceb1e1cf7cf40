/* SPDX-License-Identifier: MIT */
/* Fuzz targets of all readers of untrusted bytes: each takes any bytes, and aborts if a promise is
 * broken. They run under libFuzzer (make fuzz) and, with the committed bytes only, in
 * tests/fuzz/test_fuzz.c. */
#ifndef QP_TESTS_FUZZ_H
#define QP_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <quadpass/market.h>

/* A Matrix Market file: read as a file and as a pipe, written, grown, and solved. */
void fuzz_market(const uint8_t *bytes, size_t size);

/* A matrix from such a file, on every grid and by every method of the processor, if it is small. */
void fuzz_solve(const struct qp_market *matrix);

/* A command line: its words end in line feeds, the first is the command's name. */
void fuzz_options(const uint8_t *bytes, size_t size);

/* An array of NumPy's: read as a file and as a pipe, written, and read again. */
void fuzz_npy(const uint8_t *bytes, size_t size);

/* A picture, also with its checksums made right: read, written in grey, and read again. */
void fuzz_png(const uint8_t *bytes, size_t size);

/* A shader's text, as the library looks through it. */
void fuzz_glsl(const uint8_t *bytes, size_t size);

/* A kernel file: its head, and what its text says. */
void fuzz_kernel_file(const uint8_t *bytes, size_t size);

/* A configuration of the thesis's, and the kernel file that it becomes. */
void fuzz_conf(const uint8_t *bytes, size_t size);

/* Names and a body of a kernel in the short form, and what a driver says of it, as the library
 * looks through them. */
void fuzz_kernel(const uint8_t *bytes, size_t size);

/* A checkpoint of a solve: as it is, and after a header and before the hash that fit. */
void fuzz_checkpoint(const uint8_t *bytes, size_t size);

/* The bytes as a file in memory, under a name that can be opened; until the next call. */
const char *fuzz_file(const uint8_t *bytes, size_t size);

#define PROMISE(true_or_bug)                                                          \
    do {                                                                              \
        if (!(true_or_bug)) {                                                         \
            fprintf(stderr, "%s:%d: broken: %s\n", __FILE__, __LINE__, #true_or_bug); \
            abort();                                                                  \
        }                                                                             \
    } while (0)

#endif
