/* SPDX-License-Identifier: MIT */
/* Helpers of all tests. Each test program is one layer or one promise. */
#ifndef QP_TESTS_SUPPORT_H
#define QP_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <quadpass/quadpass.h>

/* Elements of an array. */
#define COUNT(table) ((int)(sizeof(table) / sizeof(table)[0]))

/* Group set-up and tear-down: *state is a struct qp_context, or NULL where no device can be had;
 * then tests that need one call support_need_context and are skipped by name, or fail with
 * REQUIRE=gl. */
int support_open_context(void **state);
int support_close_context(void **state);

/* The context of this group; skips the test if there is none. */
struct qp_context *support_need_context(void **state);

/* True if REQUIRE names this kind: gl, cuda, blas. */
bool support_is_required(const char *kind);

/* Skips the test for what is not here, and the library's last sentence says so; fails it if that is
 * required. */
void support_skip(const char *kind);

/* False in a build without CUDA. */
bool support_has_cuda(void);

/* Skips the test if CUDA's answer is a refusal, or fails it with REQUIRE=cuda. */
void support_need_cuda(enum qp_status answer);

/* Test tear-down: GL's error state is clean and no GL object of a run is alive. */
int support_check_clean(void **state);

/* A test that is torn down so. */
#define clean_test(f) cmocka_unit_test_teardown(f, support_check_clean)

/* assert_true with the library's sentence on failure. */
#define assert_ok(status) support_assert_ok((status), #status, __FILE__, __LINE__)
void support_assert_ok(enum qp_status status, const char *text, const char *file, int line);

/* A square matrix as an array file gives it, of zeros or of random values from -1 to 1; and a place
 * in it. */
struct qp_market support_dense(int rows);
struct qp_market support_random_dense(int rows, uint64_t seed);
double *support_entry(const struct qp_market *a, int row, int column);

/* False for a row that calls a library this build lacks, or needs CUDA where there is none: then
 * the sentence says so. With REQUIRE=cuda the latter fails the test. */
bool support_is_built(const struct qp_variant *row);

/* True with LONG=1: what takes long and rarely finds anything runs too, by hand and before a
 * release. */
bool support_takes_long(void);

/* True if a test's case number k, from 0 on, is to run: one in `one_in`, with LONG=1 all. For a
 * product of several things let k be the sum of their numbers, so that each of them comes with
 * others. */
bool support_takes(int k, int one_in);

/* A problem of a dozen columns that the row takes; false if it takes none. Programs of a batch hold
 * all its unknowns, so a dozen would take seconds to compile: it gets 5. */
bool support_small_problem(const struct qp_variant *row, struct qp_problem *out);

/* False for a row that shares textures with CUDA, where CUDA does not have the context's device;
 * then the sentence says so. */
bool support_can_share(struct qp_context *context, const struct qp_variant *row);

/* The sentence of the last failure must hold these words. */
void support_assert_sentence(const char *words);

#endif
