/* SPDX-License-Identifier: MIT */
/* For the judges of exercises in C, each of which is one program with the reader's file. */
#ifndef EXERCISES_JUDGE_H
#define EXERCISES_JUDGE_H

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <quadpass/quadpass.h>

/* Judges one pass, at awkward sizes, and asks whether its reference would notice a wrong fetch. */
static inline bool pass_is_right(const struct qp_pass *pass, qp_trial_reference *reference)
{
    struct qp_pass_check_desc desc = {.reference = reference};
    struct qp_pass_check_result result;
    enum qp_status status = qp_pass_check(pass, &desc, &result);
    desc.spoil = result.verdict == QP_PASS;
    if (desc.spoil)
        status = qp_pass_check(pass, &desc, &result);
    if (status != QP_OK)
        printf("%s\n", qp_error());
    if (status != QP_OK)
        return false;
    if (result.verdict != QP_PASS)
        printf("the kernel alone: %s\n", result.reason);
    else if (result.noticed == result.made)
        printf("the kernel alone is right in %d cases, and the test would catch each of %d "
               "mistakes planted in it\n",
               result.cases, result.made);
    else
        printf("the kernel alone is right in %d cases, but the test would catch %d of %d mistakes "
               "planted in it: %s\n",
               result.cases, result.noticed, result.made, result.survivor);
    return result.verdict == QP_PASS && 10 * result.noticed >= 9 * result.made;
}

/* Exit codes of quadpass: 3 is no device. */
static inline int judge_with_context(bool (*is_right)(struct qp_context *))
{
    struct qp_context *context;
    if (qp_context_create(NULL, &context) != QP_OK) {
        printf("%s\n", qp_error());
        return 3;
    }
    const bool right = is_right(context);
    qp_context_destroy(&context);
    return right ? 0 : 1;
}

#endif
