/* SPDX-License-Identifier: MIT */
/* Clocks of NVIDIA's GPUs, as a library that is made up reports them (support/fake_nvml.c): which
 * GPU is asked, by CUDA's place on the bus and by OpenGL's identity. */
/* wrap: qp_cuda_bus qp_gl_uuid */
#include "support/support.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "lab/engines/nvml.h"
#include "toolkit/gl/context/context.h"

bool __wrap_qp_cuda_bus(int ordinal, char *text, int size);
bool __wrap_qp_gl_uuid(const struct qp_context *context, unsigned char uuid[16]);

/* CUDA's devices 0 to 2: NVML knows the second place alone, and the third has none. */
bool __wrap_qp_cuda_bus(int ordinal, char *text, int size)
{
    snprintf(text, (size_t)size, "0000:%s:00.0", ordinal == 1 ? "65" : "17");
    return ordinal < 2;
}

static int identity; /* first byte of OpenGL's device's identity; below 0: none is reported */

bool __wrap_qp_gl_uuid(const struct qp_context *context, unsigned char uuid[16])
{
    (void)context;
    for (int i = 0; i < 16; i++)
        uuid[i] = (unsigned char)(0x11 * i);
    uuid[0] = (unsigned char)identity;
    return identity >= 0;
}

/* The clock that is read; 0: none is. */
static double read_clock(struct qp_context *context, enum qp_backend backend, unsigned *reasons)
{
    double mhz = -1.0;
    *reasons = 77;
    const bool good = qp_nvml_read(context, backend, &mhz, reasons);
    assert_true(good || (mhz == -1.0 && *reasons == 77));
    return good ? mhz : 0.0;
}

TEST(cuda_is_found_by_its_bus)
{
    struct qp_context context = {.device = {.vendor = "Mesa", .cuda_device = 1}};
    unsigned reasons;
    assert_true(read_clock(&context, QP_CUDA, &reasons) == 2010.0); /* SM: kind 1 */
    assert_int_equal(reasons, 1 << 1 | 1 << 5);
    assert_string_equal(qp_throttle_name(1), "power cap");
    assert_string_equal(qp_throttle_name(5), "hardware thermal");
    context.device.cuda_device = 2;
    assert_true(read_clock(&context, QP_CUDA, &reasons) == 0.0);
    context.device.cuda_device = -1; /* the first, which NVML does not find */
    assert_true(read_clock(&context, QP_CUDA, &reasons) == 0.0);
    assert_true(read_clock(NULL, QP_CUDA, &reasons) == 0.0);
}

TEST(opengl_is_found_by_its_identity)
{
    struct qp_context context = {.device = {.vendor = "NVIDIA Corporation", .cuda_device = 1}};
    unsigned reasons;
    identity = 0;
    assert_true(read_clock(&context, QP_GL, &reasons) == 2010.0);
    identity = 1; /* nobody's, or none: it might be either of two */
    assert_true(read_clock(&context, QP_GL, &reasons) == 0.0);
    identity = -1;
    assert_true(read_clock(&context, QP_GL, &reasons) == 0.0);
    setenv("FAKE_NVML", "one", 1);
    assert_true(read_clock(&context, QP_GL, &reasons) == 1010.0);
    assert_int_equal(reasons, 0); /* idle is no reason */
    context.device.vendor = "Mesa";
    assert_true(read_clock(&context, QP_GL, &reasons) == 0.0);
    assert_true(read_clock(NULL, QP_GL, &reasons) == 0.0);
    unsetenv("FAKE_NVML");
}

TEST(others_have_no_clock)
{
    struct qp_context context = {.device = {.vendor = "NVIDIA Corporation", .cuda_device = 1}};
    unsigned reasons;
    assert_true(read_clock(&context, QP_CPU, &reasons) == 0.0);
    assert_true(read_clock(&context, QP_MPI, &reasons) == 0.0);
}

/* Runs itself once more where the loader finds the library that is made up. */
/* The library asks for NVIDIA's by its name, which this one has. */
static int open_fake(void **state)
{
    (void)state;
    return dlopen(QP_BUILD_DIR "/tests/fake_nvml/libnvidia-ml.so.1", RTLD_NOW) != NULL ? 0 : -1;
}

GROUP(open_fake, NULL)
