/* SPDX-License-Identifier: MIT */
/* Every public function with every single bad argument: a status with a sentence, or the neutral
 * value that its header names, and never a crash, under the sanitizers too. What computes is in
 * tests/house/test_bad_runs.c, the toolkit in test_bad_arrays.c and test_bad_passes.c; here is the
 * rest, and the list of all. No OpenGL is needed here. */
#include "support/refused.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <quadpass/kernel_file.h>

static const int strange[] = {-1, 99, INT_MAX, INT_MIN};

/* ---- Tier 0 ---- */

TEST(matrices)
{
    struct qp_matrix x = {.width = 7};
    REFUSES(qp_matrix_create, 1, 1, NULL);
    REFUSES(qp_matrix_create, 0, 1, &x);
    assert_int_equal(x.width, 0);
    REFUSES(qp_matrix_create, 1, 0, &x);
    REFUSES(qp_matrix_create, -1, 1, &x);
    REFUSES(qp_matrix_create, 1, INT_MIN, &x);
    REFUSES_SIZE(qp_matrix_create, INT_MAX, INT_MAX, &x);
    assert_null(x.values);
    NEUTRAL(qp_matrix_destroy, &x);
    NEUTRAL(qp_matrix_destroy, NULL);
    HOLDS(NEUTRAL(qp_error, ) != NULL);
    assert_string_equal(NEUTRAL(qp_version, ), QP_VERSION);
    assert_no_faults();
}

TEST(names)
{
    for (int i = 0; i < COUNT(strange); i++) {
        const int bad = strange[i];
        assert_string_equal(NEUTRAL(qp_stage_name, (enum qp_stage)bad), "none");
        assert_string_equal(NEUTRAL(qp_verdict_name, (enum qp_verdict)bad), "none");
        assert_null(NEUTRAL(qp_throttle_name, bad));
        assert_null(NEUTRAL(qp_mutant_name, bad));
        assert_string_equal(NEUTRAL(qp_pingpong_name, (enum qp_pingpong_style)bad), "none");
        assert_string_equal(NEUTRAL(qp_target_name, (enum qp_texture_target)bad), "none");
        assert_string_equal(NEUTRAL(qp_backend_name, (enum qp_backend)bad), "none");
        assert_string_equal(NEUTRAL(qp_method_name, (enum qp_method)bad), "none");
        assert_string_equal(NEUTRAL(qp_ending_name, (enum qp_ending)bad), "none");
        assert_string_equal(NEUTRAL(qp_ability_name, bad), "none");
        HOLDS(NEUTRAL(qp_poisson_method, bad) == NULL);
    }
    assert_no_faults();
}

/* ---- Contexts and files ---- */

TEST(contexts)
{
    static const char *const devices[] = {"",  "nonsense", "-1", "99999", "99999999999999999999",
                                          "1x"};
    struct qp_context *context = (struct qp_context *)&strange, *none = NULL;
    REFUSES(qp_context_create, NULL, NULL);
    REFUSES(qp_context_adopt, NULL);
    for (int i = 1; i < COUNT(devices); i++) {
        context = (struct qp_context *)&strange;
        REFUSES_DEVICE(qp_context_create, &(struct qp_context_desc){devices[i]}, &context);
        HOLDS(context == NULL);
    }
    NEUTRAL(qp_context_destroy, NULL);
    NEUTRAL(qp_context_destroy, &none);
    HOLDS(NEUTRAL(qp_context_device, NULL) == NULL);
    assert_int_equal(NEUTRAL(qp_context_counters, NULL).passes, 0);
    HOLDS(!NEUTRAL(qp_context_is_lost, NULL));
    HOLDS(NEUTRAL(qp_solve_preference, NULL) != NULL);
    HOLDS(NEUTRAL(qp_dense_preference, NULL) != NULL);
    assert_no_faults();
}

TEST(files)
{
    struct qp_market a = {.rows = 7};
    const double one = 1.0, bad[] = {1.0, NAN};
    REFUSES(qp_market_read, NULL, &a);
    assert_int_equal(a.rows, 0);
    REFUSES(qp_market_read, "-", NULL);
    REFUSES(qp_market_read, "", &a);
    REFUSES(qp_market_read, "/", &a);
    REFUSES(qp_market_read, "/nowhere/x.mtx", &a);
    REFUSES(qp_market_write, NULL, 1, 1, &one);
    REFUSES(qp_market_write, "/tmp/never.mtx", 1, 1, NULL);
    REFUSES(qp_market_write, "/tmp/never.mtx", 0, 1, &one);
    REFUSES(qp_market_write, "/tmp/never.mtx", 1, 0, &one);
    REFUSES(qp_market_write, "/tmp/never.mtx", -1, -1, &one);
    REFUSES(qp_market_write, "/tmp/never.mtx", 1, 2, bad);
    REFUSES(qp_market_write, "", 1, 1, &one);
    REFUSES(qp_market_write, "/nowhere/x.mtx", 1, 1, &one);
    NEUTRAL(qp_market_destroy, NULL);
    NEUTRAL(qp_market_destroy, &a);
    assert_no_faults();
}

/* ---- Problems ---- */

TEST(problems)
{
    const struct qp_problem_desc bad[] = {
        {.op = "", .width = 3, .height = 3},
        {.op = "nonsense", .width = 3, .height = 3},
        {.kind = "nonsense", .width = 3, .height = 3},
        {.width = 0, .height = 3},
        {.width = 3, .height = -1},
        {.width = INT_MIN, .height = 3},
        {.width = 3, .height = 3, .weight = NAN},
        {.width = 3, .height = 3, .weight = INFINITY},
        {.width = 3, .height = 3, .weight = -1.0},
        {.width = 3, .height = 3, .systems = 2},
        {.width = 3, .height = 3, .systems = INT_MAX},
        {.width = 3, .height = 3, .systems = -4},
        {.width = 3, .height = 3, .parameter = 1},
        {.op = "gauss_jordan", .width = 3, .height = 9},
        {.op = "gauss_jordan", .kind = "ill", .width = 3, .height = 3, .condition = -1.0},
        {.op = "gauss_jordan", .kind = "ill", .width = 3, .height = 3, .condition = NAN},
        {.op = "gauss_jordan", .kind = "ill", .width = 3, .height = 3, .condition = INFINITY},
        {.op = "gauss_jordan_batch", .width = 65, .height = 1},
        {.op = "access", .width = 64, .height = 64, .parameter = INT_MIN},
        {.op = "access", .width = 64, .height = 64, .parameter = INT_MAX},
        {.op = "poisson5", .kind = "spike", .width = 9, .height = 9, .mark_x = INT_MAX},
        {.op = "poisson5", .kind = "spike", .width = 9, .height = 9, .mark_y = INT_MIN},
    };
    struct qp_problem problem = {.width = 7};
    for (refused_row = 0; refused_row < COUNT(bad); refused_row++) {
        REFUSES(qp_problem_create, &bad[refused_row], &problem);
        HOLDS(problem.op == NULL);
        NEUTRAL(qp_problem_destroy, &problem);
    }
    REFUSES(qp_problem_create, NULL, &problem);
    REFUSES(qp_problem_create, &(struct qp_problem_desc){.width = 3, .height = 3}, NULL);
    REFUSES_SIZE(qp_problem_create, &(struct qp_problem_desc){.width = INT_MAX, .height = INT_MAX},
                 &problem);
    HOLDS(NEUTRAL(qp_problem_field, NULL, "x") == NULL);
    HOLDS(NEUTRAL(qp_problem_field, &problem, "x") == NULL);
    HOLDS(NEUTRAL(qp_problem_field, &problem, NULL) == NULL);
    HOLDS(isnan(NEUTRAL(qp_problem_weight, NULL)));
    HOLDS(isnan(NEUTRAL(qp_problem_weight, &problem)));
    HOLDS(isfinite(NEUTRAL(qp_problem_bytes, 0.0)));
    NEUTRAL(qp_problem_destroy, NULL);
    assert_no_faults();
}

/* Matrices in memory that hold what they must not; `what` is refused for each of them. */
TEST(matrices_in_memory)
{
    int zero[] = {0, 0}, outside[] = {0, 9}, below[] = {-1, 0}, both[] = {0, 1};
    double values[] = {1.0, 2.0, 3.0, 4.0}, bad[] = {NAN, 1.0, 1.0, 1.0}, huge[] = {1e300, 1, 1, 1};
    const struct qp_market market[] = {
        {0},
        {2, 2, 4, true, NULL, NULL, NULL},
        {2, 2, 4, true, NULL, NULL, bad},
        {2, 2, 3, true, NULL, NULL, values},
        {INT_MAX, INT_MAX, 4, true, NULL, NULL, values},
        {-2, -2, 4, true, NULL, NULL, values},
        {1, 2, 2, true, NULL, NULL, values},
        {2, 2, 2, false, NULL, both, values},
        {2, 2, 2, false, both, NULL, values},
        {2, 2, 2, false, both, both, NULL},
        {2, 2, 2, false, zero, zero, values},
        {2, 2, 2, false, both, outside, values},
        {2, 2, 2, false, below, both, values},
        {2, 2, SIZE_MAX, false, both, both, NULL},
    };
    struct qp_problem problem = {.width = 7};
    struct qp_market good = {2, 2, 4, true, NULL, NULL, values}, large = good;
    large.value = huge;
    for (refused_row = 0; refused_row < COUNT(market); refused_row++) {
        REFUSES(qp_problem_from_market, &market[refused_row], 0, 0, &problem);
        HOLDS(problem.op == NULL);
        REFUSES(qp_problem_dense_from_market, &market[refused_row], NULL, 1, &problem);
        HOLDS(problem.op == NULL);
        HOLDS(!NEUTRAL(qp_problem_has_grid, &market[refused_row]));
    }
    HOLDS(!NEUTRAL(qp_problem_has_grid, NULL));
    REFUSES(qp_problem_from_market, NULL, 0, 0, &problem);
    REFUSES(qp_problem_from_market, &good, 0, 0, NULL);
    REFUSES(qp_problem_from_market, &good, 3, 3, &problem);
    REFUSES(qp_problem_from_market, &good, 65536, 65536, &problem);
    REFUSES(qp_problem_from_market, &good, INT_MAX, INT_MAX, &problem);
    REFUSES(qp_problem_from_market, &large, 0, 0, &problem);
    REFUSES(qp_problem_dense_from_market, NULL, NULL, 1, &problem);
    REFUSES(qp_problem_dense_from_market, &good, NULL, 1, NULL);
    REFUSES(qp_problem_dense_from_market, &good, values, 0, &problem);
    REFUSES(qp_problem_dense_from_market, &good, values, -1, &problem);
    REFUSES_SIZE(qp_problem_dense_from_market, &good, values, INT_MAX, &problem);
    REFUSES(qp_problem_dense_from_market, &good, NULL, 2, &problem);
    REFUSES(qp_problem_dense_from_market, &good, bad, 1, &problem);
    REFUSES(qp_problem_dense_from_market, &good, huge, 1, &problem);
    HOLDS(problem.op == NULL);
    assert_no_faults();
}

/* ---- Variants ---- */

TEST(variants)
{
    struct qp_problem none = {0};
    struct qp_variant foreign = {.name = "jacobi9/mine", .op = "jacobi9"};
    struct qp_problem problem;
    assert_ok(qp_problem_create(&(struct qp_problem_desc){.width = 3, .height = 3}, &problem));
    HOLDS(NEUTRAL(qp_variant_at, NEUTRAL(qp_variant_count, )) == NULL);
    HOLDS(NEUTRAL(qp_variant_at, SIZE_MAX) == NULL);
    HOLDS(NEUTRAL(qp_variant_find, NULL) == NULL);
    HOLDS(NEUTRAL(qp_variant_find, "") == NULL);
    HOLDS(NEUTRAL(qp_variant_find, "/") == NULL);
    HOLDS(!NEUTRAL(qp_variant_matches, NULL, "*"));
    HOLDS(!NEUTRAL(qp_variant_matches, qp_variant_at(0), NULL));
    assert_int_equal(NEUTRAL(qp_variant_systems, NULL), 1);
    assert_int_equal(NEUTRAL(qp_variant_systems, &foreign), 1);
    HOLDS(!NEUTRAL(qp_variant_is_bound, NULL));
    HOLDS(!NEUTRAL(qp_variant_is_bound, &foreign));
    HOLDS(NEUTRAL(qp_variant_library, NULL) == NULL);
    HOLDS(NEUTRAL(qp_variant_library, &foreign) == NULL);
    HOLDS(NEUTRAL(qp_variant_cost, NULL).bytes == 0.0);
    HOLDS(NEUTRAL(qp_variant_cost, &foreign).bytes == 0.0);
    REFUSES(qp_variant_takes, NULL, &problem);
    REFUSES(qp_variant_takes, qp_variant_at(0), NULL);
    REFUSES(qp_variant_takes, qp_variant_at(0), &none);
    REFUSES(qp_variant_takes, &foreign, &problem);
    qp_problem_destroy(&problem);
    assert_no_faults();
}

/* ---- Kernel files ---- */

TEST(kernel_files)
{
    struct qp_kernel_file_head head = {.states = 1}, unread = {.arrays = 1};
    struct qp_kernel_file *file = (struct qp_kernel_file *)(void *)&head, *none = NULL;
    REFUSES(qp_kernel_file_say, NULL, "steps", "1");
    REFUSES(qp_kernel_file_say, &head, NULL, "1");
    REFUSES(qp_kernel_file_say, &head, "steps", NULL);
    REFUSES(qp_kernel_file_say, &head, "", "1");
    REFUSES(qp_kernel_read, NULL, &file);
    HOLDS(file == NULL);
    REFUSES(qp_kernel_read, QP_SOURCE_DIR "/tests", &file);
    REFUSES(qp_kernel_read, QP_SOURCE_DIR "/demos/shaders/life.frag", NULL);
    assert_ok(qp_kernel_read(QP_SOURCE_DIR "/demos/shaders/life.frag", &file));
    struct qp_kernel_file *itself = file;
    strcpy(unread.array[0].name, "unread");
    REFUSES(qp_kernel_file_override, NULL, &head);
    REFUSES(qp_kernel_file_override, file, NULL);
    REFUSES(qp_kernel_file_override, file, &head);
    REFUSES(qp_kernel_file_override, file, &unread);
    NEUTRAL(qp_kernel_file_step, NULL, 0, 1, NULL);
    NEUTRAL(qp_kernel_file_step, file, -1, -1, file->number);
    REFUSES(qp_kernel_file_then, NULL, &file);
    REFUSES(qp_kernel_file_then, file, NULL);
    REFUSES(qp_kernel_file_then, file, &none);
    REFUSES(qp_kernel_file_then, file, &itself);
    NEUTRAL(qp_kernel_file_destroy, &file);
    NEUTRAL(qp_kernel_file_destroy, &file);
    NEUTRAL(qp_kernel_file_destroy, NULL);
    assert_no_faults();
}

/* ---- The list of all ---- */

/* Names of exported functions without a call in these files. */
TEST(every_function_is_called)
{
    char command[1024], *missing = NULL;
    snprintf(command, sizeof command,
             "nm -D --defined-only %s/libquadpass.so | sed -n 's/.* T \\(qp_.*\\)/\\1/p' | "
             "while read -r f; do grep -qE '(REFUSES[A-Z_]*|NEUTRAL)\\('$f, "
             "%s/tests/house/test_bad_*.c || echo $f; done",
             QP_BUILD_DIR, QP_SOURCE_DIR);
    assert_int_equal(run_for(command, &missing), 0);
    if (*missing != '\0')
        print_error("public functions that no test calls with bad arguments; add them to "
                    "a file tests/house/test_bad_*.c:\n%s",
                    missing);
    assert_string_equal(missing, "");
    free(missing);
}
