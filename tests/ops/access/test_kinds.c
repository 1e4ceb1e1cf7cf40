/* SPDX-License-Identifier: MIT */
/* Costs of the kinds of access, and division by a product. */
#include "base/random.h"
#include "ops/access/access.h"
#include "plan/problem.h"
#include "support/support.h"

static struct qp_cost cost_of(int kind, int parameter)
{
    const struct qp_problem problem = {
        .op = &qp_op_access, .kind = qp_access_kinds[kind].name, .parameter = parameter};
    return qp_variant_cost_of(qp_variant_find("access/loop"), &problem);
}

static void costs_count_what_is_wanted(void **state)
{
    (void)state;
    assert_true(cost_of(QP_ACCESS_OFFSET, 3).bytes == 8.0);
    assert_true(cost_of(QP_ACCESS_IDLE, 16).bytes == 6.0);
    assert_true(cost_of(QP_ACCESS_GATHER, 1).bytes == 16.0);
    assert_true(cost_of(QP_ACCESS_BANKS, 2).bytes == 256.0);
    assert_true(cost_of(QP_ACCESS_DIVISION, 7).flops == 64.0);
    assert_true(cost_of(QP_ACCESS_UNROLLING, 9).flops == 9.0);
    assert_true(cost_of(QP_ACCESS_EXP, 16).flops == 16.0);
    assert_true(qp_variant_cost(qp_variant_find("access/cuda_shared")).bytes == 256.0);
    assert_true(qp_variant_cost(qp_variant_find("access/cuda_simple")).bytes == 8.0);
}

/* Against the processor's own division, next to multiples of the divisor. */
static void reciprocals_divide(void **state)
{
    uint64_t seed = 3;
    (void)state;
    for (int k = 0; k < 20000; k++) {
        unsigned divisor = k < 70 ? (unsigned)k + 1 : (unsigned)qp_random_bits(&seed) >> (k % 31);
        divisor = divisor == 0 || divisor > QP_ACCESS_BITS_31 ? QP_ACCESS_BITS_31 : divisor;
        const struct qp_divider by = qp_divider_make(divisor);
        for (int i = 0; i < 9; i++) {
            unsigned n = (unsigned)qp_random_bits(&seed) & QP_ACCESS_BITS_31;
            n = i == 0   ? QP_ACCESS_BITS_31
                : i == 1 ? 0
                         : n / divisor * divisor + (unsigned)(i % 3) - 1;
            n &= QP_ACCESS_BITS_31;
            assert_true((unsigned)((uint64_t)n * by.magic >> by.shift) == n / divisor);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(costs_count_what_is_wanted),
                                       cmocka_unit_test(reciprocals_divide)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
