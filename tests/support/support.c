/* SPDX-License-Identifier: MIT */
#include "support/support.h"

#include <stdlib.h>
#include <string.h>

#include <quadpass/cuda.h>

#include "lab/baseline/baseline.h"
#include "lab/engines/engines.h"
#include "lab/engines/parts/parts.h"
#include "lab/engines/shared.h"
#include "lab/plan/op.h"
#include "toolkit/base/random.h"
#include "toolkit/cuda/streams.h"
#include "toolkit/gl/context/context.h"

/* Sets a cache folder for tests: what `quadpass model` has learned on this device is the user's,
 * and tests that learn have a folder of their own. Shaders are the library's. */
__attribute__((constructor)) static void leave_user_alone(void)
{
    setenv("XDG_CACHE_HOME", QP_BUILD_DIR "/tests/cache", 1);
    unsetenv("QUADPASS_SHADER_DIR");
}

int support_lend(void **state)
{
    (void)state;
    baseline_lend();
    return 0;
}

int support_open_context(void **state)
{
    struct qp_context *context = NULL;
    if (qp_context_create(NULL, &context) != QP_OK)
        print_message("no OpenGL here: %s\n", qp_error());
    *state = context;
    return 0;
}

int support_close_context(void **state)
{
    struct qp_context *context = *state;
    qp_context_destroy(&context);
    *state = NULL;
    return 0;
}

bool support_is_required(const char *kind)
{
    const char *required = getenv("REQUIRE");
    return required != NULL && strstr(required, kind) != NULL;
}

void support_skip(const char *kind)
{
    if (support_is_required(kind))
        fail_msg("REQUIRE=%s, but: %s", kind, qp_error());
    print_message("skipped: %s\n", qp_error());
    skip();
}

bool support_has_cuda(void)
{
    return qp_cuda_look(-1) == QP_OK || strcmp(qp_error(), "built without CUDA") != 0;
}

struct qp_context *support_need_context(void **state)
{
    if (*state == NULL && support_is_required("gl"))
        fail_msg("REQUIRE=gl, but there is no OpenGL here");
    if (*state == NULL)
        skip();
    return *state;
}

void support_need_cuda(enum qp_status answer)
{
    if (answer != QP_OK)
        support_skip("cuda");
}

int support_check_clean(void **state)
{
    struct qp_context *context = *state;
    if (context == NULL)
        return 0;
    assert_int_equal(qp_context_enter(context), QP_OK);
    assert_int_equal(glGetError(), GL_NO_ERROR);
    assert_int_equal(qp_context_counters(context).live_objects, 0);
    assert_int_equal(qp_context_counters(context).shared_objects, 0);
    assert_int_equal(qp_cuda_live_blocks() + qp_cuda_live_streams(), 0);
    return 0;
}

struct qp_market support_dense(int rows)
{
    size_t count = (size_t)rows * (size_t)rows;
    struct qp_market a = {rows, rows, count, true, NULL, NULL, calloc(count, sizeof(double))};
    assert_non_null(a.value);
    return a;
}

struct qp_market support_random_dense(int rows, uint64_t seed)
{
    struct qp_market a = support_dense(rows);
    for (size_t k = 0; k < a.count; k++)
        a.value[k] = qp_random(&seed, -1.0, 1.0);
    return a;
}

double *support_entry(const struct qp_market *a, int row, int column)
{
    return &a->value[column * a->rows + row];
}

bool support_takes_long(void)
{
    const char *wanted = getenv("LONG");
    return wanted != NULL && strcmp(wanted, "1") == 0;
}

bool support_takes(int k, int one_in)
{
    return k % one_in == 0 || support_takes_long();
}

bool support_small_problem(const struct qp_variant *variant, struct qp_problem *out)
{
    const bool batch = strcmp(variant->op, "gauss_jordan_batch") == 0,
               one = strcmp(variant->op, "gauss_jordan") == 0;
    const struct qp_problem_desc desc = {.op = variant->op,
                                         .width = batch ? 5 : 12,
                                         .height = batch ? 3
                                                   : one ? 12
                                                         : 9,
                                         .seed = 1,
                                         .systems = qp_variant_systems(variant)};
    assert_ok(qp_problem_create(&desc, out));
    if (qp_variant_takes(variant, out) == QP_OK)
        return true;
    qp_problem_destroy(out);
    return false;
}

/* How a variant in parts cuts the grid; NULL for others. */
static const struct qp_parts_variant *parts_of(const struct qp_variant *variant)
{
    return variant->recipe->engine == &qp_engine_parts ? variant->recipe->own : NULL;
}

static bool uses_cuda(const struct qp_variant *variant)
{
    const struct qp_parts_variant *parts = parts_of(variant);
    bool uses = variant->backend == QP_CUDA;
    for (int k = 0; parts != NULL && k < 2 && parts->runs[k].name != NULL; k++)
        uses |= qp_parts_run(parts, k)->backend == QP_CUDA;
    return uses;
}

static bool lacks_link(const struct qp_variant *variant)
{
    const struct qp_parts_variant *parts = parts_of(variant);
    if (parts == NULL || parts->link == NULL || parts->link->open != NULL)
        return false;
    qp_fail(QP_UNSUPPORTED, "built without %s", parts->link->library);
    return true;
}

bool support_is_built(const struct qp_variant *variant)
{
    baseline_lend();
    if (uses_cuda(variant) && qp_cuda_look(-1) != QP_OK) {
        if (support_is_required("cuda"))
            fail_msg("REQUIRE=cuda, but: %s", qp_error());
        return false;
    }
    if (lacks_link(variant))
        return false;
    return qp_variant_library(variant) == NULL || qp_recipe_sweep(variant->recipe) != NULL ||
           qp_recipe_kernel(variant->recipe) != NULL;
}

bool support_can_share(struct qp_context *context, const struct qp_variant *variant)
{
    return qp_sharing_of(variant->recipe) == QP_UNSHARED || qp_cuda_use(context, NULL) == QP_OK;
}

void support_assert_ok(enum qp_status status, const char *text, const char *file, int line)
{
    if (status != QP_OK)
        print_error("%s: %s\n", text, qp_error());
    _assert_int_equal((uintmax_t)status, QP_OK, file, line);
}

void support_assert_sentence(const char *words)
{
    if (strstr(qp_error(), words) == NULL)
        fail_msg("the sentence '%s' does not say '%s'", qp_error(), words);
}
