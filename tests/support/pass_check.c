/* SPDX-License-Identifier: MIT */
#include "support/pass_check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct qp_pass_check_result check_pass(const struct qp_pass *pass,
                                       const struct qp_pass_check_desc *desc)
{
    struct qp_pass_check_result result;
    if (qp_pass_check(pass, desc, &result) != QP_OK)
        fail_msg("%s", qp_error());
    return result;
}

void expect_pass(const struct qp_pass *pass, const struct qp_pass_check_desc *desc, int cases)
{
    const struct qp_pass_check_result result = check_pass(pass, desc);
    if (result.verdict != QP_PASS || result.cases != cases || result.noticed != result.made)
        fail_msg("verdict %d after %d cases, %d of %d mutants noticed: %s%s", (int)result.verdict,
                 result.cases, result.noticed, result.made, result.reason, result.survivor);
    assert_true(result.seconds > 0.0 && result.error <= result.allowed);
    const bool exact = desc->reference == NULL ||
                       qp_array_describe(pass->output[0]).type == QP_ARRAY_INT ||
                       qp_array_describe(pass->output[0]).type == QP_ARRAY_UINT;
    assert_true(result.width > 0 && (result.allowed > 0.0) != exact);
    const enum qp_array_type type = qp_array_describe(pass->output[0]).type;
    if (!exact && desc->tolerance == 0.0 && pass->output[1] == NULL)
        assert_true(result.allowed == (type == QP_ARRAY_HALF     ? 0x1p-10
                                       : type == QP_ARRAY_DOUBLE ? 0x1p-48
                                                                 : 0x1p-20));
    assert_true(result.reason[0] == '\0' && result.survivor[0] == '\0');
    assert_true(!desc->spoil || result.made > 0);
}

/* `words` are in the reason. */
void expect_fail(const struct qp_pass *pass, const struct qp_pass_check_desc *desc,
                 const char *words)
{
    const struct qp_pass_check_result result = check_pass(pass, desc);
    if (result.verdict != QP_FAIL || strstr(result.reason, words) == NULL)
        fail_msg("verdict %d: '%s', and not '%s'", (int)result.verdict, result.reason, words);
    assert_true(isnan(result.seconds) && !(result.error <= result.allowed));
    char size[32]; /* which the reason names, too */
    snprintf(size, sizeof size, " %d x %d", result.width, result.height);
    assert_non_null(strstr(result.reason, size));
}

void close_pass(struct qp_pass *pass)
{
    struct qp_kernel *kernel = (struct qp_kernel *)pass->kernel;
    for (int i = 0; i < QP_KERNEL_INPUTS; i++) {
        struct qp_array *array = (struct qp_array *)pass->input[i].array;
        if (array != pass->output[0])
            qp_array_destroy(&array);
    }
    for (int k = 0; k < QP_KERNEL_OUTPUTS; k++)
        qp_array_destroy(&pass->output[k]);
    qp_kernel_destroy(&kernel);
}
