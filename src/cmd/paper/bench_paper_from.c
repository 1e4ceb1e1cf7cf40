/* SPDX-License-Identifier: MIT */
/* Records of files in place of runs: bench --paper --from. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "cmd/paper/bench_paper.h"
#include "ops/table.h"

static int whole(const cJSON *row, const char *key)
{
    const double value = cJSON_GetNumberValue(cJSON_GetObjectItem(row, key));
    return fabs(value) <= 0x1p30 ? (int)value : 0;
}

/* CUDA devices that rows ran on, two at most. */
static int count_devices(const cJSON *rows)
{
    const cJSON *row;
    int devices = 0;
    cJSON_ArrayForEach(row, rows)
    {
        const bool ran = cJSON_IsNumber(cJSON_GetObjectItem(row, "seconds")) &&
                         strcmp(records_text(row, "backend"), "cuda") == 0;
        const int used = !ran ? 0 : whole(row, "devices") > 1 ? 2 : 1;
        devices = used > devices ? used : devices;
    }
    return devices;
}

/* Keeps the words of the first file's head, and the records of all. */
static enum qp_status add_file(struct paper_given *given, const char *path)
{
    cJSON *tree, *row;
    const enum qp_status status = records_read_tree(path, &tree);
    if (status != QP_OK)
        return status;
    cJSON *rows = cJSON_GetObjectItem(tree, "records");
    if (!cJSON_IsArray(rows)) {
        cJSON_Delete(tree);
        return qp_fail(QP_BAD_INPUT, "%s: it has no records as --json writes them", path);
    }
    if (given->rows == NULL) {
        const char *threads = strrchr(records_text(tree, "cpu"), ',');
        snprintf(given->device, sizeof given->device, "%s", records_text(tree, "device"));
        for (char *c = given->device; *c != '\0'; c++)
            *c = iscntrl((unsigned char)*c) ? ' ' : *c; /* which would steer a terminal */
        if (threads == NULL || sscanf(threads, ", %d threads", &given->threads) != 1)
            given->threads = 0;
        given->rows = cJSON_CreateArray();
    }
    while ((row = cJSON_DetachItemFromArray(rows, 0)) != NULL)
        cJSON_AddItemToArray(given->rows, row);
    cJSON_Delete(tree);
    return given->rows != NULL ? QP_OK : qp_fail(QP_NO_MEMORY, "no memory for records");
}

enum qp_status paper_given_read(const struct options *options, struct paper_given *given)
{
    enum qp_status status = QP_OK;
    for (int i = 0; i < options->from_count && status == QP_OK; i++)
        status = add_file(given, options->from[i]);
    given->devices = count_devices(given->rows);
    given->next = given->rows != NULL ? given->rows->child : NULL;
    return status;
}

/* ---- Records of a line ---- */

/* Whether a line asks for this block of the variant by its number. */
static bool is_asked_for(const struct paper_bench *bench, const struct qp_variant *variant,
                         int block)
{
    for (const struct paper_line *line = bench->line; line < bench->line + bench->lines; line++) {
        for (int row = line->first; row < line->end && line->block > 0; row++) {
            if (line->block == block && bench->row[row] == variant)
                return true;
        }
    }
    return false;
}

static bool is_run(const cJSON *row, const struct paper_bench *bench, const struct paper_line *line,
                   const struct qp_variant *variant)
{
    const int steps = bench->options->iterations > 0 ? bench->options->iterations : line->steps;
    const int part = cmd_part(qp_op_find(variant->op), qp_variant_systems(variant));
    return strcmp(records_text(row, "variant"), variant->name) == 0 &&
           strcmp(records_text(row, "problem"), line->problem) == 0 &&
           whole(row, "width") == (line->width - 1) / part + 1 &&
           whole(row, "height") == (line->height - 1) / part + 1 &&
           (steps <= 0 || whole(row, "iterations") == steps) &&
           (line->parameter < 0 || whole(row, "parameter") == line->parameter) &&
           (line->block > 0 ? whole(row, "block") == line->block
                            : !is_asked_for(bench, variant, whole(row, "block")));
}

/* The first such record after the one that was found last: a run wrote them in the order of its lines. Else the first
 * of all, or NULL. */
static const cJSON *find(struct paper_bench *bench, const struct paper_line *line,
                         const struct qp_variant *variant)
{
    const cJSON *row = bench->given.next;
    while (row != NULL && !is_run(row, bench, line, variant))
        row = row->next;
    if (row == NULL)
        row = bench->given.rows->child;
    while (row != NULL && !is_run(row, bench, line, variant))
        row = row->next;
    if (row != NULL)
        bench->given.next = row->next;
    return row;
}

void paper_take_given(struct paper_bench *bench)
{
    for (int number = 0; number < bench->lines; number++) {
        struct paper_line *line = &bench->line[number];
        line->record = bench->records;
        line->left_out = true;
        for (int row = line->first; row < line->end; row++) {
            struct qp_record *record = &bench->record[bench->records++];
            const cJSON *found = find(bench, line, bench->row[row]);
            records_read(found, bench->row[row], record);
            if (found == NULL)
                record->verdict = QP_SKIP;
            line->left_out = line->left_out && found == NULL;
        }
        if (line->left_out)
            bench->records = line->record;
    }
}
