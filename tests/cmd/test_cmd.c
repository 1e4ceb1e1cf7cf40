/* SPDX-License-Identifier: MIT */
/* Code that the commands share: problems of many variants, which variants and kinds are taken,
 * counts, exit codes. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/engines/parts/link.h"
#include "toolkit/base/status.h"
#include "tools/cmd/cmd.h"
#include "tools/cmd/ranks.h"

static const struct qp_variant *variant(const char *name)
{
    const struct qp_variant *found = qp_variant_find(name);
    assert_non_null(found);
    return found;
}

static void expect_problem(const struct qp_problem *problem, const char *kind, int width,
                           int height, int systems)
{
    assert_non_null(problem->op);
    assert_string_equal(problem->kind, kind);
    assert_int_equal(problem->width, width);
    assert_int_equal(problem->height, height);
    assert_int_equal(problem->systems, systems);
}

/* Four systems have half the sides, rounded up, so that all variants update as many cells; four
 * right-hand sides share a matrix; a roof has a kind of its own unless one is asked for. */
TEST(problems_of_many_rows)
{
    const struct options options = {.seed = 1, .parameter = -1},
                         asked = {.seed = 1, .parameter = -1, .problem = "transpose"};
    const struct qp_variant *variants[] = {
        variant("jacobi9/vertex"), variant("jacobi9/vertex_systems"), variant("jacobi9/openmp"),
        variant("jacobi9/bands_systems")};
    const struct qp_variant *sides[] = {variant("gauss_jordan/systems"),
                                        variant("gauss_jordan/loop")};
    const struct qp_variant *copies[] = {variant("transpose/cuda_copy"), variant("transpose/loop")};
    struct cmd_problems problems;
    assert_ok(cmd_problems_create(&options, "random", 9, 6, true, variants, 4, &problems));
    expect_problem(&problems.one, "random", 9, 6, 1);
    expect_problem(&problems.four, "random", 5, 3, 4);
    assert_null(problems.roof.op);
    for (int i = 0; i < 4; i++)
        assert_ptr_equal(problems.of[i], i % 2 ? &problems.four : &problems.one);
    cmd_problems_destroy(&problems);
    assert_ok(cmd_problems_create(&options, "random", 9, 6, false, variants, 2, &problems));
    expect_problem(&problems.four, "random", 9, 6, 4);
    cmd_problems_destroy(&problems);
    assert_ok(cmd_problems_create(&options, "exact", 9, 9, true, sides, 2, &problems));
    assert_int_equal(problems.of[0]->height, 9);
    assert_int_equal(problems.of[1]->height, 9);
    cmd_problems_destroy(&problems);
    assert_ok(cmd_problems_create(&options, "transpose", 9, 4, true, copies, 2, &problems));
    expect_problem(problems.of[0], "copy", 9, 4, 1);
    expect_problem(problems.of[1], "transpose", 9, 4, 1);
    assert_ptr_equal(problems.of[0], &problems.roof);
    cmd_problems_destroy(&problems);
    assert_ok(cmd_problems_create(&asked, "transpose", 9, 4, true, copies, 2, &problems));
    assert_ptr_equal(problems.of[0], &problems.one);
    cmd_problems_destroy(&problems);
    assert_int_equal(cmd_problems_create(&options, "exact", 4, 9, true, sides, 2, &problems),
                     QP_BAD_USE);
    assert_null(problems.one.op);
}

TEST(problems_as_asked_for)
{
    struct options options = {.seed = 7, .parameter = 3, .weight = 0.5};
    struct qp_problem problem;
    assert_ok(cmd_problem(&options, "access", "stride", 5, 4, 1, &problem));
    assert_int_equal(problem.parameter, 3);
    qp_problem_destroy(&problem);
    options.parameter = 33;
    assert_int_equal(cmd_problem(&options, "access", "stride", 5, 4, 1, &problem), QP_BAD_USE);
    options.parameter = 0; /* is a parameter */
    assert_int_equal(cmd_problem(&options, "access", "stride", 5, 4, 1, &problem), QP_BAD_USE);
    assert_ok(cmd_problem(&options, "access", NULL, 5, 4, 1, &problem));
    assert_string_equal(problem.kind, "offset");
    qp_problem_destroy(&problem);
    assert_int_equal(cmd_problem(&options, "jacobi9", NULL, 5, 4, 1, &problem), QP_BAD_USE);
    options.parameter = -1;
    assert_ok(cmd_problem(&options, "jacobi9", "random", 5, 4, 1, &problem));
    assert_true(problem.weight == 0.5);
    qp_problem_destroy(&problem);
}

/* The first kind that some variant takes, unless one is asked for. */
TEST(kinds_of_rows)
{
    struct options options = {0};
    const struct qp_variant *staged[] = {variant("access/cuda_staged"), variant("access/loop")},
                            *jacobi = variant("jacobi9/luminance");
    assert_string_equal(cmd_kind(&options, staged, 1), "stride");
    assert_string_equal(cmd_kind(&options, staged, 2), "offset");
    assert_string_equal(cmd_kind(&options, &jacobi, 1), "random");
    options.problem = "wraps";
    assert_string_equal(cmd_kind(&options, &jacobi, 1), "wraps");
}

static int rows_of(struct options options)
{
    char check[] = "check", *words[] = {check};
    const struct qp_variant *variants[MOST_VARIANTS];
    options.command = command_find(command_rows, 1, words);
    return cmd_select(&options, variants);
}

TEST(rows_are_selected)
{
    const int all = (int)qp_variant_count(),
              jacobi = rows_of((struct options){.word_count = 1, .words = {"jacobi9"}});
    assert_int_equal(rows_of((struct options){0}), all);
    assert_true(jacobi > 20 && jacobi < all);
    assert_int_equal(rows_of((struct options){.variant = "rgba"}), 1);
    assert_int_equal(
        rows_of((struct options){.variant = "rgba", .word_count = 1, .words = {"jacobi9/openmp"}}),
        2);
    assert_int_equal(rows_of((struct options){.problem = "wraps"}), jacobi);
    assert_int_equal(
        rows_of((struct options){.problem = "wraps", .word_count = 1, .words = {"*/openmp"}}), 1);
    assert_int_equal(
        rows_of((struct options){.problem = "sum", .word_count = 1, .words = {"jacobi9"}}), -1);
    assert_int_equal(rows_of((struct options){.word_count = 2, .words = {"jacobi9", "nothing"}}),
                     -1);
    assert_int_equal(rows_of((struct options){.variant = "nothing"}), -1);
}

TEST(names_stand_in_sentences)
{
    assert_int_equal(cmd_unknown_variant("reduce"), QP_BAD_USE);
    assert_string_equal(qp_error(),
                        "'reduce' is an operation; take a variant of it, such as reduce/reference, "
                        "reduce/loop, reduce/openmp, "
                        "reduce/tree, reduce/tree_2x2 ('quadpass list reduce' shows all)");
    assert_int_equal(cmd_unknown_variant("jacobi9"), QP_BAD_USE);
    assert_non_null(strstr(qp_error(), "such as jacobi9/reference, jacobi9/bands_cpu, "));
    assert_int_equal(cmd_unknown_variant("jacobi9/rgbaa"), QP_BAD_USE);
    assert_string_equal(qp_error(), "no variant is called 'jacobi9/rgbaa' (did you mean "
                                    "'jacobi9/rgba'?); 'quadpass list' shows them");
    assert_int_equal(cmd_unknown_variant("rgbaa"), QP_BAD_USE);
    assert_string_equal(
        qp_error(),
        "no variant is called 'rgbaa' (did you mean 'rgba'?); 'quadpass list' shows them");
    assert_int_equal(cmd_unknown_variant("jacobi8"), QP_BAD_USE);
    assert_string_equal(
        qp_error(),
        "no variant is called 'jacobi8' (did you mean 'jacobi9'?); 'quadpass list' shows them");
}

/* Widths of a column of names; variants of an operation are together. */
TEST(names_and_operations)
{
    const struct qp_variant *variants[] = {variant("jacobi9/rgba"), variant("jacobi9/openmp"),
                                           variant("gauss_jordan/blend_elimination_pivoted")};
    assert_int_equal(cmd_name_width(variants, 2), 30);
    assert_int_equal(cmd_name_width(variants, 3), 38);
    assert_int_equal(cmd_same_operation(variants, 3), 2);
    assert_int_equal(cmd_same_operation(variants, 2), 2);
    assert_int_equal(cmd_same_operation(variants + 1, 2), 1);
    assert_int_equal(cmd_same_operation(variants + 2, 1), 1);
}

/* Each kind of skip fails where it is required, and no other. */
TEST(what_is_required)
{
    const struct qp_variant *drawn = variant("jacobi9/rgba"),
                            *cuda = variant("jacobi9/cuda_simple"), *blas = variant("jacobi9/blas"),
                            *plain = variant("jacobi9/openmp");
    const struct options gl = {.require_gl = true}, card = {.require_cuda = true},
                         library = {.require_blas = true};
    assert_true(cmd_is_required(&gl, drawn) && cmd_is_required(&card, cuda) &&
                cmd_is_required(&library, blas));
    assert_false(cmd_is_required(&gl, cuda) || cmd_is_required(&gl, blas) ||
                 cmd_is_required(&gl, plain));
    assert_false(cmd_is_required(&card, drawn) || cmd_is_required(&card, blas));
    assert_false(cmd_is_required(&library, drawn) || cmd_is_required(&library, cuda) ||
                 cmd_is_required(&library, plain));
    assert_false(cmd_is_required(&library, variant("jacobi9/cuda_aligned")));
}

/* Two variants at three sizes: failed if failed once, skipped if at all sizes, bounds by
 * themselves. */
TEST(rows_are_counted_once)
{
    static const struct {
        enum qp_verdict verdicts[3], counted, required;
    } cases[] = {{{QP_PASS, QP_PASS, QP_PASS}, QP_PASS, QP_PASS},
                 {{QP_PASS, QP_FAIL, QP_PASS}, QP_FAIL, QP_FAIL},
                 {{QP_SKIP, QP_SKIP, QP_PASS}, QP_PASS, QP_PASS},
                 {{QP_SKIP, QP_SKIP, QP_SKIP}, QP_SKIP, QP_FAIL},
                 {{QP_SKIP, QP_BOUND, QP_SKIP}, QP_BOUND, QP_BOUND},
                 {{QP_FAIL, QP_SKIP, QP_SKIP}, QP_FAIL, QP_FAIL}};
    struct qp_record records[6];
    for (int i = 0; i < 2 * COUNT(cases); i++) {
        struct options options = {.require_gl = i % 2};
        struct command command = {.options = &options};
        int wanted[QP_VERDICTS] = {[QP_PASS] = 1};
        for (int s = 0; s < 3; s++) {
            records[2 * s] =
                (struct qp_record){.variant = variant("jacobi9/openmp"), .verdict = QP_PASS};
            records[2 * s + 1] = (struct qp_record){.variant = variant("jacobi9/rgba"),
                                                    .verdict = cases[i / 2].verdicts[s]};
        }
        command_count(&command, records, 3, 2);
        wanted[i % 2 ? cases[i / 2].required : cases[i / 2].counted]++;
        assert_memory_equal(command.verdicts, wanted, sizeof wanted);
    }
}

TEST(counts_are_told)
{
    static const struct {
        int verdicts[QP_VERDICTS], code;
        const char *text;
    } cases[] = {{{[QP_PASS] = 3, [QP_SKIP] = 2}, 0, "3 passed, 0 failed, 2 skipped\n"},
                 {{[QP_FAIL] = 1, [QP_BOUND] = 1},
                  1,
                  "1 bound, neither passed nor failed\n0 passed, 1 failed, 0 skipped\n"},
                 {{[QP_BOUND] = 2},
                  0,
                  "2 bounds, neither passed nor failed\n0 passed, 0 failed, 0 skipped\n"}};
    for (int i = 0; i < COUNT(cases); i++) {
        char *text;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        assert_int_equal(cmd_count(out, cases[i].verdicts), cases[i].code);
        fclose(out);
        assert_string_equal(text, cases[i].text);
        free(text);
    }
}

TEST(records_that_ran)
{
    const struct qp_record records[] = {{.seconds = NAN}, {.seconds = NAN}, {.seconds = 1.0}};
    const struct options options = {.width = 5, .height = 4};
    assert_true(cmd_any_ran(records, 3) && cmd_any_ran(records + 2, 1));
    assert_false(cmd_any_ran(records, 2) || cmd_any_ran(records, 0));
    qp_fail(QP_BAD_USE, "too small");
    const struct qp_record skipped = cmd_skipped(variant("jacobi9/vertex_systems"), &options);
    const double rates[] = {skipped.seconds,          skipped.seconds_min, skipped.upload_seconds,
                            skipped.readback_seconds, skipped.glups,       skipped.gbytes_per_s,
                            skipped.gflops,           skipped.error,       skipped.tolerance,
                            skipped.error_rms};
    for (int i = 0; i < COUNT(rates); i++)
        assert_true(isnan(rates[i]));
    assert_true(skipped.width == 5 && skipped.height == 4 && skipped.systems == 4);
    assert_true(skipped.verdict == QP_SKIP && skipped.cost.flops == 20.0);
    assert_string_equal(skipped.reason, "too small");
}

TEST(exit_codes)
{
    static const struct {
        enum qp_status status;
        int code;
    } cases[] = {{QP_NO_DEVICE, 3}, {QP_NO_MEMORY, 3}, {QP_DEVICE, 3},
                 {QP_BAD_USE, 2},   {QP_BAD_INPUT, 2}, {QP_UNSUPPORTED, 2}};
    for (int i = 0; i < COUNT(cases); i++) {
        qp_fail(cases[i].status, "as the test of exit codes wants it");
        assert_int_equal(cmd_failed(cases[i].status), cases[i].code);
    }
    qp_fail(QP_UNSUPPORTED, "interrupted");
    assert_int_equal(cmd_failed(QP_UNSUPPORTED), 2);
    cmd_interrupted = 1;
    assert_int_equal(cmd_failed(QP_UNSUPPORTED), 1);
    qp_fail(QP_DEVICE, "gone, as the test of exit codes wants it");
    assert_int_equal(cmd_failed(QP_DEVICE), 3);
    cmd_interrupted = 0;
    setenv("QUADPASS_SHADER_DIR", "mine", 1);
    qp_fail(QP_DEVICE, "jacobi9/rgba: stage 4, program: mine/jacobi9/rgba.frag:3: 'x': no");
    assert_int_equal(cmd_failed(QP_DEVICE), 2);
    qp_fail(QP_DEVICE, "stage 4, program: linking a.vert and a.frag: no");
    assert_int_equal(cmd_failed(QP_DEVICE), 2);
    qp_fail(QP_DEVICE, "stage 4, program: shaders/jacobi9/rgba.frag:3: 'x': no");
    assert_int_equal(cmd_failed(QP_DEVICE), 3);
    qp_fail(QP_DEVICE, "stage 7, readback: mine");
    assert_int_equal(cmd_failed(QP_DEVICE), 3);
    unsetenv("QUADPASS_SHADER_DIR");
}

static int opened;

static enum qp_status count_opening(void)
{
    opened++;
    return QP_OK;
}

/* MPI begins for its own variants alone: it takes a second, and ends a process that mpirun has not
 * started. */
TEST(mpi_is_left_alone)
{
    const struct qp_variant *alone = variant("jacobi9/openmp"),
                            *together = variant("jacobi9/mpi_openmp");
    const struct options options = {0};
    enum qp_status (*const open)(void) = qp_link_mpi.open;
    qp_link_mpi.open = count_opening;
    assert_ok(ranks_join(&options, &alone, 1));
    assert_int_equal(opened, 0);
    assert_ok(ranks_join(&options, &together, 1));
    assert_int_equal(opened, 1);
    qp_link_mpi.open = open;
}

/* Variants of the processor need no device, unless one is named by the option; nobody names one
 * that is not there. */
TEST(devices_that_are_needed)
{
    const struct qp_variant *plain = variant("jacobi9/openmp"),
                            *variants[] = {plain, variant("jacobi9/rgba")};
    struct options options = {0};
    struct command command = {.options = &options};
    unsetenv("QUADPASS_DEVICE");
    assert_ok(command_open(&command, &plain, 1));
    assert_true(command.context == NULL && command.why[0] == '\0');
    options.device = "auto";
    assert_ok(command_open(&command, &plain, 1));
    assert_null(command.context);
    options.device = "30";
    assert_int_equal(command_open(&command, &plain, 1), QP_NO_DEVICE);
    options.device = NULL;
    setenv("QUADPASS_DEVICE", "30", 1);
    assert_ok(command_open(&command, &plain, 1));
    assert_null(command.context);
    assert_int_equal(command_open(&command, variants, 2), QP_NO_DEVICE);
    unsetenv("QUADPASS_DEVICE");
}

/* A signal that comes twice at once is one, as timeout(1) sends it; a second one later ends any
 * program. */
TEST(a_second_signal_ends_at_once)
{
    int status;
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(20);
        cmd_catch_interrupt();
        raise(SIGTERM);
        raise(SIGTERM);
        raise(SIGINT);
        if (!cmd_interrupted)
            _exit(1);
        usleep(600000);
        raise(SIGINT);
        _exit(2);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}
