/* SPDX-License-Identifier: MIT */
/* Promises of records and of the list of variants: their head, their fields in terms of each other,
 * and costs worked out by hand for every operation. */
#include "support/shell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/plan/op.h"
#include "support/records.h"

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

/* The head names version, device and command. */
TEST(heads_name_device_and_command)
{
    static const char *const commands[] = {"bench jacobi9/luminance -n 8 --repeats 1 --json -",
                                           "check jacobi9/luminance --size 8 --json -",
                                           "accuracy inverse -n 8 --iterations 1 --json -",
                                           "run " QP_SOURCE_DIR
                                           "/demos/shaders/life.frag -n 8 --json -",
                                           "solve " GR " --json -",
                                           "invert " QP_SOURCE_DIR "/data/west0067.mtx --json -"};
    char device[256], driver[256];
    need_gl();
    cJSON *tree = run_json("info --json -", 0);
    snprintf(device, sizeof device, "%s", text(tree, "renderer"));
    snprintf(driver, sizeof driver, "%s", text(tree, "version"));
    cJSON_Delete(tree);
    for (int i = 0; i < COUNT(commands); i++) {
        char line[512];
        tree = run_json(commands[i], 0);
        snprintf(line, sizeof line, "quadpass %s", commands[i]);
        assert_string_equal(text(tree, "command"), line);
        assert_string_equal(text(tree, "device"), device);
        assert_string_equal(text(tree, "driver"), driver);
        assert_string_equal(text(tree, "quadpass"), QP_VERSION);
        assert_true(cJSON_GetArraySize(cJSON_GetObjectItem(tree, "records")) >= 1);
        cJSON_Delete(tree);
    }
    tree = run_json("bench jacobi9/openmp -n 8 --repeats 1 --json -", 0);
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(tree, "device")));
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(tree, "driver")));
    cJSON_Delete(tree);
}

/* ---- Costs by hand ---- */

/* Updates of an iteration, bytes and flops of each: a grid's cells; n^2 (n + m) elements of an
 * elimination, and LINPACK's 2/3 n^3 + 2 n^2 m; values that are added; floats that are read and
 * written. */
static const struct {
    const char *row, *kind;
    int width, height;
    double updates, bytes, flops;
} costs[] = {
    {"jacobi9/openmp", "random", 8, 6, 48, 44, 20},
    {"jacobi9/bands_cpu", "random", 8, 6, 48, 48, 20},
    {"jacobi9/luminance", "random", 8, 6, 48, 48, 36},
    {"reduce/loop", "sum", 8, 6, 48, 4, 1},
    {"reduce/loop", "squares", 8, 6, 48, 4, 2},
    {"reduce/loop", "dot", 8, 6, 48, 8, 2},
    {"gauss_jordan/loop", "dominant", 6, 6, 252, 0, 0},
    {"gauss_jordan/loop", "dominant", 9, 6, 324, 0, 0},
    {"gauss_jordan_batch/loop", "dominant", 6, 5, 1260, 0, 0},
    {"transpose/loop", "transpose", 8, 6, 48, 8, 0},
    {"transpose/copy_texels", "copy", 8, 6, 48, 8, 0},
};

TEST(costs_are_those_by_hand)
{
    for (int i = 0; i < COUNT(costs); i++) {
        const struct qp_variant *variant = qp_variant_find(costs[i].row);
        const double n = costs[i].height, m = costs[i].width - n > 0 ? costs[i].width - n : 1.0;
        const bool batch = strcmp(variant->op, "gauss_jordan_batch") == 0;
        const double w = costs[i].width;
        const double linpack =
            batch ? 2.0 / 3.0 * w * w * w + 2.0 * w * w : 2.0 / 3.0 * n * n * n + 2.0 * n * n * m;
        const bool eliminates = strncmp(variant->op, "gauss_jordan", 12) == 0;
        char line[256];
        snprintf(line, sizeof line,
                 "bench %s --problem %s --size %dx%d --repeats 1 --iterations 3 --json - ",
                 costs[i].row, costs[i].kind, costs[i].width, costs[i].height);
        if (variant->backend == QP_GL)
            need_gl();
        cJSON *tree = run_json(line, 0);
        const cJSON *r = cJSON_GetArrayItem(cJSON_GetObjectItem(tree, "records"), 0);
        const double glups = number(r, "glups");
        const double flops =
            eliminates ? linpack * (batch ? n : 1.0) / costs[i].updates : costs[i].flops;
        assert_true(near(glups, 3e-9 * costs[i].updates / number(r, "seconds")));
        assert_true(near(number(r, "gbytes_per_s"), glups * number(r, "bytes_per_update")));
        assert_true(near(number(r, "gflops"), glups * number(r, "flops_per_update")));
        if (costs[i].bytes > 0.0)
            assert_true(near(number(r, "bytes_per_update"), costs[i].bytes));
        if (!near(number(r, "flops_per_update") + 1.0, flops + 1.0))
            fail_msg("%s, %s: %g flops an update, not %g", costs[i].row, costs[i].kind,
                     number(r, "flops_per_update"), flops);
        assert_true(number(r, "seconds_min") <= number(r, "seconds"));
        cJSON_Delete(tree);
    }
}

/* ---- The list ---- */

static bool holds(const cJSON *needs, const char *word)
{
    const cJSON *one;
    cJSON_ArrayForEach(one, needs)
    {
        if (strcmp(one->valuestring, word) == 0)
            return true;
    }
    return false;
}

/* Every variant is listed with its needs and costs, under a name by the contract's rules. */
TEST(the_list_tells_needs_and_costs)
{
    cJSON *rows = run_json("list --json -", 0);
    assert_int_equal(cJSON_GetArraySize(rows), qp_variant_count());
    for (int i = 0; i < cJSON_GetArraySize(rows); i++) {
        const struct qp_variant *variant = qp_variant_at((size_t)i);
        const cJSON *told = cJSON_GetArrayItem(rows, i),
                    *needs = cJSON_GetObjectItem(told, "needs");
        const struct qp_cost cost = qp_variant_cost(variant);
        const char *library = qp_variant_library(variant),
                   *backend = qp_backend_name(variant->backend);
        assert_string_equal(text(told, "variant"), variant->name);
        assert_string_equal(text(told, "backend"), backend);
        assert_string_equal(text(told, "sentence"), variant->sentence);
        assert_string_equal(text(told, "place"), variant->place);
        assert_string_equal(text(told, "layout"), variant->layout);
        assert_true(near(number(told, "bytes_per_update"), cost.bytes));
        if (cost.flops > 0.0)
            assert_true(near(number(told, "flops_per_update"), cost.flops));
        int words = (variant->backend == QP_CUDA) + qp_variant_draws(variant) + (library != NULL);
        assert_int_equal(holds(needs, "cuda"), variant->backend == QP_CUDA);
        assert_int_equal(holds(needs, "gl"), qp_variant_draws(variant));
        for (int k = 0; k < QP_ABILITIES; k++) {
            assert_int_equal(holds(needs, qp_ability_name(k)), variant->needs >> k & 1);
            words += variant->needs >> k & 1;
        }
        assert_int_equal(cJSON_GetArraySize(needs), words);
        /* Names of CUDA variants contain cuda; of others only those of processes that use it do. */
        assert_int_equal(strstr(variant->name, "mpi") != NULL, variant->backend == QP_MPI);
        if (variant->backend != QP_MPI)
            assert_int_equal(strstr(variant->name, "cuda") != NULL, variant->backend == QP_CUDA);
        for (const char *c = variant->name; *c != '\0'; c++)
            assert_true((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9') || *c == '_' ||
                        *c == '/');
    }
    cJSON_Delete(rows);
    rows = run_json("list gauss_jordan/sgesv jacobi9/blas --json -", 0);
    for (int i = 0; i < 2; i++) { /* in the table's order: jacobi9 first */
        const cJSON *needs = cJSON_GetObjectItem(cJSON_GetArrayItem(rows, i), "needs");
        assert_true(holds(needs, i == 0 ? "blas" : "lapack") || holds(needs, "blas"));
    }
    cJSON_Delete(rows);
}

/* The list has every variant that was asked for, and nothing else, as a table; in Markdown a line
 * each. */
TEST(the_list_is_a_table)
{
    assert_int_equal(run("list --long"), 0);
    for (size_t i = 0; i < qp_variant_count(); i++) {
        char name[128];
        snprintf(name, sizeof name, "%s ", qp_variant_at(i)->name);
        if (strstr(output, name) == NULL && strstr(output, strchr(name, '/') + 1) == NULL)
            fail_msg("no '%s' in the list", name);
    }
    assert_int_equal(run("list 'reduce/tree*'"), 0);
    assert_non_null(strstr(output, "tree_rgba"));
    assert_null(strstr(output, "compensated"));
    assert_int_equal(run("list 'reduce/tree*' --markdown"), 0);
    assert_int_equal(count("\n| `reduce/tree"), 4);
    assert_int_equal(count("\n"), 2 + 4);
    assert_int_equal(count(" | 4 | 1 | "), 4); /* bytes and flops of a sum */
}

/* Kinds in place of variants: of the operations of these variants, all of them or the one asked
 * for. */
TEST(the_list_tells_kinds)
{
    cJSON *kinds = run_json("list --kinds 'access/*' transpose --json -", 0);
    const cJSON *stride = cJSON_GetArrayItem(kinds, 1), *copy = cJSON_GetArrayItem(kinds, 26);
    assert_int_equal(cJSON_GetArraySize(kinds), 25 + 2);
    assert_string_equal(text(stride, "operation"), "access");
    assert_string_equal(text(stride, "problem"), "stride");
    assert_non_null(strstr(text(stride, "sentence"), "p columns"));
    assert_non_null(strstr(text(stride, "parameter"), "cells from"));
    assert_true(number(stride, "least") == 1.0 && number(stride, "most") == 32.0 &&
                number(stride, "usual") == 2.0);
    assert_string_equal(text(copy, "problem"), "copy");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(copy, "parameter")) &&
                cJSON_IsNull(cJSON_GetObjectItem(copy, "most")));
    cJSON_Delete(kinds);
    kinds = run_json("list --kinds --problem permuted --json -", 0); /* kinds of two operations */
    assert_int_equal(cJSON_GetArraySize(kinds), 2);
    cJSON_Delete(kinds);
    assert_int_equal(run("list --kinds --markdown --problem permuted"), 0);
    assert_int_equal(count("\n| `permuted` |"), 2);
    assert_int_equal(count("\n"), 2 * 3 + 1);
    assert_int_equal(run("check --help | tr -s ' \\n' ' '"), 0);
    assert_non_null(strstr(output, "transfer round, up, down, overlap"));
    assert_non_null(strstr(output, "and 23 more"));
}

/* Matrices are shown unchanged, then turned, on either kind of variant. */
TEST(a_transpose_is_walked)
{
    assert_int_equal(run("walk transpose/loop --size 3x2"), 0);
    double x[6], turned[6];
    const char *at = strstr(output, "row 0 at the top:\n");
    if (at == NULL)
        fail_msg("%s", output);
    assert_int_equal(
        sscanf(at + 19, "%lf %lf %lf %lf %lf %lf", &x[0], &x[1], &x[2], &x[3], &x[4], &x[5]), 6);
    at = strstr(at, "stage 8");
    at = strchr(at, ':') + 1;
    assert_int_equal(sscanf(at, "%lf %lf %lf %lf %lf %lf", &turned[0], &turned[1], &turned[2],
                            &turned[3], &turned[4], &turned[5]),
                     6);
    for (int i = 0; i < 6; i++)
        assert_true(turned[i] == x[i % 2 * 3 + i / 2]);
    need_gl();
    assert_int_equal(run("walk transpose/sampled --size 3x2"), 0);
    assert_true(ends_with(output, "transpose/sampled: pass\n"));
}

GROUP(make_folder_in_haste, remove_folder)
