/* SPDX-License-Identifier: MIT */
/* The command model to the letter, from runs that are made up (tests/support/fake_runs.c): its
 * table, what it keeps, its refusals; and its pictures. */
/* wrap: fake_*s.c */
#include "support/fake_runs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lab/engines/parts/learned.h"
#include "support/files.h"
#include "tools/cmd/cmd.h"

static char folder[] = "/tmp/quadpass-model-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL || setenv("XDG_CACHE_HOME", folder, 1) != 0;
}

static int remove_folder(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

static int restore(void **state)
{
    (void)state;
    return setenv("XDG_CACHE_HOME", folder, 1);
}

static bool is_kept(struct qp_learned *learned)
{
    return qp_learned_read(NULL, "poisson5/hybrid_rgba", learned);
}

/* The best split is a quarter of the rows: 3 s = n - s. */
TEST(table, .teardown_func = restore)
{
    struct qp_learned learned;
    assert_false(is_kept(&learned));
    fake_append(command_run, "model poisson5/hybrid_rgba --size 64x160 --repeats 2 --iterations 8");
    assert_true(is_kept(&learned));
    assert_int_equal(learned.split, 40);
    assert_int_equal(learned.height, 160);
    fake_compare_all("model");
}

/* Eighteen times slower: the upper part alone; what was kept before stays. */
TEST(slow, .teardown_func = restore)
{
    struct qp_learned learned;
    fake_append(command_run, "model poisson5/hybrid_rgba --size 64x160 --slow 18");
    assert_true(is_kept(&learned));
    assert_int_equal(learned.split, 40);
    fake_compare_all("model_slow");
    assert_non_null(
        strstr(fake_command(command_run, "model poisson5/hybrid_rgba --size 64x160 --slow 2"),
               "nothing is kept of a device that was made slower\n"));
    assert_true(is_kept(&learned));
    assert_int_equal(learned.split, 40);
}

/* A record is a run: the best split is marked as such. */
TEST(records)
{
    const char *text =
        fake_command(command_run, "model poisson5/hybrid_rgba --size 64x160 --csv - --repeats 2");
    assert_non_null(strstr(text, "variant,width,height,iterations,depth,slow,runs,rows,"
                                 "seconds_a_step,predicted,ratio,best,fastest,lower_curve,"));
    assert_non_null(strstr(text, "poisson5/hybrid_rgba,64,160,32,1,1,lower,20,"));
    assert_non_null(strstr(text, "poisson5/hybrid_rgba,64,160,32,1,1,together,80,"));
    double measured, predicted, ratio;
    assert_int_equal(
        sscanf(strstr(text, ",together,80,") + 13, "%lf,%lf,%lf,", &measured, &predicted, &ratio),
        3);
    assert_true(measured > 0.0 && fabs(ratio * measured / predicted - 1.0) < 1e-9);
    const char *best = strstr(text, "poisson5/hybrid_rgba,64,160,32,1,1,sweep,40,");
    assert_non_null(best);
    assert_non_null(strstr(best, ",1,1,line,line,"));
    assert_true(strstr(best, ",1,1,line,line,") < strchr(best, '\n'));
    assert_null(strstr(strchr(best, '\n'), ",1,1,line,line,"));
}

/* Two devices; more than two are predicted, and said to be: a step of the second takes 1 us a row,
 * an exchange 20 us. */
TEST(more_devices)
{
    static const char row[] = "poisson5/parts_cuda,64,160,8,1,1,not measured,";
    const char *at =
        fake_command(command_run, "model poisson5/parts_cuda --size 64x160 --iterations 8 --csv -");
    assert_non_null(strstr(at, "the second device being the faster"));
    assert_non_null(strstr(at, "4 devices: 0.08 ms a step, 2.00 times as fast as one; predicted"));
    for (int devices = 4; devices <= 16; devices *= 2) {
        int rows, told;
        double seconds;
        at = strstr(at, row);
        assert_non_null(at);
        at += strlen(row);
        assert_int_equal(
            sscanf(at, "%d,,%lf,,0,0,line,line,%*g,%*g,%*g,%*g,%d", &rows, &seconds, &told), 3);
        assert_int_equal(rows, 160 / devices);
        assert_float_equal(seconds, 1e-6 * rows + 2 * 2e-5, 1e-10);
        assert_int_equal(told, devices);
    }
    assert_null(strstr(at, row));
    assert_null(strstr(fake_command(command_run, "model poisson5/parts_cuda --size 64 --slow 2"),
                       " devices: "));
    assert_null(
        strstr(fake_command(command_run, "model poisson5/hybrid_rgba --size 64"), " devices: "));
}

TEST(ends, .teardown_func = restore)
{
    fake.failing = "poisson5/hybrid_rgba";
    fake_append(command_run, "model poisson5/hybrid_rgba poisson5/hybrid_cuda --size 64");
    fake.absent = "hybrid";
    fake_append(command_run, "model poisson5/hybrid_rgba --size 64 --require gl");
    fake.absent = "hybrid";
    fake_append(command_run, "model poisson5/hybrid_rgba --size 64 --csv -");
    fake.absent = "hybrid";
    fake_append(command_run, "model poisson5/hybrid_rgba --size 64 --picture m.svg");
    fake.interrupted = 2;
    fake_append(command_run, "model poisson5/hybrid_rgba --size 64");
    cmd_interrupted = 0;
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    fake_append(command_run, "model poisson5/hybrid_rgba --size 16 --repeats 1");
    fake_compare_all("model_ends");
}

/* Before anything runs. */
TEST(refusals, .teardown_func = restore)
{
    fake_append(command_run, "model poisson5/openmp");
    fake_append(command_run, "model poisson5/hybrid* --picture x.svg");
    fake_append(command_run, "model poisson5/hybrid_rgba --picture x.jpg");
    fake_append(command_run, "model poisson5/hybrid_rgba --size 15");
    fake_compare_all("model_refused");
}

static size_t draw(const char *name, char text[1 << 17])
{
    char line[160], path[96];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(line, sizeof line, "model poisson5/hybrid_rgba --size 160 --picture %s", path);
    assert_non_null(strstr(fake_command(command_run, line), "1 passed"));
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, (1 << 17) - 1, file);
    text[length] = '\0';
    fclose(file);
    return length;
}

TEST(pictures, .teardown_func = restore)
{
    static char text[1 << 17];
    assert_in_range(draw("x.svg", text), 1000, 20000);
    assert_non_null(strstr(text, "<svg"));
    assert_non_null(strstr(text, "</svg>"));
    assert_non_null(strstr(text, ">poisson5/openmp</text>"));
    assert_non_null(strstr(text, "dots as measured"));
    assert_non_null(strstr(text, "160 in all"));
}

static void all_commands(void)
{
    fake_command(command_run, "model poisson5/hybrid_rgba --size 64x160 --csv -");
    fake_command(command_run, "model poisson5/parts_cuda --size 64x160");
    fake.failing = "poisson5/hybrid_rgba";
    fake_command(command_run, "model poisson5/hybrid_rgba --size 64");
}

TEST(nothing_is_left)
{
    fake_leaves_nothing(all_commands);
}

GROUP(make_folder, remove_folder)
