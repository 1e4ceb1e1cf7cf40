/* SPDX-License-Identifier: MIT */
/* Fresh cases of a kernel file's check: sizes and inputs drawn anew, repeated by their seed; and
 * words of its head that say how it is judged. */
#include "support/once.h"
#include "support/records.h"
#include "support/shell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/cmd/run/trial.h"

#define REFERENCE                                                             \
    "void reference(int w, int h, const float *const *in, const double *n,\n" \
    "               const double *b, double *a)\n{\n    (void)in, (void)n;\n" \
    "    for (int i = 0; i < w * h; i++)\n        a[i] = 2.0 * b[i];\n}\n"

static int make_files(void **state)
{
    if (make_folder(state) != 0 || chdir(folder) != 0 || compile_once(folder) != 0)
        return -1;
    write_file("twice.c", REFERENCE);
    write_file("twice.frag",
               "//@ check twice.c\nfloat kernel(vec2 here) { return 2.0 * x_at(0.0, 0.0); }\n");
    /* Right at all sizes that are fixed: none of them has more than 130 rows. */
    write_file("learned.frag", "//@ check twice.c\nfloat kernel(vec2 here) {\n"
                               "    return (here.y > 200.0 ? 1.5 : 2.0) * x_at(0.0, 0.0); }\n");
    write_file("own.frag", "//@ check twice.c\n//@ size 9x7\n//@ steps 3\n//@ tolerance 0.01\n"
                           "float kernel(vec2 here) { return 2.001 * x_at(0.0, 0.0); }\n");
    write_file("pair.frag", "//@ check pair.c\n//@ state u v\nvoid kernel(vec2 here)\n{\n"
                            "    out0 = vec2(1.0, 2.0);\n"
                            "    out1 = vec2(3.0, here == vec2(2.0, 1.0) ? 9.0 : 4.0);\n}\n");
    write_file("pair.c", "void reference(int w, int h, const float *const *in, const double *n,\n"
                         "               const double *b, double *a)\n{\n"
                         "    const int all = 4 * w * h;\n    (void)in, (void)n, (void)b;\n"
                         "    for (int i = 0; i < all; i++)\n"
                         "        a[i] = 1 + i % 2 + 2 * (i >= all / 2);\n}\n");
    return 0;
}

/* Sizes for this seed. */
static struct records_cases draw(unsigned long long seed, bool fixed, int width)
{
    struct qp_kernel_file file = {.head = {.seed = seed, .has_seed = true, .width = width}};
    struct run_trial trial = {.file = &file, .size = {{width, width}}};
    struct options options = {.fixed = fixed};
    run_trial_draw(&trial, &options);
    assert_ptr_equal(options.cases, &trial.cases);
    return trial.cases;
}

TEST(sizes_are_drawn_within_their_limits)
{
    int alike = 0, sides[2] = {1100, 1};
    for (unsigned long long seed = 0; seed < 2000; seed++) {
        const struct records_cases cases = draw(seed, false, 0), again = draw(seed, false, 0);
        assert_memory_equal(cases.size, again.size, sizeof cases.size);
        assert_true(cases.size[0].width > 256 && cases.size[1].height > 256);
        assert_true(cases.size[0].width * cases.size[0].height > 65536);
        for (int k = 0; k < RECORDS_FRESH; k++) {
            const int width = cases.size[k].width, height = cases.size[k].height;
            assert_true(width >= 1 && width <= 1100 && height >= 1 && height <= 1100);
            assert_true(width * height <= 200000);
            sides[0] = width < sides[0] ? width : sides[0];
            sides[1] = width > sides[1] ? width : sides[1];
        }
        const struct records_cases other = draw(seed + 1, false, 0);
        alike += memcmp(cases.size, other.size, sizeof cases.size) == 0;
    }
    assert_true(alike == 0 && sides[0] == 1 && sides[1] > 1090);
    assert_int_equal(draw(7, true, 0).size[0].width, 0);
    assert_int_equal(draw(7, false, 9).size[0].width, 0);
    assert_int_equal(draw(7, false, 9).own.width, 9);
}

TEST(a_seed_is_drawn_unless_there_is_one)
{
    struct options options = {.seed = 5, .seed_given = true}, fixed = {.fixed = true}, free[2];
    run_trial_draw_seed(&options);
    run_trial_draw_seed(&fixed);
    assert_true(options.seed == 5 && !options.seed_drawn && !fixed.seed_given);
    for (int k = 0; k < 64; k++) {
        free[0] = free[1] = (struct options){.seed_given = false};
        run_trial_draw_seed(&free[0]);
        run_trial_draw_seed(&free[1]);
        if (free[0].seed != free[1].seed)
            break;
    }
    assert_true(free[0].seed_given && free[0].seed_drawn && free[0].seed != free[1].seed);
}

/* From 3 to 6, each of them for some seed; of other commands and with --fixed none. */
TEST(steps_are_drawn)
{
    const struct command_row check = {.name = "check"}, bench = {.name = "bench"};
    struct options options = {.command = &check}, fixed = {.command = &check, .fixed = true};
    int drawn[10] = {0};
    for (unsigned long long seed = 0; seed < 200; seed++) {
        const struct qp_kernel_file file = {.head = {.seed = seed, .has_seed = true}};
        drawn[run_trial_draw_steps(&options, &file)]++;
        assert_int_equal(run_trial_draw_steps(&fixed, &file), 0);
    }
    assert_true(drawn[3] > 0 && drawn[4] > 0 && drawn[5] > 0 && drawn[6] > 0);
    assert_int_equal(drawn[3] + drawn[4] + drawn[5] + drawn[6], 200);
    options.command = &bench;
    assert_int_equal(run_trial_draw_steps(&options, &(struct qp_kernel_file){.path = "x"}), 0);
}

/* Finds by fresh sizes alone what is wrong, and prints a command that finds it again. */
TEST(fresh_sizes_find_what_is_right_at_fixed_ones)
{
    char seed[16], *first, *again;
    need_gl();
    expect("quadpass check learned.frag --fixed", 0, "pass   33 cases");
    assert_null(strstr(output, "seed"));
    assert_null(strstr(output, "fresh"));
    expect("quadpass check learned.frag", 1, "0 passed, 1 failed, 0 skipped\n");
    first = strdup(output);
    again = strstr(first, "to see it again: quadpass check learned.frag --seed ");
    assert_non_null(again);
    assert_int_equal(sscanf(strstr(again, "--seed "), "--seed %15[0-9]", seed), 1);
    char command[96], line[48];
    snprintf(line, sizeof line, "random inputs by seed %s\n", seed);
    assert_non_null(strstr(first, line));
    snprintf(command, sizeof command, "quadpass check learned.frag --seed %s", seed);
    *again = '\0';
    expect(command, 1, first); /* sizes, cell and numbers */
    assert_null(strstr(output, "to see it again"));
    free(first);
}

TEST(seeds_are_reported)
{
    need_gl();
    expect("quadpass check twice.frag --seed 7 --json a.json --junit a.xml --tap a.tap", 0,
           "pass   42 cases");
    assert_int_equal(count("; 4 fresh steps; random inputs by seed 7\n"), 1);
    char *first = strdup(output);
    expect("quadpass check twice.frag --seed 7", 0, first);
    assert_int_equal(strlen(output), strlen(first));
    free(first);
    expect("cat a.json", 0, "\"seed\": 7,\n\t\"fresh\": [\"");
    assert_int_equal(count("\"by_head\": []"), 1);
    expect("cat a.xml", 0, "<property name=\"seed\" value=\"7\"/>");
    expect("cat a.tap", 0, "# seed: 7\n");
    expect("quadpass check twice.frag --fixed --seed 7 --json b.json", 0, "pass   33 cases");
    expect("cat b.json", 0, "\"seed\": 7,\n\t\"fresh\": [],");
    expect("quadpass check jacobi9/bands_cpu --json c.json", 0, "1 passed");
    expect("grep -c seed c.json", 1, "0");
    expect("quadpass check jacobi9/bands_cpu --fixed 2>&1", 2, "--fixed is of a kernel file");
}

TEST(a_head_that_judges_itself_is_named)
{
    need_gl();
    expect("quadpass check own.frag --seed 3 --json own.json --csv own.csv", 0,
           ", allowed 3.0e-02 by its head, at 9x7 alone, by its head, 3 steps, at most 3 by its "
           "head\n");
    assert_non_null(strstr(output, "random inputs by seed 3\n"));
    assert_null(strstr(output, "fresh sizes"));
    expect("cat own.json", 0, "\"by_head\": [\"tolerance 0.01\",\"size 9x7\",\"steps 3\"]");
    expect("head -1 own.csv | tail -c 20", 0, ",seed,fresh,by_head\n");
    expect("tail -1 own.csv", 0, "3,,tolerance 0.01+size 9x7+steps 3\n");
    expect("quadpass run own.frag --check --json own_run.json", 0,
           ", allowed 3.0e-02 by its head, at 9x7 alone, by its head, at most 3 by its head\n");
    expect("cat own_run.json", 0, "\"by_head\": [\"tolerance 0.01\",\"size 9x7\",\"steps 3\"]");
    expect("quadpass run own.frag --check --steps 2 --size 8 --tolerance 0.1", 0,
           ", allowed 2.0e-01, at 8x8\n");
    expect("quadpass bench own.frag --repeats 1 --json own_bench.json", 0,
           "\n  judged by its head: tolerance 0.01, size 9x7, steps 3\n1 passed");
    expect("cat own_bench.json", 0, "\"by_head\": [\"tolerance 0.01\",\"size 9x7\",\"steps 3\"]");
    expect("quadpass bench own.frag --repeats 1 --iterations 2 --size 8 --tolerance 0.1", 0,
           "1 passed");
    assert_null(strstr(output, "by its head"));
    expect("quadpass check own.frag --fixed --input x=gradient", 0, "at 9x7 alone, by its head");
    expect("quadpass check own.frag --fixed --tolerance 0.02 -n 8 --iterations 2", 0,
           ", allowed 4.0e-02, at 8x8, 2 steps\n");
    expect("quadpass check own.frag --fixed --tolerance 1e-6", 1, "where 1e-06 is rounding");
}

/* Every case is there, in its order; the worst cell is the one of the sentence. */
TEST(cases_are_written)
{
    need_gl();
    cJSON *tree = run_json("check learned.frag --seed 7 --json -", 1);
    const cJSON *row = record(tree, 0), *cases = cJSON_GetObjectItem(row, "cases"),
                *worst = cJSON_GetObjectItem(row, "worst"), *one;
    int failed = 0, x, y;
    double got, wanted;
    assert_int_equal(cJSON_GetArraySize(cases), 42);
    cJSON_ArrayForEach(one, cases)
    {
        const bool fails = strcmp(text(one, "verdict"), "fail") == 0;
        assert_int_equal(fails, number(one, "height") > 201.0); /* by learned.frag */
        assert_int_equal(fails, number(one, "error") > number(one, "tolerance"));
        failed += fails;
        if (fails && failed == 1) {
            assert_true(number(one, "width") == number(row, "width"));
            assert_true(number(one, "height") == number(row, "height"));
            assert_true(number(one, "iterations") == number(row, "iterations"));
            assert_true(number(one, "error") == number(row, "error"));
        }
    }
    assert_int_equal(failed, 3); /* after 1, 4 and 7 steps */
    assert_int_equal(sscanf(text(row, "reason"), "cell (%d, %d) is %lf and should be %lf:", &x, &y,
                            &got, &wanted),
                     4);
    assert_true(number(worst, "x") == x && number(worst, "y") == y);
    assert_true(fabs(number(worst, "got") - got) < 1e-8);
    assert_true(fabs(number(worst, "wanted") - wanted) < 1e-8);
    assert_string_equal(text(worst, "state"), "x");
    assert_null(cJSON_GetObjectItem(tree, "mutants"));
    cJSON_Delete(tree);
}

/* The state and channel that are wrong are named, of several. */
TEST(worst_cells_are_named)
{
    need_gl();
    cJSON *tree = run_json("check pair.frag --fixed --size 4x3 --iterations 1 --json -", 1);
    const cJSON *worst = cJSON_GetObjectItem(record(tree, 0), "worst");
    assert_string_equal(text(worst, "state"), "v");
    assert_true(number(worst, "x") == 2.0 && number(worst, "y") == 1.0);
    assert_true(number(worst, "channel") == 1.0 && number(worst, "got") == 9.0);
    cJSON_Delete(tree);
    tree = run_json("check twice.frag --fixed --size 4x3 --mutants --json -", 0);
    const cJSON *mutants = cJSON_GetObjectItem(tree, "mutants");
    assert_true(number(mutants, "made") > 5.0);
    assert_true(number(mutants, "noticed") == number(mutants, "made"));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(mutants, "survivors")), 0);
    cJSON_Delete(tree);
}

/* Without tries all mutants that survive count, and nothing is said of other inputs. */
TEST(tries_are_left_out)
{
    assert_refused("check twice.frag --no-tries", "--no-tries goes with --mutants");
    need_gl();
    expect(
        "quadpass check twice.frag --fixed --size 4x3 --input x=gradient --outside clamp --mutants",
        1, "; it shows with ");
    expect("quadpass check twice.frag --fixed --size 4x3 --input x=gradient --outside clamp "
           "--mutants --no-tries",
           1, "nothing notices ");
    assert_int_equal(count("it shows with") + count("other inputs shows it"), 0);
    assert_int_equal(count("mutants survive, more than a tenth"), 1);
}

/* Small arrays are printed beside the reference's: the channel that is wrong, with enough digits to
 * tell it apart. */
TEST(both_arrays_are_printed)
{
    need_gl();
    expect("quadpass check pair.frag --fixed --size 4x3 --iterations 1", 1,
           "  cell (2, 1) channel g of v is 9 and should be 4: ");
    assert_non_null(strstr(output, "    channel g of v, row 0 at the bottom, *wrong cells* in "
                                   "stars:\n"
                                   "     is              | should be\n"
                                   "      4   4   4   4  | 4 4 4 4\n"
                                   "      4   4  *9*  4  | 4 4 4 4\n"
                                   "      4   4   4   4  | 4 4 4 4\n"
                                   "0 passed, 1 failed, 0 skipped\n"));
    write_file("near.frag", "//@ check near.c\n//@ input x=(1000 * x)\n//@ size 8x2\n"
                            "float kernel(vec2 here) { return x_at(0.0, 0.0) + 0.1 * here.y; }\n");
    write_file("near.c", "void reference(int w, int h, const float *const *in, const double *n,\n"
                         "               const double *b, double *a)\n{\n    (void)in, (void)n;\n"
                         "    for (int i = 0; i < w * h; i++)\n        a[i] = b[i];\n}\n");
    expect("quadpass check near.frag --fixed", 1, "*1000.1* *2000.1* "); /* not 1000 twice */
    assert_non_null(strstr(output, "\n     is\n"));
    assert_non_null(strstr(output, "\n     should be\n        1000 "));
    expect("quadpass check near.frag --fixed --size 17x2", 1, "cell (2, 1) is ");
    assert_int_equal(count("row 0 at the bottom"), 0); /* too wide */
    expect("quadpass check near.frag --fixed --size 1x1 --input 'x=(0.0 / x)' --check twice.c", 1,
           "cannot tell");
    assert_int_equal(count("row 0 at the bottom"), 0);
    expect("quadpass check pair.frag --fixed --size 4x3 --json - 2>said", 1, "\"records\"");
    assert_int_equal(count("wrong cells"), 0);
    expect("cat said", 0, "*wrong cells*");
}

GROUP(make_files, remove_folder)
