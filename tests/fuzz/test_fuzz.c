/* SPDX-License-Identifier: MIT */
/* The fuzz targets without a fuzzer: every committed input, every beginning of those that were
 * written by hand, and the corpora that fuzzing has gathered (make fuzz goes on from them). */
#include "support/support.h"

#include <fcntl.h>
#include <glob.h>
#include <unistd.h>

#include "fuzz/fuzz.h"

enum { MOST_BYTES = 8192 };

/* Hands all files that match to the target, whole or also cut off at every place. */
static void replay_files(const char *pattern, size_t least, bool cut,
                         void (*target)(const uint8_t *, size_t))
{
    static uint8_t bytes[MOST_BYTES];
    glob_t found;
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= least);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        FILE *file = fopen(found.gl_pathv[i], "rb");
        assert_non_null(file);
        size_t size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        for (size_t length = cut ? 0 : size; length <= size; length++)
            target(bytes, length);
    }
    globfree(&found);
}

static void replay(const char *pattern, size_t least, void (*target)(const uint8_t *, size_t))
{
    replay_files(pattern, least, true, target);
}

#define REPLAY_CORPUS(name) \
    replay_files(QP_SOURCE_DIR "/tests/fuzz/corpus/" #name "/*", 20, false, fuzz_##name)

static void market(void **state)
{
    (void)state;
    replay(QP_SOURCE_DIR "/tests/fuzz/market/*", 10, fuzz_market);
    replay(QP_SOURCE_DIR "/tests/io/market/*.mtx", 70, fuzz_market);
    REPLAY_CORPUS(market);
}

static void npy(void **state)
{
    (void)state;
    replay(QP_SOURCE_DIR "/tests/fuzz/npy/*", 6, fuzz_npy);
    REPLAY_CORPUS(npy);
}

static void png(void **state)
{
    (void)state;
    replay(QP_SOURCE_DIR "/tests/fuzz/png/*", 6, fuzz_png);
    REPLAY_CORPUS(png);
}

static void glsl(void **state)
{
    (void)state;
    replay(QP_SOURCE_DIR "/tests/fuzz/glsl/*", 4, fuzz_glsl);
    REPLAY_CORPUS(glsl);
}

static void kernel_file(void **state)
{
    (void)state;
    replay(QP_SOURCE_DIR "/tests/fuzz/kernel_file/*", 2, fuzz_kernel_file);
    replay(QP_SOURCE_DIR "/tests/kernels/*.frag", 12, fuzz_kernel_file);
    REPLAY_CORPUS(kernel_file);
}

static void conf(void **state)
{
    (void)state;
    replay(QP_SOURCE_DIR "/tests/fuzz/conf/*", 2, fuzz_conf);
    REPLAY_CORPUS(conf);
}

static void kernel(void **state)
{
    (void)state;
    replay(QP_SOURCE_DIR "/tests/fuzz/kernel/*", 2, fuzz_kernel);
    REPLAY_CORPUS(kernel);
}

static void checkpoint(void **state)
{
    (void)state;
    replay(QP_SOURCE_DIR "/tests/fuzz/checkpoint/*", 5, fuzz_checkpoint);
    REPLAY_CORPUS(checkpoint);
}

/* Help and refusals are printed: not here. A broken promise ends the program with a signal. */
static void options(void **state)
{
    (void)state;
    int nowhere = open("/dev/null", O_WRONLY), kept[2] = {dup(1), dup(2)};
    fflush(stdout);
    dup2(nowhere, 1);
    dup2(nowhere, 2);
    replay(QP_SOURCE_DIR "/tests/fuzz/options/*", 8, fuzz_options);
    REPLAY_CORPUS(options);
    fflush(stdout);
    for (int i = 0; i < 2; i++) {
        dup2(kept[i], 1 + i);
        close(kept[i]);
    }
    close(nowhere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(market), cmocka_unit_test(npy),         cmocka_unit_test(png),
        cmocka_unit_test(glsl),   cmocka_unit_test(kernel_file), cmocka_unit_test(conf),
        cmocka_unit_test(kernel), cmocka_unit_test(checkpoint),  cmocka_unit_test(options)};
    unsetenv("QUADPASS_REQUIRE"); /* options are read together with it */
    return cmocka_run_group_tests_name("fuzz", tests, NULL, NULL);
}
