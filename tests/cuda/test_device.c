/* SPDX-License-Identifier: MIT */
/* The CUDA device: memory and copies where there is one, a sentence for each way that there is
 * none, and for what goes wrong on it. */
#include "support/shell.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/engines/change_kernels.h"
#include "toolkit/cuda/device.h"

/* ---- Without a device ---- */

#define OLD_DRIVER \
    "QUADPASS_REQUIRE= LD_LIBRARY_PATH=" QP_BUILD_DIR "/tests/old_driver:$LD_LIBRARY_PATH"

/* Each variant of the table is listed, and skipped with the reason. */
static void check_reason(const char *environment, const char *reason)
{
    char command[512];
    snprintf(command, sizeof command, "%s quadpass check jacobi9/cuda_simple", environment);
    expect(command, 0, reason);
    assert_non_null(strstr(output, "0 passed, 0 failed, 1 skipped"));
    snprintf(command, sizeof command, "%s quadpass check --require cuda jacobi9/cuda_simple",
             environment);
    expect(command, 1, reason);
    assert_non_null(strstr(output, "0 passed, 1 failed, 0 skipped"));
}

TEST(drivers_that_are_no_good)
{
    if (!support_has_cuda()) {
        check_reason("QUADPASS_REQUIRE=", "built without CUDA");
        return;
    }
    check_reason(OLD_DRIVER, "the NVIDIA driver knows CUDA 11.4 and this library was built with ");
    check_reason("FAKE_CUDA=empty " OLD_DRIVER, "no CUDA device here");
}

TEST(opening_what_is_not_there)
{
    struct qp_cuda *cuda = (struct qp_cuda *)state;
    assert_int_equal(qp_cuda_look(1000), QP_UNSUPPORTED);
    assert_int_equal(qp_cuda_open(1000, &cuda), QP_UNSUPPORTED);
    assert_null(cuda);
    assert_true(strlen(qp_error()) > 10);
    qp_cuda_close(&cuda);
    qp_cuda_close(NULL);
    qp_cuda_free(NULL, NULL);
    assert_int_equal(qp_cuda_live_blocks(), 0);
}

/* ---- With one ---- */

static struct qp_cuda *need_cuda(void)
{
    struct qp_cuda *cuda = NULL;
    support_need_cuda(qp_cuda_open(-1, &cuda));
    return cuda;
}

TEST(attributes)
{
    struct qp_cuda *cuda = need_cuda();
    assert_true(cuda->name[0] != '\0' && cuda->major >= 5 && cuda->multiprocessors > 0);
    assert_true(cuda->threads >= 1024 && cuda->shared_bytes >= 49152 && cuda->l2_bytes > 0);
    assert_true(cuda->clock_khz > 0 && cuda->memory_clock_khz > 0 && cuda->memory_bus_bits >= 64);
    assert_true(cuda->memory_bytes > 1u << 28 && cuda->driver >= cuda->runtime / 1000 * 1000);
    qp_cuda_close(&cuda);
    assert_null(cuda);
}

TEST(memory_and_copies)
{
    struct qp_cuda *cuda = need_cuda();
    float there[1000], back[1000] = {0};
    void *block = NULL, *other = NULL;
    for (int i = 0; i < 1000; i++)
        there[i] = (float)i - 0.5f;
    assert_ok(qp_cuda_allocate(cuda, sizeof there, "a block", &block));
    assert_int_equal((uintptr_t)block % 256, 0);
    assert_int_equal(qp_cuda_live_blocks(), 1);
    assert_ok(qp_cuda_upload(cuda, block, there, sizeof there));
    assert_ok(qp_cuda_download(cuda, back, block, sizeof back));
    assert_memory_equal(there, back, sizeof there);
    assert_int_equal(qp_cuda_allocate(cuda, (size_t)1 << 50, "a giant", &other), QP_NO_MEMORY);
    assert_null(other);
    support_assert_sentence("a giant: 1.13e+06 GB are needed and the device has ");
    qp_cuda_free(cuda, block);
    assert_int_equal(qp_cuda_live_blocks(), 0);
    assert_ok(qp_cuda_wait(cuda)); /* the refusal left no error */
    qp_cuda_close(&cuda);
}

/* sum s^2 (after - before)^2 along rows with gaps between them, in float and in double. */
static void check_change(struct qp_cuda *cuda, bool wide)
{
    enum { WIDTH = 37, HEIGHT = 11, PITCH = 41, COUNT_ALL = PITCH * HEIGHT };
    const size_t bytes = COUNT_ALL * (wide ? sizeof(double) : sizeof(float));
    double value[3][COUNT_ALL], sum[HEIGHT] = {0}, got[HEIGHT];
    float narrow[3][COUNT_ALL];
    void *array[4];
    for (int k = 0; k < 3 * COUNT_ALL; k++) {
        int at = k % COUNT_ALL;
        value[k / COUNT_ALL][at] = at % PITCH < WIDTH ? k % 101 * 0.25 - 7.0 : NAN;
        narrow[k / COUNT_ALL][at] = (float)value[k / COUNT_ALL][at];
    }
    for (int k = 0; k < COUNT_ALL; k++) {
        double residual = value[2][k] * (value[1][k] - value[0][k]);
        sum[k / PITCH] += k % PITCH < WIDTH ? residual * residual : 0.0;
    }
    for (int k = 0; k < 4; k++)
        assert_ok(qp_cuda_allocate(cuda, k < 3 ? bytes : sizeof got, "an array", &array[k]));
    for (int k = 0; k < 3; k++)
        assert_ok(
            qp_cuda_upload(cuda, array[k], wide ? (void *)value[k] : (void *)narrow[k], bytes));
    struct qp_launch launch = {.answer_width = WIDTH,
                               .answer_height = HEIGHT,
                               .pitch = PITCH,
                               .kind = wide,
                               .x = array[0],
                               .out = array[1],
                               .input = {array[2]},
                               .scratch = array[3],
                               .cuda = cuda};
    assert_ok(qp_kernel_change.launch(&launch));
    assert_ok(qp_cuda_download(cuda, got, array[3], sizeof got));
    for (int y = 0; y < HEIGHT; y++)
        assert_true(fabs(got[y] - sum[y]) <= 1e-12 * sum[y]);
    for (int k = 0; k < 4; k++)
        qp_cuda_free(cuda, array[k]);
}

TEST(changes)
{
    struct qp_cuda *cuda = need_cuda();
    check_change(cuda, false);
    check_change(cuda, true);
    qp_cuda_close(&cuda);
}

/* Refusals by CUDA are reported, and leave the device usable. */
TEST(refusals_are_told)
{
    struct qp_cuda *cuda = need_cuda();
    float value = 1.0f;
    assert_int_equal(qp_cuda_upload(cuda, NULL, &value, sizeof value), QP_DEVICE);
    support_assert_sentence("CUDA could not copy to the device: ");
    assert_ok(qp_cuda_check_launch("nothing"));
    assert_ok(qp_cuda_wait(cuda));
    check_change(cuda, false);
    qp_cuda_close(&cuda);
}

GROUP(make_folder, remove_folder)
