/* SPDX-License-Identifier: MIT */
/* Costs of the kinds of access, and division by a product. */
#include "lab/ops/access/access.h"
#include "lab/plan/problem.h"
#include "support/support.h"
#include "toolkit/base/random.h"

#include <stdio.h>
#include <string.h>

static struct qp_cost cost_of(int kind, int parameter)
{
    const struct qp_problem problem = {
        .op = &qp_op_access, .kind = qp_access_kinds[kind].name, .parameter = parameter};
    return qp_variant_cost_of(qp_variant_find("access/loop"), &problem);
}

TEST(costs_count_what_is_wanted)
{
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

/* Parameters of a benchmark of all, each within the range of its kind. */
TEST(benchmarks_take_these_parameters)
{
    static const char to_16[] = " 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16";
    static const struct {
        int kind, least, most, usual;
        const char *values;
    } wanted[] = {{QP_ACCESS_OFFSET, 0, 1 << 20, 0, to_16},
                  {QP_ACCESS_COLUMNS, 0, 1024, 0, " 0 1 2 32 33"},
                  {QP_ACCESS_PERMUTED, 0, 1023, 0, " 0 1 16 31"},
                  {QP_ACCESS_IDLE, 0, 31, 0, " 0 8 16 31"},
                  {QP_ACCESS_GATHER, 1, 32, 1, " 1 2 4 8 16 32"},
                  {QP_ACCESS_OCCUPANCY, 1, 32, 32, " 1 2 4 8 16 32"},
                  {QP_ACCESS_CHASE, 1, 1024, 32, " 8 32 128 1024"},
                  {QP_ACCESS_BANKS, 1, 32, 1, " 1 2 3 4 8 16 31 32"},
                  {QP_ACCESS_MULTICAST, 1, 32, 1, " 1 2 3 4 8 16 31 32"},
                  {QP_ACCESS_PAIRS, 1, 32, 1, " 1 2 3 4 8 16 31 32"},
                  {QP_ACCESS_DIVERGENT, 1, 32, 1, " 1 2 4 8 16 32"},
                  {QP_ACCESS_CONVERGENT, 1, 32, 1, " 1 2 4 8 16 32"},
                  {QP_ACCESS_DIVISION, 1, (1 << 24) - 1, 7, " 1 7 8 1024"},
                  {QP_ACCESS_MODULO, 1, (1 << 24) - 1, 7, " 1 7 8 1024"},
                  {QP_ACCESS_MULTIPLY, 1, (1 << 24) - 1, 7, " 1 7 8 1024"},
                  {QP_ACCESS_UNROLLING, 1, 1024, 64, " 1 4 16 64 256"},
                  {QP_ACCESS_LOCAL, 1, 64, 16, " 4 8 16 32 64"},
                  {QP_ACCESS_SIN, 1, 64, 1, " 1 4 16 64"},
                  {QP_ACCESS_RECIPROCAL, 1, 64, 1, " 1 4 16 64"}};
    for (int k = 0; k < COUNT(wanted); k++) {
        const struct qp_range *range = &qp_access_kinds[wanted[k].kind].range;
        char values[200] = "";
        for (const int *value = range->sweep; *value >= 0; value++)
            sprintf(values + strlen(values), " %d", *value);
        assert_string_equal(values, wanted[k].values);
        assert_int_equal(range->least, wanted[k].least);
        assert_int_equal(range->most, wanted[k].most);
        assert_int_equal(range->usual, wanted[k].usual);
    }
    for (int p = 1; p <= 32; p++)
        assert_int_equal(qp_access_kinds[QP_ACCESS_STRIDE].range.sweep[p - 1], p);
}

/* Against the processor's own division, next to multiples of the divisor. */
TEST(reciprocals_divide)
{
    uint64_t seed = 3;
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
