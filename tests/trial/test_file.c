/* SPDX-License-Identifier: MIT */
/* Trials of kernel files (src/lab/trial/file.c). */
#include "support/shell.h"

#include <math.h>
#include <stdlib.h>

#include "toolkit/base/random.h"

static struct qp_kernel_file *file;
static struct qp_trial *trial;
static const struct qp_variant *variant;

/* x + span f, and where `user` says so a little more. */
static double add(const struct qp_kernel_grid *grid, double *const out[])
{
    for (int k = 0; k < grid->width * grid->height; k++)
        out[0][k] = ((const double *)grid->input[0].values)[k] +
                    grid->number[1].value[0] * ((const double *)grid->input[1].values)[k] +
                    *(const double *)grid->user;
    return 0.0;
}

/* Reads a text as a file of the folder. */
static void read_text(const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/add-1.frag", folder);
    write_file("add-1.frag", text);
    qp_kernel_file_destroy(&file);
    assert_ok(qp_kernel_read(path, &file));
}

static int forget(void **state)
{
    qp_trial_destroy(&trial);
    qp_kernel_file_destroy(&file);
    return support_check_clean(state);
}

static int make_all(void **state)
{
    return make_folder(state) + support_open_context(state);
}

static int remove_all(void **state)
{
    return support_close_context(state) + remove_folder(state);
}

GROUP(make_all, remove_all)

static const char sums[] =
    "//@ input f=(x - 2 * y)\n//@ set unused=3\n//@ schedule span=1,2,4,8\n"
    "//@ tolerance 1e-5\nfloat kernel(vec2 here)\n"
    "{\n    return x_at(0.0, 0.0) + span * f_at(0.0, 0.0) + 0.0 * unused;\n}\n";

TEST(a_file_is_judged, .teardown_func = forget)
{
    struct qp_context *context = support_need_context(state);
    static const double wrong[] = {0.0, 1.0};
    for (int k = 0; k < 2; k++) {
        struct qp_tally tally;
        read_text(sums);
        qp_trial_destroy(&trial);
        assert_ok(qp_trial_from_file(file, add, (void *)(uintptr_t)&wrong[k], &trial, &variant));
        assert_string_equal(variant->name, "add_1/kernel");
        const struct qp_check_desc desc = {.make = qp_trial_make, .user = trial};
        assert_ok(qp_check(context, &variant, 1, &desc, &tally));
        assert_int_equal(k == 0 ? tally.passed : tally.failed, 33); /* after 1, 2 and 4 steps */
        assert_true(tally.worst.iterations <= 4 && tally.worst.tolerance >= 1e-5);
        qp_trial_destroy(&trial);
    }
}

/* Values are those of `quadpass check`: array k of seed s + k, from 0 to 1, or an expression. */
TEST(its_inputs_are_those_of_a_check, .teardown_func = forget)
{
    struct qp_problem problem;
    uint64_t random = 7;
    read_text(sums);
    assert_ok(qp_trial_from_file(file, NULL, NULL, &trial, &variant));
    assert_ok(qp_trial_problem(trial, 5, 4, 7, &problem));
    for (int k = 0; k < 5 * 4; k++) {
        assert_true(problem.field[0].doubles[k] == (float)qp_random(&random, 0.0, 1.0));
        assert_true(qp_problem_field(&problem, "f")->doubles[k] == 1 + k % 5 - 2 * (1 + k / 5));
    }
    qp_problem_destroy(&problem);
    read_text("//@ input x=ones\n//@ input f=random\nfloat kernel(vec2 here)\n"
              "{\n    return x_at(0.0, 0.0) + f_at(0.0, 0.0);\n}\n");
    qp_trial_destroy(&trial);
    assert_ok(qp_trial_from_file(file, NULL, NULL, &trial, &variant));
    assert_ok(qp_trial_problem(trial, 1, 1, 7, &problem));
    random = 8;
    assert_true(problem.field[0].doubles[0] == 1.0);
    assert_true(qp_problem_field(&problem, "f")->doubles[0] == (float)qp_random(&random, 0.0, 1.0));
    qp_problem_destroy(&problem);
}

/* Reads a text, of which no trial is made. */
static void assert_refused_file(const char *text, const char *words)
{
    read_text(text);
    assert_int_equal(qp_trial_from_file(file, add, NULL, &trial, &variant), QP_BAD_USE);
    assert_null(trial);
    assert_null(variant);
    support_assert_sentence(words);
}

#define BODY "float kernel(vec2 here)\n{\n    return x_at(0.0, 0.0) + f_at(0.0, 0.0);\n}\n"
TEST(some_files_are_refused, .teardown_func = forget)
{
    assert_refused_file(BODY, "array 'f' is not given; make it by a line '//@ input f=random'");
    assert_refused_file("//@ input f=a.mtx\n" BODY, "array 'f' is read from a file");
    assert_refused_file("//@ input x=a.mtx\n//@ input f=ones\n" BODY, "'x' is read from a file");
    assert_refused_file("//@ input f=ones\n//@ steps 9\n//@ schedule s=1,2\n" BODY "float g()\n{\n"
                        "    return s;\n}\n",
                        "a schedule has 2 values for 9 steps");
    write_file("second.frag", "//@ input f=ones\n" BODY);
    assert_refused_file("//@ input f=ones\n//@ then second.frag\n" BODY, "files in turn");
    assert_int_equal(qp_trial_from_file(NULL, add, NULL, &trial, &variant), QP_BAD_USE);
    assert_int_equal(qp_trial_from_file(file, add, NULL, NULL, &variant), QP_BAD_USE);
    assert_int_equal(qp_trial_from_file(file, add, NULL, &trial, NULL), QP_BAD_USE);
}
