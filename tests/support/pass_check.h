/* SPDX-License-Identifier: MIT */
/* Expectations of tests of checks of passes. */
#ifndef QP_TESTS_PASS_CHECK_H
#define QP_TESTS_PASS_CHECK_H

#include "support/toolkit.h"

/* Values that a reference is given. */
static inline const double *doubles(const struct qp_kernel_array *input)
{
    return input->values;
}

/* The result of a check that is no error. */
struct qp_pass_check_result check_pass(const struct qp_pass *pass,
                                       const struct qp_pass_check_desc *desc);

/* The pass is right in `cases` cases, and all mutants are noticed. */
void expect_pass(const struct qp_pass *pass, const struct qp_pass_check_desc *desc, int cases);

/* It is wrong, and these words are in the reason. */
void expect_fail(const struct qp_pass *pass, const struct qp_pass_check_desc *desc,
                 const char *words);

/* Destroys a pass's arrays and kernel, each once. */
void close_pass(struct qp_pass *pass);

#endif
