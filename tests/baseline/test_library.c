/* SPDX-License-Identifier: MIT */
/* Libraries that are looked for when a variant runs: the first file that is there is taken, and a
 * missing function is named. The C library's own files take the place of CUDA's. */
#include "support/support.h"

#include "lab/baseline/library.h"

struct functions {
    double (*cosine)(double);
    double (*sine)(double);
};

static const struct baseline_function two[] = {{"cos", offsetof(struct functions, cosine)},
                                               {"sin", offsetof(struct functions, sine)},
                                               {NULL, 0}};

static enum qp_status load(const char *const *files, const struct baseline_function *functions,
                           struct functions *out)
{
    const struct baseline_library library = {
        .title = "mathematics", .files = files, .functions = functions};
    return baseline_load(&library, out);
}

TEST(the_first_that_is_there)
{
    static const char *const files[] = {"libquadpass_none.so.7", "libm.so.6", "libc.so.6", NULL};
    struct functions call = {NULL, NULL};
    assert_ok(load(files, two, &call));
    assert_true(call.cosine(0.0) == 1.0 && call.sine(0.0) == 0.0);
}

TEST(what_was_looked_for)
{
    static const char *const files[] = {"libquadpass_none.so.7", "libquadpass_none.so", NULL};
    struct functions call = {NULL, NULL};
    assert_int_equal(load(files, two, &call), QP_UNSUPPORTED);
    support_assert_sentence("found no mathematics (looked for libquadpass_none.so.7, "
                            "libquadpass_none.so); install it");
    assert_true(call.cosine == NULL && call.sine == NULL);
}

TEST(which_function_is_missing)
{
    static const char *const files[] = {"libc.so.6", "libm.so.6", NULL};
    static const struct baseline_function none[] = {
        {"quadpass_none", offsetof(struct functions, cosine)}, {NULL, 0}};
    struct functions call;
    assert_int_equal(load(files, none, &call), QP_UNSUPPORTED);
    support_assert_sentence("libc.so.6 has no quadpass_none; install another mathematics");
}
