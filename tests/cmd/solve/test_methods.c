/* SPDX-License-Identifier: MIT */
/* `quadpass solve` with matrices on no grid of nine bands, as a script and a person use it: the
 * method that is taken, options that ask for one, records, interrupts and pieces. The systems are
 * those that are measured, smaller. */
#include "support/watch.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "lab/baseline/baseline.h"

#define MAKE QP_SOURCE_DIR "/tools/systems.sh "

static int make_systems(void **state)
{
    char line[1024];
    if (make_folder(state) != 0)
        return -1;
    snprintf(line, sizeof line,
             "cd %s && " MAKE "five 60 >five.mtx && " MAKE "seven 15 >seven.mtx && " MAKE
             "random 3000 >random.mtx && " MAKE "ones 3000 >ones.mtx && " MAKE
             "ones 3375 >cube.mtx && " MAKE "five 700 >large.mtx && " MAKE
             "five 46 | sed '3s/4$/0/' >zero.mtx && " MAKE
             "five 300 | sed '3s/4$/0/' >wide.mtx && " MAKE
             "five 60 | sed 's/ 4$/ 3.9/' >helmholtz.mtx && " MAKE "seven 30 >cube30.mtx",
             folder);
    return shell(line);
}

/* True if the command was built with a direct solver. */
static bool has_direct(void)
{
    double x = 1.0, condition;
    const struct qp_market one = {1, 1, 1, true, NULL, NULL, &x};
    return baseline_solve(&one, &x, &x, &condition) == QP_OK;
}

/* Solves and prints members of the record. */
static void expect_record(const char *arguments, const char *members, const char *words)
{
    char line[1024];
    snprintf(line, sizeof line,
             "cd %s && quadpass solve %s --json r.json >log.txt 2>&1; cat log.txt; "
             "jq -r '.records[0] | [%s] | join(\" \")' r.json",
             folder, arguments, members);
    expect(line, 0, words);
}

TEST(each_system_has_its_method)
{
    support_need_context(state);
    expect_record("five.mtx --method cg", ".variant, .layout, .method, .solver, .ending, .reason",
                  "spmv/diagonals_printed diagonals iteration cg converged cg was asked for");
    expect_record("seven.mtx cube.mtx", ".variant, .layout, .method, .solver, .eliminations",
                  "spmv/diagonals_printed diagonals iteration cg 0");
    assert_int_equal(count("cg was taken, for the matrix is symmetric and weakly dominant"), 1);
    assert_int_equal(count("elimination would take about"), 1);
    expect_record("random.mtx ones.mtx", ".layout, .solver, .certain_digits >= 4",
                  "sliced_ell bicgstab true");
    expect_record("random.mtx --tolerance 1e-12", ".solver, .residual <= 1e-12", "bicgstab true");
    expect_record("random.mtx --variant spmv/sliced_ell", ".variant, .layout, .solver",
                  "spmv/sliced_ell_sorted sliced_ell bicgstab");
    expect_record("five.mtx --variant spmv/diagonals", ".variant, .solver",
                  "spmv/diagonals_printed cg");
    expect_record("five.mtx --variant spmv/sliced_ell_sorted", ".layout, .solver", "sliced_ell cg");
    expect_record("five.mtx --method jacobi --tolerance 1e-2", ".layout == null, .method, .solver",
                  "true iteration jacobi");
    expect_record("five.mtx --method cg --precondition chebyshev -o x.mtx --picture p.png",
                  ".solver, .iterations < 40", "cg true");
    expect_record("five.mtx --method cg --precondition block-jacobi",
                  ".solver, .layout, .residual <= 1e-5", "cg sliced_ell true");
    assert_true(exists("x.mtx") && exists("p.png"));
}

/* On a grid, with a zero on the diagonal, Jacobi is no choice; elimination is, where no iteration
 * is asked for, and where it fits or a direct solver is there. */
TEST(a_zero_on_the_diagonal)
{
    support_need_context(state);
    expect_record("zero.mtx", ".method, .ending, .reason", "elimination converged ");
    assert_int_equal(count(" was taken, for the diagonal is zero in row 1"), 2);
    expect_record("zero.mtx --max-iterations 500", ".solver, .ending, .reason",
                  "minres converged minres was taken, for ");
    expect_record("wide.mtx --tolerance 1e-2", ".solver, .ending, .reason",
                  has_direct() ? "klu converged the host's klu was taken, for the diagonal is zero "
                                 "in row 1, and elimination "
                               : "bicgstab converged bicgstab was taken, for elimination ");
}

/* Asked for by name on a grid that cg takes by itself; where conjugate gradients meet a matrix that
 * is not positive definite; and refused with options of iterations. */
TEST(a_direct_solver)
{
    char line[256];
    support_need_context(state);
    snprintf(line, sizeof line, "rm -f %s/x.mtx %s/p.png", folder, folder);
    assert_int_equal(shell(line), 0);
    if (!has_direct()) {
        assert_refused("solve five.mtx --method direct", "the method direct needs a direct solver");
        return;
    }
    expect_record("five.mtx --method direct --tolerance 1e-12 -o d.mtx",
                  ".variant, .layout, .method, .solver, .eliminations, .reason",
                  "  elimination cholmod 1 direct was asked for");
    assert_int_equal(count("cholmod on the host, with 3600 unknowns"), 1);
    expect_record("helmholtz.mtx", ".solver, .residual < 1e-9, .reason",
                  "klu true the host's klu was taken, for it is expected ");
    assert_refused("solve five.mtx --method direct --max-iterations 9 -o n.mtx",
                   "--max-iterations belongs to iterations, and direct eliminates");
    assert_refused("solve five.mtx five.mtx --method direct --x0 five.mtx -o n.mtx", "--x0");
    assert_refused("solve poisson5 --size 15 --method direct -o n.mtx", "no method 'direct'");
}

/* Factors cannot be interrupted; the command ends all the same. */
TEST(an_interrupt_ends_factors)
{
    support_need_context(state);
    if (!has_direct())
        support_skip("blas");
    const struct watched end = watch("solve cube30.mtx --method direct -o gone.mtx", " %", SIGINT);
    assert_int_equal(end.code, 1);
    assert_true(end.seconds < 2.0);
    assert_int_equal(count("interrupted: residual 1 after 0 solves by the factors of cholmod"), 1);
    assert_false(exists("gone.mtx"));
}

TEST(options_are_refused)
{
    static const char *const cases[][2] = {
        {"random.mtx --method cg", "the matrix is not symmetric (row "},
        {"random.mtx --method jacobi", "fits nine bands on no grid"},
        {"random.mtx --method sor", "is not solved by the method 'sor'"},
        {"random.mtx --method qmr", ", not 'qmr'"},
        {"random.mtx --precondition ilu",
         "--precondition takes none, jacobi, block-jacobi, chebyshev or multigrid, not 'ilu'"},
        {"random.mtx --method bicgstab --precondition chebyshev", "goes with the method cg"},
        {"five.mtx --method jacobi --precondition jacobi", "and not with jacobi"},
        {"five.mtx --method cg --weight 0.9", "a weight is one of jacobi's steps"},
        {"five.mtx --method cg --variant jacobi9/rgba", "does not go with the method cg"},
        {"five.mtx --method cg --variant gauss_jordan/blocked", "blocked eliminates"},
        {"random.mtx --variant spmv/diagonals", "diagonals"},
        {"five.mtx --method cg --precondition block-jacobi --variant spmv/diagonals",
         "block-jacobi is in slices, and does not go with diagonals"},
        {"random.mtx --variant spmv/compute", "iterations multiply by spmv/diagonals_printed, "},
        {"random.mtx --variant spmv/sliced_ell_twofold", "iterations multiply by "},
    };
    char line[256];
    support_need_context(state);
    snprintf(line, sizeof line, "rm -f %s/x.mtx %s/p.png", folder, folder);
    assert_int_equal(shell(line), 0);
    for (int k = 0; k < COUNT(cases); k++) {
        snprintf(line, sizeof line, "solve %s -o x.mtx", cases[k][0]);
        assert_refused(line, cases[k][1]);
    }
}

/* A singular matrix by a Krylov method's name: solved where b has an answer, and said so. */
TEST(singular_with_an_answer)
{
    support_need_context(state);
    write_file("floating.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 1\n"
                               "2 1 -1\n2 2 2\n3 2 -1\n3 3 1\n");
    write_file("flow.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n0\n-1\n");
    write_file("source.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n0\n0\n");
    expect_record("floating.mtx flow.mtx --method cg", ".ending, .certain_digits == null, .solver",
                  "converged true cg");
    assert_int_equal(count("x is one of many, and no digit is certain: the matrix is singular: "
                           "column 3 is a combination of the others"),
                     1);
    expect_record("floating.mtx flow.mtx --method bicgstab", ".ending", "converged");
    assert_refused("solve floating.mtx flow.mtx -o n.mtx", "the matrix is singular: column 3");
    assert_refused("solve floating.mtx flow.mtx --method jacobi -o n.mtx", "singular: column 3");
    assert_refused("solve floating.mtx source.mtx --method cg -o n.mtx",
                   "cg found no answer for this right-hand side either: residual ");
}

/* Ctrl-C ends a long solve within two seconds, and leaves a checkpoint. */
TEST(an_interrupt_ends_it)
{
    support_need_context(state);
    const struct watched end =
        watch("solve large.mtx --method cg --tolerance 1e-9 -o x.mtx --checkpoint c.qpc", "steps/s",
              SIGINT);
    assert_int_equal(end.code, 1);
    assert_true(end.seconds < 2.0);
    assert_int_equal(count("this is the iterate so far"), 1);
    assert_true(exists("x.mtx") && exists("c.qpc"));
}

/* From a checkpoint in the middle to the same bits. */
TEST(a_checkpoint_goes_on)
{
    char line[1024];
    support_need_context(state);
    snprintf(
        line, sizeof line,
        "cd %s && quadpass solve five.mtx --method cg --every 0 --checkpoint d.qpc -o x.mtx && "
        "quadpass solve five.mtx --method cg --resume d.qpc -o y.mtx && cmp x.mtx y.mtx",
        folder);
    expect(line, 0, "it went on from d.qpc");
}

static int set_up(void **state)
{
    return make_systems(state) != 0 || support_open_context(state) != 0;
}

static int tear_down(void **state)
{
    return support_close_context(state) != 0 || remove_folder(state) != 0;
}

GROUP(set_up, tear_down)
