/* SPDX-License-Identifier: MIT */
/* Splits that were learned: their files in the user's cache, and who asks for them. */
#include "lab/engines/parts/learned.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/files.h"
#include "support/support.h"

static const char row[] = "poisson5/hybrid_rgba";
static const struct qp_learned known = {
    .width = 300, .height = 200, .depth = 8, .split = 50, .seconds = 1.5e-3, .alone = {4e-3, 2e-3}};
static char folder[] = "/tmp/quadpass-learned-XXXXXX";

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

/* The one file of the cache. */
static void find(char path[256])
{
    char command[160];
    snprintf(command, sizeof command, "ls %s/quadpass/*", folder);
    FILE *list = popen(command, "r");
    assert_non_null(list);
    assert_non_null(fgets(path, 256, list));
    path[strcspn(path, "\n")] = '\0';
    char rest[256];
    assert_null(fgets(rest, sizeof rest, list));
    pclose(list);
}

static size_t read_whole(const char *path, char text[1024])
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, 1023, file);
    text[length] = '\0';
    fclose(file);
    return length;
}

static void write_part(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    fclose(file);
}

TEST(comes_back)
{
    struct qp_learned learned = {0};
    assert_false(qp_learned_read(NULL, row, &learned));
    assert_ok(qp_learned_write(NULL, row, &known));
    assert_true(qp_learned_read(NULL, row, &learned));
    assert_memory_equal(&learned, &known, sizeof known);
    assert_false(qp_learned_read(NULL, "poisson5/hybrid_fused4", &learned));
    struct qp_learned other = known;
    other.split = 0;
    assert_ok(qp_learned_write(NULL, row, &other));
    assert_true(qp_learned_read(NULL, row, &learned));
    assert_int_equal(learned.split, 0);
    assert_int_equal(qp_learned_rows(&known, 1000), 250);
    assert_int_equal(qp_learned_rows(&known, 3), 1);
    assert_int_equal(qp_learned_rows(&other, 1000), 0);
}

/* Files that are cut at every length, with each byte changed, with more after the end. */
TEST(damaged)
{
    char path[256], text[1024];
    struct qp_learned learned;
    assert_ok(qp_learned_write(NULL, row, &known));
    find(path);
    const size_t length = read_whole(path, text);
    for (size_t k = 0; k < length; k++) {
        write_part(path, text, k);
        assert_false(qp_learned_read(NULL, row, &learned));
    }
    for (size_t k = 0; k < length; k++) {
        text[k] ^= 1;
        write_part(path, text, length);
        assert_false(qp_learned_read(NULL, row, &learned));
        text[k] ^= 1;
    }
    strcpy(text + length, "x");
    write_part(path, text, length + 1);
    assert_false(qp_learned_read(NULL, row, &learned));
    write_part(path, text, length);
    assert_true(qp_learned_read(NULL, row, &learned));
}

/* Replaces the first `from` of the file by `to`, of the same length. */
static void assert_refused(const char *path, const char *from, const char *to)
{
    char text[1024];
    struct qp_learned learned;
    assert_ok(qp_learned_write(NULL, row, &known));
    const size_t length = read_whole(path, text);
    char *at = strstr(text, from);
    assert_non_null(at);
    memcpy(at, to, strlen(to));
    write_part(path, text, length);
    assert_false(qp_learned_read(NULL, row, &learned));
}

/* Another device's, another variant's, another version's, and numbers that cannot be. */
TEST(foreign)
{
    char path[256];
    find(path);
    assert_refused(path, "no device", "my device");
    assert_refused(path, "hybrid_rgba", "hybrid_grab");
    assert_refused(path, "tuned 2\n", "tuned 1\n");
    assert_refused(path, "tuned 2\n", "tuned 3\n");
    assert_refused(path, " split=50", " split=5e");
    assert_refused(path, "x200 ", "x010 ");
    assert_refused(path, "x200 ", "x-20 ");
    assert_refused(path, "1.500000e-03", "-.500000e-03");
}

/* A right hash is no secret: values that no split has are none, nor is what others can write, or a
 * pipe or link of that name. */
TEST(planted)
{
    struct qp_learned learned, wrong = known;
    char path[256], aside[300];
    wrong.height = 0;
    assert_ok(qp_learned_write(NULL, row, &wrong));
    assert_false(qp_learned_read(NULL, row, &learned));
    wrong = known;
    wrong.split = wrong.height + 1;
    assert_ok(qp_learned_write(NULL, row, &wrong));
    assert_false(qp_learned_read(NULL, row, &learned));
    assert_ok(qp_learned_write(NULL, row, &known));
    find(path);
    snprintf(aside, sizeof aside, "%s/aside", folder);
    assert_int_equal(chmod(path, 0666), 0);
    assert_false(qp_learned_read(NULL, row, &learned));
    assert_int_equal(chmod(path, 0600), 0);
    assert_true(qp_learned_read(NULL, row, &learned));
    *strrchr(path, '/') = '\0';
    assert_int_equal(chmod(path, 0777), 0);
    assert_false(qp_learned_read(NULL, row, &learned));
    assert_int_equal(qp_learned_write(NULL, row, &known), QP_BAD_INPUT);
    support_assert_sentence("can be written by others");
    assert_int_equal(chmod(path, 0700), 0);
    find(path);
    assert_int_equal(rename(path, aside), 0);
    assert_int_equal(symlink("../aside", path), 0);
    assert_false(qp_learned_read(NULL, row, &learned));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(qp_learned_read(NULL, row, &learned)); /* and does not wait */
    assert_int_equal(unlink(path), 0);
}

/* Folders nearly as long as paths may be, on both sides of it. */
TEST(long_paths)
{
    struct qp_learned learned;
    char cache[PATH_MAX + 8];
    for (int length = PATH_MAX - 300; length < PATH_MAX + 4; length++) {
        memset(cache, 'a', (size_t)length);
        for (int k = 0; k < length; k += 100)
            cache[k] = '/';
        cache[length] = '\0';
        setenv("XDG_CACHE_HOME", cache, 1);
        assert_false(qp_learned_read(NULL, row, &learned));
        assert_int_equal(qp_learned_write(NULL, row, &known), QP_BAD_INPUT);
    }
    setenv("XDG_CACHE_HOME", folder, 1);
}

/* Without a folder that can be made the sentence says why; nothing is read. */
TEST(nowhere)
{
    struct qp_learned learned;
    char file[64], home[64];
    snprintf(file, sizeof file, "%s/file", folder);
    write_part(file, "x", 1);
    setenv("XDG_CACHE_HOME", file, 1);
    assert_int_equal(qp_learned_write(NULL, row, &known), QP_BAD_INPUT);
    support_assert_sentence("Not a directory");
    assert_false(qp_learned_read(NULL, row, &learned));
    setenv("XDG_CACHE_HOME", "not/absolute", 1);
    snprintf(home, sizeof home, "%s/home", folder);
    mkdir(home, 0700);
    const char *kept = getenv("HOME");
    setenv("HOME", home, 1);
    assert_ok(qp_learned_write(NULL, row, &known));
    assert_true(qp_learned_read(NULL, row, &learned));
    strcat(home, "/.cache/quadpass");
    assert_int_equal(access(home, R_OK), 0);
    unsetenv("HOME");
    assert_int_equal(qp_learned_write(NULL, row, &known), QP_BAD_INPUT);
    support_assert_sentence("neither XDG_CACHE_HOME nor HOME");
    if (kept != NULL)
        setenv("HOME", kept, 1);
    setenv("XDG_CACHE_HOME", folder, 1);
}

/* The rows of the lower part in a walk. */
static int split_in_walk(struct qp_context *context, int split)
{
    struct qp_problem problem;
    struct qp_result result;
    const struct qp_problem_desc desc = {
        .op = "poisson5", .kind = "sine", .width = 40, .height = 80};
    const struct qp_walk_desc walk = {.iterations = 5, .parts = {.split = split}};
    assert_ok(qp_problem_create(&desc, &problem));
    assert_ok(qp_walk(context, qp_variant_find(row), &problem, &walk, &result));
    assert_int_equal(result.verdict, QP_PASS);
    qp_problem_destroy(&problem);
    return result.parts.split;
}

static int clean_and_close(void **state)
{
    support_check_clean(state);
    return support_close_context(state);
}

/* A walk takes the learned split, unless it gets its own; without that, half. */
TEST(asked_by_walks, .setup_func = support_open_context, .teardown_func = clean_and_close)
{
    struct qp_context *context = support_need_context(state);
    struct qp_learned all = known;
    char path[256];
    all.split = all.height;
    assert_int_equal(split_in_walk(context, 0), 40);
    assert_ok(qp_learned_write(context, row, &known));
    assert_int_equal(split_in_walk(context, 0), 20);
    assert_int_equal(split_in_walk(context, 30), 30);
    assert_ok(qp_learned_write(context, row, &all));
    assert_int_equal(split_in_walk(context, 0), 80);
    all.split = 0;
    assert_ok(qp_learned_write(context, row, &all));
    assert_int_equal(split_in_walk(context, 0), -1);
    snprintf(path, sizeof path, "rm -r %s/quadpass", folder);
    assert_int_equal(system(path), 0);
}

GROUP(make_folder, remove_folder)
