/* SPDX-License-Identifier: MIT */
#include "tools/cmd/opponents.h"

#include <omp.h>
#include <string.h>

#include "lab/baseline/baseline.h"
#include "lab/baseline/files.h"
#include "lab/baseline/library.h"
#include "tools/cmd/output/figures.h"
#include "tools/cmd/paper/papers.h"

/* Compiler flags of our own opponents, from make. */
#ifndef QP_FLAGS
#define QP_FLAGS      "flags unknown"
#define QP_NVCC_FLAGS QP_FLAGS
#endif

static enum qp_status read_list(struct paper_table *list)
{
    static const char name[] = "docs/opponents.csv";
    const struct qp_own_file *file = qp_own_file_find(baseline_files, name);
    return paper_parse(name, (const char *)file->text, file->size, list);
}

/* The file that was loaded names its version. */
static void print_library(FILE *out, const char *library, const char *flags)
{
    const char *file = baseline_loaded(library);
    if (strcmp(library, "OpenBLAS") == 0 && file != NULL)
        fprintf(out, "%s, kernels %s", file, baseline_kernels());
    else if (strcmp(library, "CUB") == 0)
        fprintf(out, "CUB %d, nvcc " QP_NVCC_FLAGS, baseline_cub_version());
    else if (strcmp(library, "ours") == 0)
        fprintf(out, "ours, %s",
                strstr(flags, "NVCC") != NULL ? "nvcc " QP_NVCC_FLAGS
                                              : "compiler " __VERSION__ ", " QP_FLAGS);
    else
        fprintf(out, "%s", file != NULL ? file : library);
}

static void print_opponent(FILE *out, const struct paper_table *list, int line,
                           const struct qp_record *record, const struct qp_record *best)
{
    char *const *cell = list->cell[line];
    char ratio[FIGURE_SIZE];
    fprintf(out, "opponent %s: ", cell[0]);
    print_library(out, cell[1], cell[2]);
    fputs("\n  ", out);
    if (strcmp(cell[3], "all") == 0)
        fprintf(out, "all %d threads; ", omp_get_max_threads());
    else if (record->threads > 0)
        fprintf(out, "%d of %d threads; ", record->threads, omp_get_num_procs());
    figure_print_ratio(ratio, best->glups < 0.1 * record->glups ? 4 : 2, best, record,
                       best->glups / record->glups);
    fprintf(out, "warm-up: %s\n  outside its clock: %s\n  %s / opponent, speeds: %s\n", cell[4],
            cell[5], best->variant->name, ratio);
}

void opponents_print(FILE *out, const struct qp_record *records, int count)
{
    struct paper_table list;
    const struct qp_record *best = NULL;
    if (read_list(&list) != QP_OK)
        return;
    for (int i = 0; i < count; i++) {
        if (records[i].verdict == QP_PASS &&
            paper_line(&list, records[i].variant->name, NULL) < 0 &&
            (best == NULL || records[i].glups > best->glups))
            best = &records[i];
    }
    for (int i = 0; i < count && best != NULL; i++) {
        const int line = paper_line(&list, records[i].variant->name, NULL);
        if (line >= 0 && records[i].verdict == QP_PASS)
            print_opponent(out, &list, line, &records[i], best);
    }
}
