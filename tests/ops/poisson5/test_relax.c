/* SPDX-License-Identifier: MIT */
/* The kernel of poisson5's variants on the CPU in every instruction set that this processor has,
 * bit for bit against one cell at a time; and that the release objects compute in vectors, our own
 * and the compiler's. */
#include "lab/ops/poisson5/cpu/relax.c"

#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "toolkit/base/random.h"

enum { PITCH = 128, HEIGHT = QP_RELAX_ROWS + 2, FIRST = 16 };

struct form {
    const char *name;
    relax_function *function;
    bool doubles, there;
};

/* __builtin_cpu_supports takes a literal alone. */
static int list_forms(struct form forms[6])
{
    int count = 0;
    forms[count++] = (struct form){"plain", relax_rows_plain_float, false, true};
    forms[count++] = (struct form){"plain", relax_rows_plain_double, true, true};
#if defined(__x86_64__)
    const bool avx2 = __builtin_cpu_supports("avx2"), avx512 = __builtin_cpu_supports("avx512f");
    forms[count++] = (struct form){"avx2", relax_rows_avx2_float, false, avx2};
    forms[count++] = (struct form){"avx2", relax_rows_avx2_double, true, avx2};
    forms[count++] = (struct form){"avx512", relax_rows_avx512_float, false, avx512};
    forms[count++] = (struct form){"avx512", relax_rows_avx512_double, true, avx512};
#endif
    return count;
}

/* Old values, h^2 f and new values; doubles that are floats, and the same numbers in float. */
static _Alignas(64) double old[HEIGHT * PITCH], side[HEIGHT * PITCH], new[HEIGHT * PITCH];
static _Alignas(64) float old_f[HEIGHT * PITCH], side_f[HEIGHT * PITCH], new_f[HEIGHT * PITCH];

static double rounded(bool doubles, double value)
{
    return doubles ? value : (double)(float)value;
}

static double expected(const struct qp_relax_rows *r, bool doubles, int x, int y)
{
    const double *here = &old[y * PITCH + x];
    const bool spike = x == r->spike_x && y - 1 == r->spike_row;
    const double rhs = spike ? 1.0 : r->rhs[0] != NULL ? side[y * PITCH + x] : 0.0;
    double t = rounded(doubles, rounded(doubles, here[-1] + here[1]) +
                                    rounded(doubles, here[-PITCH] + here[PITCH]));
    t = 0.25 * rounded(doubles, t + rhs);
    const double w = rounded(doubles, r->weight);
    if (w == 1.0)
        return t;
    return rounded(doubles, *here + rounded(doubles, w * rounded(doubles, t - *here)));
}

/* Runs the form, and looks at every value of the rows: those outside first to end are NaN still. */
static void check(const struct form *form, struct qp_relax_rows r, bool sided)
{
    const size_t bytes = form->doubles ? sizeof(double) : sizeof(float);
    char *from = form->doubles ? (char *)old : (char *)old_f;
    char *sides = form->doubles ? (char *)side : (char *)side_f;
    char *to = form->doubles ? (char *)new : (char *)new_f;
    r.precision = form->doubles ? QP_DOUBLES : QP_FLOATS;
    for (int k = 0; k < r.count + 2; k++)
        r.in[k] = from + (size_t)k * PITCH * bytes;
    for (int k = 0; k < r.count; k++) {
        r.rhs[k] = sided ? sides + (size_t)(k + 1) * PITCH * bytes : NULL;
        r.out[k] = to + (size_t)(k + 1) * PITCH * bytes;
    }
    for (int i = 0; i < HEIGHT * PITCH; i++)
        new[i] = new_f[i] = NAN;
    form->function(&r);
    qp_relax_fence();
    for (int i = 0; i < HEIGHT * PITCH; i++) {
        const int x = i % PITCH, y = i / PITCH;
        const double got = form->doubles ? new[i] : (double)new_f[i];
        const bool inside = x >= r.first && x < r.end && y >= 1 && y <= r.count;
        if (inside ? got != expected(&r, form->doubles, x, y) : !isnan(got))
            fail_msg("%s, %zu bytes, rows %d, columns %ld to %ld, weight %g: (%d, %d) is %g",
                     form->name, bytes, r.count, r.first, r.end, r.weight, x, y, got);
    }
}

TEST(all_forms_agree)
{
    struct form forms[6];
    uint64_t seed = 11;
    for (int i = 0; i < HEIGHT * PITCH; i++) {
        old[i] = old_f[i] = (float)qp_random(&seed, -1.0, 1.0);
        side[i] = side_f[i] = (float)qp_random(&seed, -1.0, 1.0);
    }
    const int count = list_forms(forms);
    for (int k = 0; k < count; k++) {
        for (int end = FIRST; forms[k].there && end < FIRST + 67; end++) {
            for (int way = 0; way < 4 * 2 * 2 * 2; way++) {
                const bool sided = way & 1;
                check(&forms[k],
                      (struct qp_relax_rows){.count = 1 + way / 8,
                                             .first = FIRST,
                                             .end = end,
                                             .weight = way & 2 ? 1.0 : 0.7,
                                             .streams = way & 4,
                                             .spike_x = sided ? -1 : FIRST + 5,
                                             .spike_row = sided ? -1 : 2},
                      sided);
            }
        }
    }
}

/* ---- The object ---- */

/* Counts the sums and products of numbers of a function, as objdump prints them: of vectors, or of
 * one number. */
static int count_in(const char *object, const char *function, bool packed, const char *suffix)
{
    char command[512], line[64];
    snprintf(command, sizeof command,
             "objdump -d --no-show-raw-insn '%s/src/lab/ops/poisson5/cpu/%s.o' 2>/dev/null | "
             "awk '/^[0-9a-f]+ <%s>:/ {on = 1; next} /^$/ {on = 0} on' | "
             "grep -cE '[[:space:]]v?(add|mul)%c%s[[:space:]]'",
             QP_BUILD_DIR, object, function, packed ? 'p' : 's', suffix);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    const int count = fgets(line, sizeof line, pipe) != NULL ? atoi(line) : -1;
    pclose(pipe);
    return count;
}

static void need_objects(void)
{
#if !defined(__x86_64__) || !defined(__OPTIMIZE__) || defined(QP_DEBUG)
    print_message("a build without optimisation, or another processor, is not looked at\n");
    skip();
#endif
    if (system("command -v objdump >/dev/null") != 0) {
        print_message("objdump is not here\n");
        skip();
    }
}

/* The rows in floats and doubles add and multiply in vectors, at least the 4 sums and the product
 * of a cell with h^2 f, for 4 rows at once; the spike's cell, in functions that may have been
 * merged, alone does not. */
TEST(kernels_are_vectors)
{
    need_objects();
    static const char *const forms[] = {"plain", "avx2", "avx512"};
    for (int k = 0; k < 2 * COUNT(forms); k++) {
        char name[64];
        snprintf(name, sizeof name, "relax_rows_%s_%s", forms[k / 2], k % 2 ? "double" : "float");
        const int vectors = count_in("relax", name, true, k % 2 ? "d" : "s");
        if (vectors < 4 * 5)
            fail_msg("%s adds and multiplies in %d packed instructions", name, vectors);
    }
    assert_int_equal(count_in("relax", "relax_spike_[a-z0-9]*_double", true, "d"), 0);
    assert_true(count_in("relax", "relax_spike_[a-z0-9]*_double", false, "d") > 0);
}

/* The plain loop of paper 5's variants has vectors that the compiler made: its four cases, with h^2
 * f and a weight or without, have 16 sums and 6 products at least. Its text names no vector,
 * instruction set or hint. */
TEST(plain_loop_is_vectorised)
{
    static const char *const names[] = {"relax_loop_float", "relax_loop_double"};
    const int found = system("cd '" QP_SOURCE_DIR "/src/lab/ops/poisson5/cpu' || exit 2; grep -nE "
                             "'vector_size|_mm|target[(]|[pP]ragma|asm' relax_loop*.[ch]");
    assert_true(WIFEXITED(found));
    assert_int_equal(WEXITSTATUS(found), 1); /* grep has read all files and found none */
    need_objects();
    for (int k = 0; k < COUNT(names); k++) {
        const int vectors = count_in("relax_loop", names[k], true, k == 0 ? "s" : "d");
        if (vectors < 16 + 6)
            fail_msg("%s adds and multiplies in %d packed instructions", names[k], vectors);
    }
}

/* Stores go past the caches where the arrays of a step, two or three of them, take more than 100 MB
 * together. */
TEST(large_grids_are_streamed)
{
    const struct qp_problem problem = {.width = 4090, .height = 2048};
    struct qp_sweep sweep = {.problem = &problem, .pitch = 4096, .width = 4090, .height = 2048};
    for (int k = 0; k < 4; k++) {
        sweep.kind = k / 2 ? QP_POISSON5_SPIKE : QP_POISSON5_FIELD;
        assert_int_equal(qp_relax_step_of(&sweep, k % 2 ? QP_DOUBLES : QP_FLOATS).streams, k != 2);
    }
    sweep.height = 900;
    assert_false(qp_relax_step_of(&sweep, QP_DOUBLES).streams);
}
