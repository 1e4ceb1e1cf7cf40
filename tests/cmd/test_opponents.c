/* SPDX-License-Identifier: MIT */
/* All opponents are in one list, and lines below a table name them and say how far the fastest
 * other variant is from them. */
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/baseline/baseline.h"
#include "lab/baseline/files.h"
#include "tools/cmd/opponents.h"
#include "tools/cmd/paper/papers.h"

static void read_list(struct paper_table *list)
{
    const struct qp_own_file *file = baseline_files;
    while (strcmp(file->name, "docs/opponents.csv") != 0)
        file++;
    assert_ok(paper_parse(file->name, (const char *)file->text, file->size, list));
}

/* Variants that call another library, but for processes, and those that say they are opponents. */
static bool is_opponent(const struct qp_variant *variant)
{
    return (qp_variant_library(variant) != NULL && variant->backend != QP_MPI) ||
           strstr(variant->place, "opponent") != NULL ||
           strstr(variant->sentence, "opponent") != NULL;
}

TEST(every_opponent_is_listed_once)
{
    struct paper_table list;
    int opponents = 0;
    read_list(&list);
    for (size_t i = 0; i < qp_variant_count(); i++) {
        const struct qp_variant *variant = qp_variant_at(i);
        if ((paper_line(&list, variant->name, NULL) >= 0) != is_opponent(variant))
            fail_msg("%s: docs/opponents.csv and its row differ", variant->name);
        opponents += is_opponent(variant);
    }
    assert_int_equal(list.lines, opponents);
    for (int i = 0; i < list.lines * list.columns; i++)
        assert_true(list.cell[i / list.columns][i % list.columns][0] != '\0');
}

/* Text for free(). */
static char *print(const struct qp_record *records, int count)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    opponents_print(out, records, count);
    assert_int_equal(fclose(out), 0);
    return text;
}

static struct qp_record made(const char *name, double glups, enum qp_verdict verdict)
{
    return (struct qp_record){
        .variant = qp_variant_find(name), .glups = glups, .verdict = verdict, .threads = 1};
}

TEST(the_fastest_other_row_counts)
{
    const struct qp_record records[] = {made("gauss_jordan/sgesv", 40.0, QP_PASS),
                                        made("gauss_jordan/loop", 10.0, QP_PASS),
                                        made("gauss_jordan/blocked", 65.0, QP_PASS),
                                        made("gauss_jordan/branched", 90.0, QP_FAIL),
                                        made("gauss_jordan/branched_notex", 95.0, QP_BOUND),
                                        made("gauss_jordan/cuda_cusolver", 130.0, QP_PASS)};
    char *text = print(records, COUNT(records));
    assert_non_null(strstr(text, "opponent gauss_jordan/sgesv: "));
    assert_non_null(strstr(text, "\n  1 of "));
    assert_non_null(strstr(text, "\n  outside its clock: columns are packed before"));
    assert_non_null(strstr(text, "\n  gauss_jordan/blocked / opponent, speeds: 1.62\n"));
    assert_non_null(strstr(text, "opponent gauss_jordan/cuda_cusolver: cuSOLVER\n  1 of "));
    assert_non_null(strstr(text, "\n  gauss_jordan/blocked / opponent, speeds: 0.50\n"));
    free(text);
}

/* Both spreads count; of noisy variants there is no ratio. */
TEST(ratios_carry_their_spread)
{
    struct qp_record records[] = {made("gauss_jordan/sgesv", 40.0, QP_PASS),
                                  made("gauss_jordan/loop", 1.0, QP_PASS)};
    for (int i = 0; i < 2; i++) {
        records[i].sample_count = 3;
        records[i].spread = 0.02;
    }
    char *text = print(records, COUNT(records));
    assert_non_null(strstr(text, "\n  gauss_jordan/loop / opponent, speeds: 0.0250+-4%\n"));
    free(text);
    records[0].spread = 0.3;
    text = print(records, COUNT(records));
    assert_non_null(strstr(text, "\n  gauss_jordan/loop / opponent, speeds: -\n"));
    free(text);
}

TEST(our_own_name_their_compiler)
{
    const struct qp_record records[] = {made("poisson5_batch/openmp", 2.0, QP_PASS),
                                        made("poisson5_batch/cuda_graphs", 2.0, QP_PASS),
                                        made("poisson5/sequential", 1.0, QP_PASS)};
    char *text = print(records, COUNT(records));
    assert_non_null(
        strstr(text, "opponent poisson5_batch/openmp: ours, compiler " __VERSION__ ", "));
    assert_non_null(strstr(text, "opponent poisson5_batch/cuda_graphs: ours, nvcc"));
    assert_null(strstr(text, "FLAGS"));
    free(text);
}

TEST(alone_it_is_no_opponent)
{
    const struct qp_record alone[] = {made("gauss_jordan/sgesv", 40.0, QP_PASS),
                                      made("gauss_jordan/loop", NAN, QP_SKIP)},
                           failed[] = {made("gauss_jordan/sgesv", 40.0, QP_FAIL),
                                       made("gauss_jordan/loop", 10.0, QP_PASS)};
    char *texts[] = {print(alone, 1), print(alone, 2), print(failed, 2), print(failed + 1, 1)};
    for (int i = 0; i < COUNT(texts); i++) {
        assert_string_equal(texts[i], "");
        free(texts[i]);
    }
}

/* OpenBLAS's own file, with its version, and the kernels that it took for this processor. */
TEST(a_library_names_its_file)
{
    const struct qp_record records[] = {made("gauss_jordan/sgesv", 2.0, QP_PASS),
                                        made("gauss_jordan/loop", 1.0, QP_PASS)};
    if (baseline_kernels() == NULL && support_is_required("blas"))
        fail_msg("REQUIRE=blas, but OpenBLAS names no kernels");
    if (baseline_kernels() == NULL)
        skip();
    char *text = print(records, COUNT(records));
    assert_non_null(strstr(text, "opponent gauss_jordan/sgesv: libopenblas"));
    assert_non_null(strstr(text, ", kernels "));
    free(text);
}

GROUP(support_lend, NULL)
