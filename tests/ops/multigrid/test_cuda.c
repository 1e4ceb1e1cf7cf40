/* SPDX-License-Identifier: MIT */
/* Multigrid on CUDA: answers pass their checks on all kinds and on sizes that end tiles and grids
 * in every way, and take no more cycles than the CPU's. */
#include "support/multigrid.h"
#include "support/support.h"

/* Grids of one node up to several tiles, whose last tile is not whole; long and thin ones; the
 * number of nodes at which the launch of all small grids begins, and one more and less. */
TEST(answers_pass_on_all_kinds_and_sizes)
{
    static const char *const names[] = {"multigrid/cuda", "multigrid/cuda_refined",
                                        "multigrid/cuda_full"};
    static const char *const kinds[] = {"field", "sine", "bidomain", "jumps", "insulated"};
    static const struct {
        int width, height;
    } sizes[] = {{2, 2},   {3, 3},   {5, 5},   {6, 5},     {6, 6},     {7, 300},  {300, 7},
                 {31, 33}, {32, 32}, {33, 31}, {63, 65},   {64, 64},   {66, 66},  {113, 57},
                 {2, 257}, {257, 2}, {1, 90},  {300, 100}, {256, 255}, {257, 257}};
    for (int i = 0; i < COUNT(names) * COUNT(sizes); i++) {
        const int k = i % COUNT(sizes);
        for (int kind = 0; kind < COUNT(kinds); kind++)
            support_multigrid_residual(names[i / COUNT(sizes)], kinds[kind], sizes[k].width,
                                       sizes[k].height, 1 + (i + kind) % 3, NULL);
    }
}

TEST(refined_cycles_are_as_many_as_in_double)
{
    assert_true(support_multigrid_residual("multigrid/cuda_refined", "sine", 1023, 1023, 6, NULL) <
                1e-6);
    assert_true(support_multigrid_residual("multigrid/cuda_refined", "bidomain", 257, 257, 12,
                                           NULL) < 1e-10);
    assert_true(support_multigrid_residual("multigrid/cuda_refined", "bidomain", 250, 100, 18,
                                           NULL) < 1e-10);
}

/* A full cycle from 0 has at most 1.3 of the error that the discretisation itself has. */
TEST(a_full_cycle_reaches_the_discretisation_error)
{
    static const int sizes[] = {63, 255, 1023};
    for (int k = 0; k < COUNT(sizes); k++) {
        double full, discrete;
        support_multigrid_residual("multigrid/cuda_full", "sine", sizes[k], sizes[k], 1, &full);
        support_multigrid_residual("multigrid/cuda_full", "sine", sizes[k], sizes[k], 6, &discrete);
        if (!(full <= 1.3 * discrete))
            fail_msg("%d: %g, and the discretisation's error is %g", sizes[k], full, discrete);
    }
}
