/* SPDX-License-Identifier: MIT */
/* The fuzz targets without a fuzzer: every committed input, and every beginning of each. */
#include "support/support.h"

#include <fcntl.h>
#include <glob.h>
#include <unistd.h>

#include "fuzz/fuzz.h"

enum { MOST_BYTES = 8192 };

/* Hands all files that match to the target, cut off at every place. */
static void replay(const char *pattern, size_t least, void (*target)(const uint8_t *, size_t))
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
        for (size_t length = 0; length <= size; length++)
            target(bytes, length);
    }
    globfree(&found);
}

static void market(void **state)
{
    (void)state;
    replay(QP_SOURCE_DIR "/tests/fuzz/market/*", 10, fuzz_market);
    replay(QP_SOURCE_DIR "/tests/io/market/*.mtx", 70, fuzz_market);
}

static void npy(void **state)
{
    (void)state;
    replay(QP_SOURCE_DIR "/tests/fuzz/npy/*", 6, fuzz_npy);
}

static void png(void **state)
{
    (void)state;
    replay(QP_SOURCE_DIR "/tests/fuzz/png/*", 6, fuzz_png);
}

static void glsl(void **state)
{
    (void)state;
    replay(QP_SOURCE_DIR "/tests/fuzz/glsl/*", 4, fuzz_glsl);
}

static void kernel(void **state)
{
    (void)state;
    replay(QP_SOURCE_DIR "/tests/fuzz/kernel/*", 2, fuzz_kernel);
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
    fflush(stdout);
    for (int i = 0; i < 2; i++) {
        dup2(kept[i], 1 + i);
        close(kept[i]);
    }
    close(nowhere);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(market), cmocka_unit_test(npy),
                                       cmocka_unit_test(png),    cmocka_unit_test(glsl),
                                       cmocka_unit_test(kernel), cmocka_unit_test(options)};
    unsetenv("QUADPASS_REQUIRE"); /* options are read together with it */
    return cmocka_run_group_tests_name("fuzz", tests, NULL, NULL);
}
