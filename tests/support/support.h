/* SPDX-License-Identifier: MIT */
/* Helpers of all tests. Each file of tests is one layer or one promise. */
#ifndef QP_TESTS_SUPPORT_H
#define QP_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <quadpass/quadpass.h>

/* Elements of an array. */
#define COUNT(table) ((int)(sizeof(table) / sizeof(table)[0]))

/* A test: TEST(name) { ... }, a function of cmocka's void **state that registers itself. It may
 * name a set-up or a tear-down of its own: TEST(name, .setup_func = f, .teardown_func = g). All
 * tests of a folder are one program (tests/support/main.c), but for files that answer functions
 * in the place of others: a line `wrap:` or `own program:` gives them one of their own. */
#define TEST(...) TEST_(__VA_ARGS__, )
#define TEST_(test, ...)            \
    static void test(void **state); \
    ADD_TEST_(test, __VA_ARGS__)    \
    static void test(__attribute__((unused)) void **state)

/* Registers a test that is a function of tests/support. */
#define ADD_TEST(...) ADD_TEST_(__VA_ARGS__, )
#define ADD_TEST_(test, ...)                                                      \
    __attribute__((constructor)) static void add_##test(void)                     \
    {                                                                             \
        static struct support_test entry = {                                      \
            __FILE__, __LINE__, {.name = #test, .test_func = test, __VA_ARGS__}}; \
        support_add_test(&entry);                                                 \
    }

/* A test after which GL's error state is clean and no GL object of a run is alive. */
#define CLEAN_TEST(test) TEST(test, .teardown_func = support_check_clean)

/* Before the first and after the last test of a file, as cmocka's groups have it. A file with
 * several groups runs its tests once in each. */
#define GROUP(set_up, tear_down)                                                           \
    __attribute__((constructor)) static void add_##set_up##_##tear_down(void)              \
    {                                                                                      \
        static struct support_group group = {__FILE__, __LINE__, set_up, tear_down, NULL}; \
        support_add_group(&group);                                                         \
    }

/* SCENE(name) { ... }: what the program does where a test starts it again with the word `name`. It
 * has the words after it, up to NULL, and answers the exit code. */
#define SCENE(scene)                                               \
    static int scene(char **words);                                \
    __attribute__((constructor)) static void add_##scene(void)     \
    {                                                              \
        static struct support_scene entry = {#scene, scene, NULL}; \
        support_add_scene(&entry);                                 \
    }                                                              \
    static int scene(__attribute__((unused)) char **words)

struct support_test {
    const char *file;
    int line;
    struct CMUnitTest test;
};
struct support_group {
    const char *file;
    int line;
    CMFixtureFunction set_up, tear_down;
    struct support_group *next;
};
struct support_scene {
    const char *name;
    int (*play)(char **words);
    struct support_scene *next;
};
void support_add_test(struct support_test *test);
void support_add_group(struct support_group *group);
void support_add_scene(struct support_scene *scene);

/* Group set-up: the library has its opponents. */
int support_lend(void **state);

/* Group set-up and tear-down: *state is a struct qp_context, or NULL where no device can be had;
 * then tests that need one call support_need_context and are skipped by name, or fail with
 * REQUIRE=gl. */
int support_open_context(void **state);
int support_close_context(void **state);

/* The context of this group; skips the test if there is none. */
struct qp_context *support_need_context(void **state);

/* True if REQUIRE names this kind: gl, cuda, blas. */
bool support_is_required(const char *kind);

/* Skips the test for what is not here, and the library's last sentence says so; fails it if that is
 * required. */
void support_skip(const char *kind);

/* False in a build without CUDA. */
bool support_has_cuda(void);

/* Skips the test if CUDA's answer is a refusal, or fails it with REQUIRE=cuda. */
void support_need_cuda(enum qp_status answer);

/* The tear-down of CLEAN_TEST. */
int support_check_clean(void **state);

/* assert_true with the library's sentence on failure. */
#define assert_ok(status) support_assert_ok((status), #status, __FILE__, __LINE__)
void support_assert_ok(enum qp_status status, const char *text, const char *file, int line);

/* A square matrix as an array file gives it, of zeros or of random values from -1 to 1; and a place
 * in it. */
struct qp_market support_dense(int rows);
struct qp_market support_random_dense(int rows, uint64_t seed);
double *support_entry(const struct qp_market *a, int row, int column);

/* False for a variant that calls a library this build lacks, or needs CUDA where there is none:
 * then the sentence says so. With REQUIRE=cuda the latter fails the test. */
bool support_is_built(const struct qp_variant *variant);

/* True with LONG=1: what takes long and rarely finds anything runs too, by hand and before a
 * release. */
bool support_takes_long(void);

/* True if a test's case number k, from 0 on, is to run: one in `one_in`, with LONG=1 all. For a
 * product of several things let k be the sum of their numbers, so that each of them comes with
 * others. */
bool support_takes(int k, int one_in);

/* A problem of a dozen columns that the variant takes; false if it takes none. Programs of a batch
 * hold all its unknowns, so a dozen would take seconds to compile: it gets 5. */
bool support_small_problem(const struct qp_variant *variant, struct qp_problem *out);

/* False for a variant that shares textures with CUDA, where CUDA does not have the context's
 * device; then the sentence says so. */
bool support_can_share(struct qp_context *context, const struct qp_variant *variant);

/* The sentence of the last failure must hold these words. */
void support_assert_sentence(const char *words);

#endif
