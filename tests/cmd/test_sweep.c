/* SPDX-License-Identifier: MIT */
/* Ranges of a benchmark, counted by hand. */
#include "support/support.h"

#include "lab/ops/table.h"
#include "tools/cmd/sweep.h"

/* jacobi9 has four usual sizes, access two and parameters. */
TEST(lines_of_all_tables)
{
    const struct qp_variant *jacobi = qp_variant_find("jacobi9/rgba");
    const struct qp_variant *access = qp_variant_find("access/loop");
    const struct qp_variant *both[] = {jacobi, access};
    struct options options = {0};
    assert_true(jacobi != NULL && access != NULL);
    assert_int_equal(sweep_lines(&options, both, 1), 4);
    assert_int_equal(sweep_lines(&options, both, 2), 6);
    options.parameter_count = 3;
    options.parameters[2] = 16;
    assert_int_equal(sweep_lines(&options, &both[1], 1), 6);
    assert_int_equal(sweep_parameter(&options, qp_op_find("access"), NULL, 2), 16);
    options.width = options.height = 64;
    assert_int_equal(sweep_lines(&options, &both[1], 1), 3);
    assert_int_equal(sweep_lines(&options, both, 1), 3);
    assert_int_equal(sweep_lines(&options, both, 0), 0);
    options.parameter_count = 0;
    assert_int_equal(sweep_lines(&options, both, 2), 2);
    assert_true(sweep_parameter(&options, qp_op_find("access"), NULL, 0) < 0);
}

/* A kind without a parameter is a sweep of one problem: bench --parameter all has its table. */
TEST(no_parameter_is_a_sweep_of_one)
{
    assert_int_equal(qp_kind_sweep(qp_op_find("transpose")->kinds), 1);
}

/* jacobi9 has five kinds, at four usual sizes each. */
TEST(all_kinds)
{
    struct options options = {0};
    const struct qp_op *op = qp_op_find("jacobi9");
    assert_int_equal(sweep_kinds(&options, op), 1);
    assert_int_equal(sweep_tables(&options, qp_variant_find("jacobi9/reference")), 4);
    options.all_problems = true;
    assert_int_equal(sweep_kinds(&options, op), 5);
    assert_int_equal(sweep_tables(&options, qp_variant_find("jacobi9/reference")), 20);
    options = (struct options){.all_parameters = true}; /* as many as the kind with most has */
    assert_int_equal(sweep_tables(&options, qp_variant_find("access/loop")), 2 * 32);
    options.problem = "offset";
    assert_int_equal(sweep_tables(&options, qp_variant_find("access/loop")), 2 * 17);
}

/* Without a kind all values are those of the default one: from 0 to 16 for offset, and not from 1
 * to 32 as for stride. */
TEST(all_values_of_a_kind)
{
    const struct options options = {.all_parameters = true};
    const struct qp_op *op = qp_op_find("access");
    assert_int_equal(sweep_parameters(&options, op, NULL), 17);
    assert_int_equal(sweep_parameters(&options, op, "stride"), 32);
    assert_int_equal(sweep_parameter(&options, op, NULL, 0), 0);
    assert_int_equal(sweep_parameter(&options, op, "stride", 0), 1);
    assert_int_equal(sweep_parameter(&options, op, "columns", 4), 33);
    assert_int_equal(sweep_parameters(&options, qp_op_find("transpose"), NULL), 1);
    assert_int_equal(sweep_parameter(&options, qp_op_find("transpose"), NULL, 0), -1);
}

/* 4 and 8 are fewer than 12 rows; 16 are more, so all are taken, once. */
TEST(blocks_up_to_all_rows)
{
    static const int wanted[] = {4, 8, 12, 0, 0};
    const struct qp_recipe *any = qp_variant_find("gauss_jordan/blocks")->recipe,
                           *listed = qp_variant_find("transpose/cuda_naive")->recipe;
    for (int k = 0; k < 5; k++)
        assert_int_equal(sweep_block(any, k, 12), wanted[k]);
    assert_int_equal(sweep_block(any, 0, 3), 3);
    assert_int_equal(sweep_block(any, 1, 3), 0);
    assert_int_equal(sweep_block(any, 2, 16), 16);
    assert_int_equal(sweep_block(any, 3, 16), 0);
    assert_int_equal(sweep_block(listed, 1, 3), listed->blocks->listed[1]);
}
