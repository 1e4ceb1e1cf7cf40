/* SPDX-License-Identifier: MIT */
/* Mutants of words: what a check prints of them, and how many of those of the gallery and of the
 * exercises a check notices. */
#include "support/once.h"
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <quadpass/kernel_file.h>
#include <quadpass/spoil.h>

#include "toolkit/base/random.h"
#include "toolkit/glsl/changes.h"

#define EQUIVALENT QP_SOURCE_DIR "/tests/cmd/run/equivalent.txt"

static int make_files(void **state)
{
    return make_folder(state) != 0 || chdir(folder) != 0 || compile_once(folder) != 0 ||
           shell("cp " QP_SOURCE_DIR "/demos/shaders/* . && "
                 "cp -r " QP_SOURCE_DIR "/docs/exercises/*/ .") != 0;
}

/* A survivor comes with options that show it, or without any where no number changes; the file
 * itself stays as it was. */
TEST(survivors_are_shown)
{
    need_gl();
    write_file("far.c", "void reference(int w, int h, const float *const *in, const double *n,\n"
                        "               const double *b, double *a)\n{\n    (void)in, (void)n;\n"
                        "    for (int i = 0; i < w * h; i++)\n"
                        "        a[i] = b[i] < 2.0 ? 0.5 * b[i] : 3.0 * b[i];\n}\n");
    write_file("bend.glsl", "\n\nfloat bend(float a) { return a < 2.0 ? 0.5 * a : 3.0 * a; }\n");
    write_file("far.frag", "//@ include bend.glsl\n//@ check far.c\nfloat kernel(vec2 here)\n{\n"
                           "    return bend(x_at(0.0, 0.0)) + 1e-30 * 2.0;\n}\n");
    expect("quadpass check far.frag --fixed --mutants --json far.json >one; cat one", 0,
           " mutants: reads 5 of 5,");
    const char *bend = strstr(output, "\nbend.glsl:3: nothing notices '(3.0 * 1.01)' in place of "
                                      "'3.0'; it shows with --"),
               *end = bend != NULL ? strchr(bend + 1, '\n') : NULL;
    assert_non_null(end);
    const char *with = strstr(bend, "--");
    char command[512];
    snprintf(command, sizeof command, "quadpass check far.frag --mutants %.*s", (int)(end - with),
             with);
    assert_non_null(strstr(output, "\nfar.frag:5: nothing notices '(2.0 * 1.01)' in place of "
                                   "'2.0'; none of 100 other inputs shows it\n"));
    expect("cat far.json", 0, "\"kinds\":[{\"kind\":\"reads\",\"made\":5,\"noticed\":5},");
    assert_int_equal(count("{\"kind\":\"constants\",\"place\":\"bend.glsl:3\",\"was\":\"3.0\","
                           "\"is\":\"(3.0 * 1.01)\",\"noticed_with\":\"--"),
                     1);
    assert_int_equal(count("\"is\":\"(2.0 * 1.01)\",\"noticed_with\":null}"), 1);
    shell(command);
    assert_int_equal(count("'(3.0 * 1.01)'"), 0);
    assert_int_equal(count("far.frag:5: nothing notices '(2.0 * 1.01)'"), 1);
    /* The same inputs once more. */
    expect("quadpass check far.frag --fixed --mutants --json far.json | cmp - one", 0, "");
    assert_int_equal(unlink("far.frag"), 0);
    /* A reference that is wrong, which constant cells do not show. */
    expect("quadpass check test/start.frag --fixed --mutants", 1, "\nand ");
    assert_int_equal(count("\nthe kernel itself fails on "), 1);
    assert_int_equal(count(" of the other inputs, the first of them --"), 1);
}

/* ---- Changes drawn by seed ---- */

enum { MOST_FILES = 64, MOST_CHANGES = 4096, WORDS = QP_MUTANTS_ALL & ~(1 << QP_MUTANT_READ) };

/* The whole text of a file; the caller frees it. */
static char *read_text(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    assert_true(getdelim(&text, &size, '\0', in) > 0);
    fclose(in);
    return text;
}

/* Change number `number` of a file, from 0 on; false after the last. Without a name to write to it
 * is only looked for. */
static bool change(const char *path, int number, const char *to, char *said, size_t size)
{
    struct qp_kernel_file *file;
    struct qp_changes c;
    const char *was, *is;
    bool found = true;
    assert_ok(qp_kernel_read(path, &file));
    char *text = read_text(path);
    assert_ok(qp_changes_open(text, file->is_short ? &file->desc : NULL, &qp_mutants, &c));
    c.kinds = WORDS;
    for (int k = 0; k <= number && found; k++)
        found = qp_changes_next(&c);
    if (found && to != NULL) {
        write_file(to, c.other);
        const int line = qp_change_line(&c);
        qp_changes_cut(&c, &was, &is);
        snprintf(said, size, "%s:%d: %s > %s", path, line, was, is);
    }
    qp_changes_close(&c);
    free(text);
    qp_kernel_file_destroy(&file);
    return found;
}

/* All changes of all files. */
struct drawn {
    char path[MOST_FILES][128];
    int files, count;
    struct {
        int file, number;
    } of[MOST_CHANGES];
};

static void list_changes(struct drawn *all)
{
    expect("grep -lE '^//@ check' *.frag */answer.frag", 0, ".frag");
    char *place = output;
    for (char *path; (path = strsep(&place, "\n")) != NULL && *path != '\0'; all->files++) {
        assert_true(all->files < MOST_FILES);
        snprintf(all->path[all->files], sizeof all->path[0], "%s", path);
    }
    for (int k = 0; k < all->files; k++) {
        for (int number = 0; change(all->path[k], number, NULL, NULL, 0); number++) {
            assert_true(all->count < MOST_CHANGES);
            all->of[all->count].file = k;
            all->of[all->count++].number = number;
        }
    }
}

/* True if a check of the changed file fails; *judged false: the text is no mutant, for it does not
 * compile. */
static bool is_noticed(const char *path, int number, bool *judged, char *said, size_t size)
{
    char mutant[160], command[256];
    const char *slash = strrchr(path, '/');
    snprintf(mutant, sizeof mutant, "%.*smutant.frag", slash != NULL ? (int)(slash - path) + 1 : 0,
             path);
    assert_true(change(path, number, mutant, said, size));
    snprintf(command, sizeof command, "quadpass check %s --fixed 2>&1", mutant);
    const int code = shell(command);
    if (code > 2)
        fail_msg("%s gave %d: %s", said, code, output);
    *judged = code < 2;
    return code == 1;
}

/* A check of each file as it is notices 97 of 100 changes, drawn by seed. Changes that alter no
 * number have a line, with the reason, in equivalent.txt. */
TEST(changes_are_noticed)
{
    enum { ALL = 200, FEW = 4, MOST_EQUIVALENT = 20, SEED = 61 };
    static struct drawn all;
    const char *seed = getenv("QUADPASS_RANDOM_SEED");
    uint64_t bits = seed != NULL ? strtoull(seed, NULL, 10) : SEED;
    const int wanted = support_takes_long() ? ALL : FEW;
    int judged = 0, noticed = 0, equivalent = 0;
    need_gl();
    char *reasons = read_text(EQUIVALENT);
    list_changes(&all);
    assert_true(all.count > ALL);
    for (int k = 0; judged < wanted; k++) {
        assert_true(k < all.count);
        const int other = k + (int)(qp_random_bits(&bits) % (uint64_t)(all.count - k));
        char said[512], line[600];
        bool compiles;
        const int file = all.of[other].file, number = all.of[other].number;
        all.of[other] = all.of[k];
        const bool told = is_noticed(all.path[file], number, &compiles, said, sizeof said);
        judged += compiles;
        noticed += compiles && told;
        snprintf(line, sizeof line, "%s: ", said);
        const bool listed = compiles && !told && strstr(reasons, line) != NULL;
        equivalent += listed;
        if (compiles && !told)
            printf("%s survivor %s\n", listed ? "equivalent" : "a", said);
    }
    free(reasons);
    printf("%d of %d files' %d changes judged, %d noticed, %d change no number\n", judged,
           all.files, all.count, noticed, equivalent);
    assert_true(equivalent <= MOST_EQUIVALENT);
    assert_true(100 * noticed >= 97 * (judged - equivalent));
}

GROUP(make_files, remove_folder)
