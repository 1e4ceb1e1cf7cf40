/* SPDX-License-Identifier: MIT */
/* One tree of values, built once, is printed in either format; so both hold the same digits. The
 * whole text is in memory before the file is opened: without memory there is no file either. */
#include "cmd/output/records.h"

#include <quadpass/quadpass.h>

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/status.h"
#include "cmd/output/figures.h"
#include "cmd/output/sentence.h"
#include "commit.h"
#include "engines/border.h"
#include "io/output.h"
#include "ops/table.h"

/* ---- The tree ---- */

bool records_add(cJSON *object, const char *key, cJSON *value)
{
    if (cJSON_AddItemToObjectCS(object, key, value))
        return true;
    cJSON_Delete(value);
    return false;
}

bool records_append(cJSON *array, cJSON *value)
{
    if (cJSON_AddItemToArray(array, value))
        return true;
    cJSON_Delete(value);
    return false;
}

cJSON *records_keep(bool good, cJSON *tree)
{
    if (good)
        return tree;
    cJSON_Delete(tree);
    return NULL;
}

cJSON *records_list(int count, cJSON *(*make)(const void *all, int number), const void *all)
{
    cJSON *list = cJSON_CreateArray();
    bool good = true;
    for (int i = 0; good && i < count; i++)
        good = records_append(list, make(all, i));
    return records_keep(good, list);
}

/* A string as valid UTF-8, which JSON must be and typed words need not. */
cJSON *records_string(const char *text)
{
    char *valid = text != NULL ? sentence_valid(text) : NULL;
    cJSON *value = valid != NULL ? cJSON_CreateString(valid) : NULL;
    free(valid);
    return text != NULL ? value : cJSON_CreateNull();
}

cJSON *records_number(double value)
{
    return isfinite(value) ? cJSON_CreateNumber(value) : cJSON_CreateNull();
}

/* Needs are words in small letters: BLAS is "blas". */
static cJSON *make_library(const char *name)
{
    char text[32] = "";
    for (size_t i = 0; i + 1 < sizeof text && name[i] != '\0'; i++)
        text[i] = (char)tolower((unsigned char)name[i]);
    return records_string(text);
}

cJSON *records_needs(const struct qp_variant *variant)
{
    cJSON *needs = cJSON_CreateArray();
    bool good = needs != NULL;
    if (qp_variant_draws(variant))
        good = records_append(needs, records_string("gl"));
    if (good && variant->backend == QP_CUDA)
        good = records_append(needs, records_string("cuda"));
    if (good && qp_variant_library(variant) != NULL)
        good = records_append(needs, make_library(qp_variant_library(variant)));
    for (int i = 0; good && i < QP_ABILITIES; i++) {
        if (variant->needs >> i & 1)
            good = records_append(needs, records_string(qp_ability_name(i)));
    }
    return records_keep(good, needs);
}

/* Group size, such as "128x1"; null for rows without compute shaders. */
static cJSON *make_group(const struct qp_record *record)
{
    char text[32];
    snprintf(text, sizeof text, "%dx%d", record->group_x, record->group_y);
    return records_string(record->group_x > 0 ? text : NULL);
}

/* Whole numbers that are null where they mean nothing. */
static cJSON *make_count(double count)
{
    return records_number(count > 0.0 ? count : NAN);
}

/* Parameter of the problem; null for operations without. */
static cJSON *make_parameter(const struct qp_record *record)
{
    const char *name = record->variant->op;
    const struct qp_op *op = name != NULL ? qp_op_find(name) : NULL;
    return records_number(op != NULL && qp_op_has_parameters(op) ? record->parameter : NAN);
}

/* A marked cell: where it is, and where in its block. */
static cJSON *make_cell(const struct qp_marked_cell *cell)
{
    char text[96];
    if (cell->block_x == 0)
        return cJSON_CreateNull();
    snprintf(text, sizeof text, "(%d, %d), in its block of %d x %d at (%d, %d)", cell->x, cell->y,
             cell->block_x, cell->block_y, cell->x % cell->block_x, cell->y % cell->block_y);
    return records_string(text);
}

/* Lines of the grid of the lowest part; null for rows that share no grid between two kinds of
 * parts. */
static cJSON *make_split(const struct qp_record *record)
{
    const int split = record->parts.split;
    return records_number(split > 0 ? split : split < 0 ? 0.0 : NAN);
}

/* Async factor; null for rows without. */
static cJSON *make_alpha(const struct qp_record *record)
{
    const struct qp_recipe *recipe = record->variant->recipe;
    const bool has_one = recipe != NULL && qp_recipe_alpha_rule(recipe) != NULL;
    return records_number(has_one ? record->parts.alpha : NAN);
}

/* The way of rows between parts; null for rows in one part. */
static cJSON *make_borders(const struct qp_record *record)
{
    const enum qp_borders way = record->parts.borders;
    return records_string(way != QP_BORDERS_NONE ? qp_borders_name(way) : NULL);
}

static cJSON *make_sample(const void *samples, int number)
{
    return records_number(((const double *)samples)[number]);
}

/* Reasons for a lower clock by name; null without a clock. */
static cJSON *make_throttled(const struct qp_record *record)
{
    if (!(record->clock_mhz > 0.0))
        return cJSON_CreateNull();
    cJSON *names = cJSON_CreateArray();
    bool good = names != NULL;
    for (int i = 0; good && qp_throttle_name(i) != NULL; i++) {
        if (record->throttled >> i & 1)
            good = records_append(names, records_string(qp_throttle_name(i)));
    }
    return records_keep(good, names);
}

/* Steps and cells that were compared with the reference; null for all. */
static cJSON *make_judged(const struct qp_record *record)
{
    cJSON *judged = record->judged_steps > 0 ? cJSON_CreateObject() : cJSON_CreateNull();
    return records_keep(record->judged_steps == 0 ||
                            (records_add(judged, "steps", records_number(record->judged_steps)) &&
                             records_add(judged, "cells", records_number(record->judged_cells))),
                        judged);
}

static cJSON *make_record(const void *records, int number)
{
    const struct qp_record *record = (const struct qp_record *)records + number;
    const struct qp_variant *variant = record->variant;
    bool draws = variant->backend == QP_GL;
    cJSON *row = cJSON_CreateObject();
    bool good =
        records_add(row, "variant", records_string(variant->name)) &&
        records_add(row, "backend", records_string(qp_backend_name(variant->backend))) &&
        records_add(row, "needs", records_needs(variant)) &&
        records_add(row, "width", records_number(record->width)) &&
        records_add(row, "height", records_number(record->height)) &&
        records_add(row, "systems", records_number(record->systems)) &&
        records_add(row, "iterations", records_number(record->iterations)) &&
        records_add(row, "seconds", records_number(record->seconds)) &&
        records_add(row, "seconds_min", records_number(record->seconds_min)) &&
        records_add(row, "upload_seconds", records_number(record->upload_seconds)) &&
        records_add(row, "readback_seconds", records_number(record->readback_seconds)) &&
        records_add(row, "glups", records_number(record->glups)) &&
        records_add(row, "gbytes_per_s", records_number(record->gbytes_per_s)) &&
        records_add(row, "gflops", records_number(record->gflops)) &&
        records_add(row, "bytes_per_update", records_number(record->cost.bytes)) &&
        records_add(row, "flops_per_update", records_number(record->cost.flops)) &&
        records_add(row, "error", records_number(record->error)) &&
        records_add(row, "tolerance", records_number(record->tolerance)) &&
        records_add(row, "verdict", records_string(qp_verdict_name(record->verdict))) &&
        records_add(row, "reason", records_string(record->reason)) &&
        records_add(row, "group", make_group(record)) &&
        records_add(row, "pingpong",
                    records_string(draws ? qp_pingpong_name(record->style.pingpong) : NULL)) &&
        records_add(row, "target",
                    records_string(draws ? qp_target_name(record->style.target) : NULL)) &&
        records_add(row, "error_rms", records_number(record->error_rms)) &&
        records_add(row, "problem", records_string(record->problem)) &&
        records_add(row, "block", make_count(record->block)) &&
        records_add(row, "occupancy", make_count(record->occupancy)) &&
        records_add(row, "vertices", make_count(record->vertices)) &&
        records_add(row, "parameter", make_parameter(record)) &&
        records_add(row, "parts", make_count(record->parts.count)) &&
        records_add(row, "depth", make_count(record->parts.depth)) &&
        records_add(row, "split", make_split(record)) &&
        records_add(row, "alpha", make_alpha(record)) &&
        records_add(row, "devices", make_count(record->parts.devices)) &&
        records_add(row, "borders", make_borders(record)) &&
        records_add(row, "paper_bytes_per_update", make_count(record->cost.paper_bytes)) &&
        records_add(row, "cell", make_cell(&record->cell)) &&
        records_add(row, "threads", make_count(record->threads)) &&
        records_add(row, "samples",
                    records_list(record->sample_count, make_sample, record->samples)) &&
        records_add(row, "spread", records_number(figure_spread(record))) &&
        records_add(row, "clock_mhz", make_count(record->clock_mhz)) &&
        records_add(row, "throttled", make_throttled(record)) &&
        records_add(row, "judged", make_judged(record));
    return records_keep(good, row);
}

void records_cpu(char text[RECORDS_CPU])
{
    char line[256], model[200] = "unknown processor";
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "model name%*[ \t]: %199[^\n]", model) == 1)
            break;
    }
    if (file != NULL)
        fclose(file);
    snprintf(text, RECORDS_CPU, "%s, %ld threads", model, sysconf(_SC_NPROCESSORS_ONLN));
}

static cJSON *make_date(void)
{
    char text[sizeof "2005-12-31T23:59:59Z"];
    time_t now = time(NULL);
    struct tm parts;
    gmtime_r(&now, &parts);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return records_string(text);
}

cJSON *records_head(const struct records_head *head)
{
    cJSON *tree = cJSON_CreateObject();
    char cpu[RECORDS_CPU];
    records_cpu(cpu);
    bool good = records_add(tree, "quadpass", records_string(qp_version())) &&
                records_add(tree, "device", records_string(head->device)) &&
                records_add(tree, "driver", records_string(head->driver)) &&
                records_add(tree, "cpu", records_string(cpu)) &&
                records_add(tree, "commit", records_string(QP_COMMIT)) &&
                records_add(tree, "command", records_string(head->command)) &&
                records_add(tree, "date", make_date());
    return records_keep(good, tree);
}

/* ---- Files ---- */

enum qp_status records_write_text(const char *path, const char *text)
{
    if (text == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for the records");
    struct qp_output output;
    bool good = qp_output_open(&output, path) && fputs(text, output.file) >= 0;
    return qp_output_close(&output, good ? NULL : strerror(errno));
}

enum qp_status records_write_tree(const char *path, cJSON *tree)
{
    char *text = tree != NULL ? records_print_json(tree) : NULL;
    enum qp_status status = records_write_text(path, text);
    free(text);
    cJSON_Delete(tree);
    return status;
}

enum qp_status records_write_json(const char *path, const struct records_head *head,
                                  const struct qp_record *records, int count)
{
    return records_write_rows(path, NULL, head, records_list(count, make_record, records));
}

/* Takes all three trees and deletes them; the head may be NULL, and is with `headless`. */
static enum qp_status write_csv(const char *path, cJSON *head, bool headless, cJSON *model,
                                cJSON *rows)
{
    bool good = (head != NULL || headless) && model != NULL && rows != NULL;
    char *text = good ? records_print_csv(head, model, rows) : NULL;
    enum qp_status status = records_write_text(path, text);
    free(text);
    cJSON_Delete(rows);
    cJSON_Delete(model);
    cJSON_Delete(head);
    return status;
}

enum qp_status records_write_csv(const char *path, const struct records_head *head,
                                 const struct qp_record *records, int count)
{
    /* Names the columns, even of no rows. */
    const struct qp_record any = {.variant = qp_variant_at(0)};
    return write_csv(path, records_head(head), false, make_record(&any, 0),
                     records_list(count, make_record, records));
}

/* The same rows in either format; those of the CSV are a copy. */
enum qp_status records_write_rows(const char *json, const char *csv,
                                  const struct records_head *head, cJSON *rows)
{
    enum qp_status status = QP_OK;
    if (csv != NULL) {
        cJSON *copy = rows != NULL ? cJSON_Duplicate(rows, true) : NULL;
        cJSON *model = copy != NULL && copy->child != NULL ? cJSON_Duplicate(copy->child, true)
                                                           : cJSON_CreateObject();
        status =
            write_csv(csv, head != NULL ? records_head(head) : NULL, head == NULL, model, copy);
    }
    if (json == NULL || status != QP_OK) {
        cJSON_Delete(rows);
        return status;
    }
    if (head == NULL)
        return records_write_tree(json, rows);
    cJSON *tree = records_head(head);
    return records_write_tree(json, records_keep(records_add(tree, "records", rows), tree));
}
