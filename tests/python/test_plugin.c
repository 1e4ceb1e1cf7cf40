/* SPDX-License-Identifier: MIT */
/* The plugin for pytest (python/pytest_quadpass.py): what passes and fails with it, with moderngl
 * and without, and what is said where there is no OpenGL; its structs and numbers are the
 * library's. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "support/shell.h"

#define PLUGIN QP_SOURCE_DIR "/python"
#define PYTHON(path)                                                              \
    "QUADPASS_LIBRARY=" QP_BUILD_DIR "/libquadpass.so PYTHONDONTWRITEBYTECODE=1 " \
    "PYTHONPATH=" PLUGIN ":" path " /usr/bin/python3 "
#define PYTEST(path)                                                                             \
    PYTHON(path)                                                                                 \
    "-m pytest -p pytest_quadpass -p no:cacheprovider -rA --tb=short --gl-seed 7 " QP_SOURCE_DIR \
    "/tests/python/cases.py "

/* Skips the test without pytest or numpy, and where the library needs sanitizers in front of it. */
static void need_pytest(void)
{
    static int there = -1;
#ifdef __SANITIZE_ADDRESS__
    there = 0;
#endif
    there = there < 0 ? shell("/usr/bin/python3 -c 'import pytest, numpy'") == 0 : there;
    if (there == 1)
        return;
    print_message("skipped: no python3-pytest, or no python3-numpy, or sanitizers\n");
    skip();
}

/* In the folder of this test. */
static int pytest(const char *command)
{
    char line[1024];
    snprintf(line, sizeof line, "cd %s && %s", folder, command);
    return shell(line);
}

/* Each case by its end, and the words that a person goes on from. */
TEST(cases_end_as_they_should)
{
    static const char *const said[] = {
        "\ngl: ",
        "; its driver is proven\n",
        "cases.py::test_right\n",
        "cases.py::test_mixed\n",
        "cases.py::test_gl\n",
        "cases.py::test_after_error\n",
        "heat.frag: at 1x1 after 1 step(s): cell (0, 0) is ",
        "(--gl-seed 7 repeats it)\n",
        "heat.frag:7: 'return odd + rate * (around - 4.0 * old);': ",
        "heat.frag:7: the kernel reads 'rate', which nothing sets; ",
        "heat.frag: the state before would pass in all 33 cases, too",
        "name 'nothing' is not defined\n",
        "ValueError: the reference returns arrays of shapes [(0, "
        "1)], and the kernel's are [(1, 1)]",
        "OpenGL reports GL_INVALID_ENUM after "};
    need_pytest();
    need_gl();
    assert_int_equal(pytest(PYTEST("")), 1);
    must_print(said, COUNT(said));
    assert_int_equal(count("PASSED "), 4);
    assert_int_equal(count("\nFAILED "), 7);
}

/* A module of moderngl's name that cannot be loaded hides the one that is installed. */
TEST(it_does_without_moderngl)
{
    need_pytest();
    need_gl();
    write_file("moderngl.py", "raise ImportError\n");
    assert_int_equal(pytest(PYTEST(".") "-k gl"), 1);
    assert_int_equal(count("PASSED "), 1);
    assert_int_equal(count("OpenGL reports GL_INVALID_ENUM after "), 1);
}

TEST(without_opengl_it_skips_or_fails)
{
    need_pytest();
    assert_int_equal(pytest(NO_GL PYTEST("") "-k test_gl"), 0);
    assert_int_equal(count("\ngl: none; EGL lists no device for 'auto'"), 1);
    assert_int_equal(count(": no OpenGL: EGL lists no device for 'auto'"), 2);
    assert_int_equal(count(" 2 skipped, "), 1);
    assert_int_equal(pytest(NO_GL PYTEST("") "-k test_gl --gl-required"), 1);
    assert_int_equal(count(" 2 errors in "), 1);
}

/* A proof that counts wrong stands for such a driver. */
TEST(a_wrong_driver_fails)
{
    need_pytest();
    need_gl();
    assert_int_equal(pytest("mkdir -p proof && sed 's/+ 1\\.0/+ 1.5/' " QP_SOURCE_DIR
                            "/shaders/proof/step.frag >proof/step.frag && "
                            "QUADPASS_SHADER_DIR=. " PYTEST("") "-k after_error"),
                     1);
    assert_int_equal(count("this driver computes wrong: ping-pong: "), 1);
    assert_int_equal(count(" 1 error in "), 1);
}

/* ---- Structs ---- */

#define AT(type, member)                                 \
    {                                                    \
#type "." #member, offsetof(struct type, member) \
    }
#define SIZE(type)                 \
    {                              \
#type, sizeof(struct type) \
    }

TEST(its_structs_are_those_of_the_library)
{
    static const struct {
        const char *name;
        size_t bytes;
    } places[] = {AT(qp_device, version),
                  SIZE(qp_proof),
                  SIZE(qp_kernel_input),
                  SIZE(qp_kernel_number),
                  SIZE(qp_pass_number),
                  AT(qp_kernel_desc, fragment),
                  AT(qp_kernel_desc, input),
                  AT(qp_kernel_desc, number),
                  AT(qp_kernel_desc, outputs),
                  AT(qp_kernel_desc, compute),
                  AT(qp_kernel_desc, fast),
                  SIZE(qp_kernel_desc),
                  SIZE(qp_kernel_file_array),
                  SIZE(qp_kernel_file_number),
                  AT(qp_kernel_file_head, state),
                  AT(qp_kernel_file_head, width),
                  AT(qp_kernel_file_head, height),
                  AT(qp_kernel_file_head, has_seed),
                  AT(qp_kernel_file_head, seed),
                  AT(qp_kernel_file, desc),
                  AT(qp_kernel_file, head),
                  AT(qp_kernel_array, values),
                  SIZE(qp_kernel_array),
                  AT(qp_kernel_grid, input),
                  AT(qp_kernel_grid, number),
                  AT(qp_kernel_grid, channels),
                  AT(qp_record, width),
                  AT(qp_record, iterations),
                  AT(qp_record, error),
                  AT(qp_record, tolerance),
                  AT(qp_record, verdict),
                  AT(qp_record, reason),
                  AT(qp_check_desc, make),
                  AT(qp_check_desc, width),
                  AT(qp_check_desc, height),
                  AT(qp_check_desc, interrupt),
                  AT(qp_check_desc, on_case),
                  SIZE(qp_check_desc)};
    char line[128];
    need_pytest();
    assert_int_equal(
        shell(PYTHON("") "-c \"import ctypes, pytest_quadpass as q\n"
                         "for n, t in vars(q.C).items():\n"
                         "    print(n, ctypes.sizeof(t))\n"
                         "    for f in getattr(t, '_fields_', []):\n"
                         "        print(n + '.' + f[0], getattr(t, f[0]).offset)\n"
                         "print('numbers', q.SONAME, q.PASS, q.FAIL, q.COUNTS, q.TALLY)\""),
        0);
    for (int k = 0; k < COUNT(places); k++) {
        snprintf(line, sizeof line, "\n%s %zu\n", places[k].name, places[k].bytes);
        if (strstr(output, line) == NULL)
            fail_msg("pytest_quadpass.py has not%sin\n%s", line, output);
    }
    assert_true(sizeof(struct qp_tally) <= 1 << 14);
    assert_int_equal(offsetof(struct qp_tally, worst), 0);
    snprintf(line, sizeof line, "\nnumbers 1 %d %d (1, 1, 2, 3, 4, 1, 1, 2, 3, 4) 16384\n", QP_PASS,
             QP_FAIL);
    must_print(&(const char *){line}, 1);
    assert_int_equal(QP_NUMBER_DVEC4, 9);
    expect("readlink " QP_BUILD_DIR "/libquadpass.so.1", 0, "libquadpass.so." QP_VERSION "\n");
    expect("grep '^version' " PLUGIN "/pyproject.toml", 0, "\"" QP_VERSION "\"");
}

GROUP(make_folder, remove_folder)
