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

TEST(market)
{
    replay(QP_SOURCE_DIR "/tests/fuzz/market/*", 10, fuzz_market);
    replay(QP_SOURCE_DIR "/tests/io/market/*.mtx", 70, fuzz_market);
    REPLAY_CORPUS(market);
}

TEST(npy)
{
    replay(QP_SOURCE_DIR "/tests/fuzz/npy/*", 6, fuzz_npy);
    REPLAY_CORPUS(npy);
}

TEST(png)
{
    replay(QP_SOURCE_DIR "/tests/fuzz/png/*", 6, fuzz_png);
    REPLAY_CORPUS(png);
}

TEST(glsl)
{
    replay(QP_SOURCE_DIR "/tests/fuzz/glsl/*", 4, fuzz_glsl);
    REPLAY_CORPUS(glsl);
}

TEST(kernel_file)
{
    replay(QP_SOURCE_DIR "/tests/fuzz/kernel_file/*", 2, fuzz_kernel_file);
    replay(QP_SOURCE_DIR "/tests/kernels/*.frag", 12, fuzz_kernel_file);
    REPLAY_CORPUS(kernel_file);
}

TEST(conf)
{
    replay(QP_SOURCE_DIR "/tests/fuzz/conf/*", 2, fuzz_conf);
    REPLAY_CORPUS(conf);
}

TEST(kernel)
{
    replay(QP_SOURCE_DIR "/tests/fuzz/kernel/*", 2, fuzz_kernel);
    REPLAY_CORPUS(kernel);
}

TEST(checkpoint)
{
    replay(QP_SOURCE_DIR "/tests/fuzz/checkpoint/*", 5, fuzz_checkpoint);
    REPLAY_CORPUS(checkpoint);
}

/* Help and refusals are printed: not here. A broken promise ends the program with a signal. */
TEST(options)
{
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

/* Options are read together with it. */
static int forget_requirement(void **state)
{
    (void)state;
    return unsetenv("QUADPASS_REQUIRE");
}

GROUP(forget_requirement, NULL)
