/* SPDX-License-Identifier: MIT */
/* The command under valgrind: it sees reads of what nobody wrote, which the sanitizers do not. */
#include "support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUADPASS QP_BUILD_DIR "/quadpass "
#define WRITTEN  QP_BUILD_DIR "/tests/valgrind.mtx"

enum { FOUND = 99 /* valgrind's exit code for an error */ };

/* A debug build has sanitizers in it, and two such tools do not go together. */
static void need_valgrind(void)
{
#ifdef QP_DEBUG
    print_message("SKIP: built with sanitizers, which valgrind cannot run\n");
    skip();
#endif
    if (system("valgrind --version >/dev/null 2>&1") != 0) {
        print_message("SKIP: no valgrind here; tools/setup.sh test installs it\n");
        skip();
    }
}

static void run(const char *options, const char *command)
{
    static char line[1024], output[1 << 16];
    snprintf(line, sizeof line, "valgrind -q --error-exitcode=%d --suppressions=%s %s %s 2>&1",
             FOUND, QP_SOURCE_DIR "/tests/house/valgrind.supp", options, command);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    output[fread(output, 1, sizeof output - 1, pipe)] = '\0';
    while (fgetc(pipe) != EOF)
        continue;
    int status = pclose(pipe);
    if (status != 0)
        fail_msg("%s: status %x: %s", line, (unsigned)status, output);
}

/* Lost blocks count, too, but for the stacks of OpenMP's threads, which are still in use. */
TEST(cpu_rows)
{
    static const char leaks[] = "--leak-check=full --show-leak-kinds=definite "
                                "--errors-for-leak-kinds=definite";
    need_valgrind();
    if (support_takes_long()) {
        run(leaks, QUADPASS "check reference openmp amorim_cpu --size 9");
        run(leaks, QUADPASS "check gauss_jordan/loop --problem dominant");
    }
    run(leaks, QUADPASS "walk jacobi9/reference -n 5");
    run(leaks, QUADPASS "solve --variant openmp --refine --tolerance 1e-9 -o " WRITTEN
                        " " QP_SOURCE_DIR "/tests/support/faults.mtx");
    run(leaks, QUADPASS "invert --variant reference -o " WRITTEN " " QP_SOURCE_DIR
                        "/tests/support/faults.mtx");
    run(leaks, QUADPASS "list 'reduce/*' --json " WRITTEN);
    remove(WRITTEN);
}

/* A single walk: compiling shaders takes valgrind its time. What a driver keeps to its end is not
 * ours; GL objects and the library's own blocks are counted in tests/plan/test_faults.c. */
TEST(a_walk_on_opengl)
{
    const struct qp_context_desc desc = {.device = "llvmpipe"};
    struct qp_context *context;
    need_valgrind();
    support_need_context(state);
    if (!support_takes_long()) {
        print_message("SKIP: shaders take valgrind long to compile; LONG=1 runs this\n");
        skip();
    }
    if (qp_context_create(&desc, &context) != QP_OK) {
        print_message("SKIP: no llvmpipe beside this device: %s\n", qp_error());
        skip();
    }
    qp_context_destroy(&context);
    run("--leak-check=no", QUADPASS "walk jacobi9/luminance --device llvmpipe -n 5");
}

GROUP(support_open_context, support_close_context)
