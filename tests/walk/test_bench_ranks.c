/* SPDX-License-Identifier: MIT */
/* A benchmark in several processes, whose link is made up: who runs which variants, and who decides
 * by the clock. */
#include "support/support.h"

#include <string.h>

#include "lab/engines/engines.h"
#include "lab/engines/parts/link.h"
#include "lab/plan/op.h"

static int own, spreads, begun, back;

static int rank(void)
{
    return own;
}

static int ranks(void)
{
    return 2;
}

/* In process 0 a run took a hundred seconds, after which three repeats are enough. */
static void spread(int from, void *data, size_t bytes)
{
    assert_int_equal(from, 0);
    assert_int_equal(bytes, 2 * sizeof(double));
    ((double *)data)[0] = ((double *)data)[1] = 100.0;
    spreads++;
}

static void alone(bool begins)
{
    assert_int_equal(own, 0);
    begun += begins;
    back += !begins;
}

/* A variant of one process, and the same as one of several. */
static void bench(int process, struct qp_record records[2])
{
    const struct qp_variant *variant = qp_variant_find("jacobi9/bands_cpu");
    struct qp_recipe recipe = *variant->recipe;
    struct qp_variant together = *variant;
    const struct qp_variant *const variants[] = {variant, &together};
    const struct qp_problem_desc desc = {.op = "jacobi9", .width = 8, .height = 8};
    struct qp_problem problem;
    struct qp_problem *const problems[] = {&problem, &problem};
    recipe.engine = &qp_engine_cpu;
    together.recipe = &recipe;
    together.backend = QP_MPI;
    assert_ok(qp_problem_create(&desc, &problem));
    own = process;
    spreads = begun = back = 0;
    assert_ok(qp_bench(NULL, variants, problems, 2,
                       &(struct qp_bench_desc){.iterations = 1, .cold = true}, records));
    qp_problem_destroy(&problem);
}

TEST(first_process_runs_all)
{
    struct qp_record records[2];
    bench(0, records);
    assert_int_equal(records[0].verdict, QP_PASS);
    assert_true(records[0].seconds < 100.0);
    assert_true(begun > 3 && begun == records[0].sample_count);
    assert_int_equal(back, 3);
}

TEST(others_run_theirs)
{
    struct qp_record records[2];
    bench(1, records);
    assert_int_equal(records[0].verdict, QP_SKIP);
    assert_string_equal(records[0].reason, "runs in the first process alone");
    assert_int_equal(records[1].verdict, QP_PASS);
    assert_int_equal(spreads, 3);
    assert_true(records[1].seconds == 100.0);
}

static int take_link(void **state)
{
    (void)state;
    qp_link_mpi.rank = rank;
    qp_link_mpi.ranks = ranks;
    qp_link_mpi.spread = spread;
    qp_link_mpi.alone = alone;
    return 0;
}

GROUP(take_link, NULL)
