/* SPDX-License-Identifier: MIT */
/* A matrix of 2^24 + 3 entries: no index passes through a float, which counts to 2^24. Rows of 2050
 * entries come in three parts, which begin and end anywhere in the lines of parts. */
#include "support/sparse.h"
#include "support/support.h"

#include <string.h>

#include "lab/ops/spmv/spmv.h"
#include "lab/plan/problem.h"
#include "toolkit/base/random.h"

enum { ROWS = 8192, LENGTH = 2050, LONG = ((1 << 24) + 3) / LENGTH };

static struct qp_problem problem;

/* Columns of a row follow each other from a random one on; the last rows have what is left. */
static int set_up(void **state)
{
    const size_t count = (1 << 24) + 3, rest = count - (size_t)LONG * LENGTH;
    struct qp_sparse m;
    uint64_t random = 11;
    assert_ok(qp_sparse_allocate(ROWS, count, &m));
    for (int i = 0; i < ROWS; i++) {
        const size_t length = i < LONG ? LENGTH : i == ROWS - 1 ? rest : 0;
        const int begin = (int)(qp_random_bits(&random) % (ROWS - LENGTH));
        m.first[i + 1] = m.first[i] + length;
        for (size_t k = 0; k < length; k++) {
            m.column[m.first[i] + k] = begin + (int)k;
            m.value[m.first[i] + k] = (float)qp_random(&random, -1.0, 1.0);
        }
    }
    assert_int_equal(m.first[ROWS], count);
    support_sparse_problem(&m, 128, ROWS / 128, &problem);
    return support_open_context(state);
}

static int tear_down(void **state)
{
    qp_problem_destroy(&problem);
    return support_close_context(state);
}

static void walk(void **state, const char *name)
{
    struct qp_walk_desc desc = {.iterations = 1};
    struct qp_result result;
    struct qp_context *context = support_need_context(state);
    const struct qp_variant *variant = qp_variant_find(name);
    if (variant->needs & ~qp_context_device(context)->abilities)
        return;
    assert_ok(qp_walk(context, variant, &problem, &desc, &result));
    if (result.verdict != QP_PASS)
        fail_msg("%s: %s", name, result.reason);
}

CLEAN_TEST(integers_count_beyond_2_24)
{
    walk(state, "spmv/sliced_ell");
    walk(state, "spmv/compute");
}

CLEAN_TEST(all_rows_count_beyond_2_24)
{
    static const char *const names[] = {"spmv/ell_rgba", "spmv/sliced_ell_twofold",
                                        "spmv/sliced_ell_sorted", "spmv/csr_sorted"};
    for (int i = 0; i < COUNT(names) && support_takes_long(); i++)
        walk(state, names[i]);
}

GROUP(set_up, tear_down)
