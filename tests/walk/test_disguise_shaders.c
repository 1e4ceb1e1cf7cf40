/* SPDX-License-Identifier: MIT */
/* Shaders of variants that bring an engine of their own, in disguise: each file in turn, drawn
 * precise, as a variant reads it live. */
/* wrap: qp_shader_read */
#include "support/mutants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/plan/op.h"
#include "toolkit/base/values.h"
#include "toolkit/gl/shaders.h"
#include "toolkit/glsl/changes.h"
#include "toolkit/kernel/kernel.h"

enum { ONE_IN = 24 };

static struct qp_context *context;

static bool is_elimination(const struct qp_variant *variant)
{
    return strncmp(variant->op, "gauss", 5) == 0;
}

static struct qp_result walk(const struct qp_variant *variant, struct qp_problem *problem)
{
    const struct qp_walk_desc desc = {
        .iterations = is_elimination(variant) ? 1 : 2, .unchecked = true, .keep_solution = true};
    struct qp_result result;
    assert_ok(qp_walk(context, variant, problem, &desc, &result));
    return result;
}

/* Names of the shaders that the walk so far has read, each after a line's end. */
static char names[4096];

enum qp_status __real_qp_shader_read(const char *name, char **text);
enum qp_status __wrap_qp_shader_read(const char *name, char **text);
enum qp_status __wrap_qp_shader_read(const char *name, char **text)
{
    const size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, "\n%s\n", name);
    return __real_qp_shader_read(name, text);
}

/* True if variant i of the table reads a shader and passes; each variant is walked once. */
static bool reads(size_t i, struct qp_problem *problem, const char *name)
{
    enum { ROWS = 1024 };
    static char *of_row[ROWS];
    char line[128];
    assert_true(i < ROWS);
    if (of_row[i] == NULL) {
        names[0] = '\0';
        struct qp_result result = walk(qp_variant_at(i), problem);
        of_row[i] = strdup(result.verdict == QP_PASS ? names : "");
        qp_matrix_destroy(&result.solution);
    }
    snprintf(line, sizeof line, "\n%s\n", name);
    return strstr(of_row[i], line) != NULL;
}

/* A walk with this text, drawn precise. */
static struct qp_result walk_precise(const struct qp_variant *variant, struct qp_problem *problem,
                                     const char *name, const char *text)
{
    char *precise;
    assert_ok(qp_precise_text(text, true, &precise));
    mutants_write(name, precise);
    free(precise);
    return walk(variant, problem);
}

/* Counts the disguises of a shader that the driver compiles, of which each must give the bits of
 * the precise shader. */
static int check_shader(const struct qp_variant *variant, struct qp_problem *problem,
                        const char *name, const char *text)
{
    static int number;
    struct qp_result own = walk_precise(variant, problem, name, text);
    struct qp_changes d;
    int made = 0;
    assert_int_equal(own.verdict, QP_PASS);
    const size_t bytes = (size_t)own.solution.width * (size_t)own.solution.height *
                         qp_value_bytes(own.solution.precision);
    assert_ok(qp_changes_open(text, NULL, &qp_disguises, &d));
    while (qp_changes_next(&d)) {
        if (!support_takes(number++, 3))
            continue;
        struct qp_result result = walk_precise(variant, problem, name, d.other);
        if (result.verdict != QP_PASS ||
            memcmp(qp_matrix_values(&own.solution), qp_matrix_values(&result.solution), bytes) != 0)
            fail_msg("%s of %s differs %s in line %d: %s", name, variant->name,
                     d.ways->of[d.kind].words, qp_change_line(&d), result.reason);
        qp_matrix_destroy(&result.solution);
        made++;
    }
    qp_changes_close(&d);
    qp_matrix_destroy(&own.solution);
    mutants_write(name, text);
    return made;
}

/* A shader by the first variant that reads it; -1: none does. */
static int check_file(const char *name)
{
    char text[MOST_TEXT];
    mutants_read(name, text);
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        const size_t length = strlen(variant->op);
        struct qp_problem problem;
        if (variant->backend != QP_GL || variant->recipe->engine == NULL ||
            qp_variant_is_bound(variant) || strncmp(name, variant->op, length) != 0 ||
            name[length] != '/' || !support_small_problem(variant, &problem))
            continue;
        const bool found = reads(i, &problem, name);
        const int made = found ? check_shader(variant, &problem, name, text) : 0;
        qp_problem_destroy(&problem);
        if (found)
            return made;
    }
    return -1;
}

static bool has_engines(const char *name)
{
    return strncmp(name, "gauss_jordan", 12) == 0 || strncmp(name, "poisson5", 8) == 0 ||
           strncmp(name, "reduce/", 7) == 0;
}

/* Shaders that no variant reads are of bounds, of other problems, or of other devices. */
CLEAN_TEST(shaders_give_the_same)
{
    int files = 0, made = 0, read = 0;
    context = support_need_context(state);
    if (!qp_context_device(context)->software)
        skip();
    for (const struct qp_shader_file *file = qp_shader_files; file->name != NULL; file++) {
        if (strstr(file->name, ".frag") == NULL || !has_engines(file->name) ||
            !support_takes(files++, ONE_IN))
            continue;
        const int of_file = check_file(file->name);
        read += of_file >= 0;
        made += of_file > 0 ? of_file : 0;
    }
    assert_true(files > 60 && read > (support_takes_long() ? 50 : 1) && made > read);
}

GROUP(mutants_copy_shaders, mutants_tear_down)
