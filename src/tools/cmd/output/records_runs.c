/* SPDX-License-Identifier: MIT */
/* Records of runs. One table of keys, in the order of files: by it they are written and read. */
#include "tools/cmd/output/records.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/engines/parts/border.h"
#include "lab/ops/table.h"
#include "toolkit/base/status.h"
#include "tools/cmd/output/figures.h"

/* ---- Keys that no member holds as it is written ---- */

static cJSON *make_variant(const struct qp_record *record)
{
    return records_string(record->variant->name);
}

static void read_variant(const cJSON *value, struct qp_record *out)
{
    out->variant = cJSON_IsString(value) ? qp_variant_find(value->valuestring) : NULL;
}

static cJSON *make_backend(const struct qp_record *record)
{
    return records_string(qp_backend_name(record->variant->backend));
}

static cJSON *make_needs(const struct qp_record *record)
{
    return records_needs(record->variant);
}

static cJSON *make_verdict(const struct qp_record *record)
{
    return records_string(qp_verdict_name(record->verdict));
}

static void read_verdict(const cJSON *value, struct qp_record *out)
{
    for (int verdict = 0; verdict < QP_VERDICTS && cJSON_IsString(value); verdict++) {
        if (strcmp(qp_verdict_name(verdict), value->valuestring) == 0)
            out->verdict = (enum qp_verdict)verdict;
    }
}

/* Group size, such as "128x1"; null for variants without compute shaders. */
static cJSON *make_group(const struct qp_record *record)
{
    char text[32];
    snprintf(text, sizeof text, "%dx%d", record->group_x, record->group_y);
    return records_string(record->group_x > 0 ? text : NULL);
}

static cJSON *make_pingpong(const struct qp_record *record)
{
    return records_string(
        record->variant->backend == QP_GL ? qp_pingpong_name(record->style.pingpong) : NULL);
}

static cJSON *make_target(const struct qp_record *record)
{
    return records_string(record->variant->backend == QP_GL ? qp_target_name(record->style.target)
                                                            : NULL);
}

/* Parameter of the problem; null for operations without. */
static cJSON *make_parameter(const struct qp_record *record)
{
    const struct qp_variant *variant = record->variant;
    const struct qp_op *op = variant->op != NULL ? qp_op_find(variant->op) : NULL;
    return records_number(op != NULL && qp_op_has_parameters(op) ? record->parameter : NAN);
}

/* Lines of the grid of the lowest part; null for variants that share no grid between two kinds of
 * parts. */
static cJSON *make_split(const struct qp_record *record)
{
    const int split = record->parts.split;
    return records_number(split > 0 ? split : split < 0 ? 0.0 : NAN);
}

/* Async factor; null for variants without. */
static cJSON *make_alpha(const struct qp_record *record)
{
    const struct qp_recipe *recipe = record->variant->recipe;
    const bool has_one = recipe != NULL && qp_recipe_alpha_rule(recipe) != NULL;
    return records_number(has_one ? record->parts.alpha : NAN);
}

/* The way of rows between parts; null for variants in one part. */
static cJSON *make_borders(const struct qp_record *record)
{
    const bool has_one = record->parts.borders != QP_BORDERS_NONE;
    return records_string(has_one ? qp_borders_name(record->parts.borders) : NULL);
}

/* A marked cell: where it is, and where in its block. */
static cJSON *make_cell(const struct qp_record *record)
{
    const struct qp_marked_cell *cell = &record->cell;
    char text[96];
    if (cell->block_x == 0)
        return cJSON_CreateNull();
    snprintf(text, sizeof text, "(%d, %d), in its block of %d x %d at (%d, %d)", cell->x, cell->y,
             cell->block_x, cell->block_y, cell->x % cell->block_x, cell->y % cell->block_y);
    return records_string(text);
}

static cJSON *make_sample(const void *samples, int number)
{
    return records_number(((const double *)samples)[number]);
}

static cJSON *make_samples(const struct qp_record *record)
{
    return records_list(record->sample_count, make_sample, record->samples);
}

static void read_samples(const cJSON *value, struct qp_record *out)
{
    const cJSON *sample;
    cJSON_ArrayForEach(sample, value)
    {
        if (out->sample_count < QP_MOST_REPEATS)
            out->samples[out->sample_count++] = cJSON_GetNumberValue(sample);
    }
}

static cJSON *make_spread(const struct qp_record *record)
{
    return records_number(figure_spread(record));
}

/* Reasons for a lower clock by name; null without a clock. */
static cJSON *make_throttled(const struct qp_record *record)
{
    return record->clock_mhz > 0.0 ? records_bits(record->throttled, qp_throttle_name)
                                   : cJSON_CreateNull();
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

/* ---- The table ---- */

/* clang-format off */
#define TYPE(member) \
    _Generic(((struct qp_record *)0)->member, int: INT, double: DOUBLE, char *: TEXT)
/* clang-format on */
#define MEMBER(member)                                                  \
    .type = TYPE(member), .offset = offsetof(struct qp_record, member), \
    .size = sizeof((struct qp_record *)0)->member
#define COUNT(member) MEMBER(member), .counts = true

static const struct key {
    const char *name;
    enum { COMPUTED, INT, DOUBLE, TEXT } type;
    size_t offset, size; /* the member's */
    bool counts;         /* the member is null where it is 0, which means nothing */
    cJSON *(*make)(const struct qp_record *record);
    void (*read)(const cJSON *value, struct qp_record *out); /* NULL: files are not asked for it */
} keys[] = {
    {"variant", .make = make_variant, .read = read_variant},
    {"backend", .make = make_backend},
    {"needs", .make = make_needs},
    {"width", MEMBER(width)},
    {"height", MEMBER(height)},
    {"systems", MEMBER(systems)},
    {"iterations", MEMBER(iterations)},
    {"seconds", MEMBER(seconds)},
    {"seconds_min", MEMBER(seconds_min)},
    {"upload_seconds", MEMBER(upload_seconds)},
    {"readback_seconds", MEMBER(readback_seconds)},
    {"glups", MEMBER(glups)},
    {"gbytes_per_s", MEMBER(gbytes_per_s)},
    {"gflops", MEMBER(gflops)},
    {"bytes_per_update", MEMBER(cost.bytes)},
    {"flops_per_update", MEMBER(cost.flops)},
    {"error", MEMBER(error)},
    {"tolerance", MEMBER(tolerance)},
    {"verdict", .make = make_verdict, .read = read_verdict},
    {"reason", MEMBER(reason)},
    {"group", .make = make_group},
    {"pingpong", .make = make_pingpong},
    {"target", .make = make_target},
    {"error_rms", MEMBER(error_rms)},
    {"problem", MEMBER(problem)},
    {"block", COUNT(block)},
    {"occupancy", COUNT(occupancy)},
    {"vertices", COUNT(vertices)},
    {"parameter", MEMBER(parameter), .make = make_parameter},
    {"parts", COUNT(parts.count)},
    {"depth", COUNT(parts.depth)},
    {"split", .make = make_split},
    {"alpha", .make = make_alpha},
    {"devices", COUNT(parts.devices)},
    {"borders", .make = make_borders},
    {"paper_bytes_per_update", COUNT(cost.paper_bytes)},
    {"cell", .make = make_cell},
    {"threads", COUNT(threads)},
    {"samples", .make = make_samples, .read = read_samples},
    {"spread", MEMBER(spread), .make = make_spread},
    {"clock_mhz", COUNT(clock_mhz)},
    {"throttled", .make = make_throttled},
    {"judged", .make = make_judged},
};

static cJSON *make_value(const struct key *key, const struct qp_record *record)
{
    const void *place = (const char *)record + key->offset;
    if (key->make != NULL)
        return key->make(record);
    if (key->type == TEXT)
        return records_string(place);
    const double value = key->type == INT ? *(const int *)place : *(const double *)place;
    return records_number(!key->counts || value > 0.0 ? value : NAN);
}

/* ---- Keys of a kernel file's check, in JSON alone ---- */

static cJSON *make_case(const void *cases, int number)
{
    const struct records_case *one = (const struct records_case *)cases + number;
    cJSON *tree = cJSON_CreateObject();
    return records_keep(
        records_add(tree, "width", records_number(one->width)) &&
            records_add(tree, "height", records_number(one->height)) &&
            records_add(tree, "iterations", records_number(one->steps)) &&
            records_add(tree, "error", records_number(one->error)) &&
            records_add(tree, "tolerance", records_number(one->tolerance)) &&
            records_add(tree, "verdict", records_string(qp_verdict_name(one->verdict))),
        tree);
}

/* The worst cell of the case that the record is of; null where that has none. */
static cJSON *make_worst(const struct records_judged *judged, const struct qp_record *record)
{
    const struct records_case *one = judged->at, *end = judged->at + judged->count;
    while (one < end && (one->width != record->width || one->height != record->height ||
                         one->steps != record->iterations))
        one++;
    if (one == end || one->x < 0)
        return cJSON_CreateNull();
    cJSON *tree = cJSON_CreateObject();
    return records_keep(records_add(tree, "x", records_number(one->x)) &&
                            records_add(tree, "y", records_number(one->y)) &&
                            records_add(tree, "state", records_string(one->state)) &&
                            records_add(tree, "channel", records_number(one->channel)) &&
                            records_add(tree, "got", records_number(one->got)) &&
                            records_add(tree, "wanted", records_number(one->wanted)),
                        tree);
}

/* Adds them to records, in whose order the variants were judged; takes NULL, for want of memory. */
static cJSON *add_judged(cJSON *rows, const struct records_cases *cases,
                         const struct qp_record *records)
{
    const struct records_judged *judged = cases != NULL ? cases->judged : NULL;
    bool good = true;
    for (cJSON *row = rows != NULL && judged != NULL ? rows->child : NULL; row != NULL && good;
         row = row->next, judged++, records++)
        good = records_add(row, "cases", records_list(judged->count, make_case, judged->at)) &&
               records_add(row, "worst", make_worst(judged, records));
    return records_keep(good, rows);
}

static cJSON *make_record(const void *records, int number)
{
    const struct qp_record *record = (const struct qp_record *)records + number;
    cJSON *row = cJSON_CreateObject();
    bool good = true;
    for (size_t i = 0; good && i < sizeof keys / sizeof keys[0]; i++)
        good = records_add(row, keys[i].name, make_value(&keys[i], record));
    return records_keep(good, row);
}

enum qp_status records_write(const char *json, const char *csv, const struct records_head *head,
                             const struct qp_record *records, int count)
{
    /* Names the columns, even of no rows. */
    const struct qp_record any = {.variant = qp_variant_at(0)};
    const enum qp_status status =
        json != NULL ? records_write_rows(json, NULL, head, NULL,
                                          add_judged(records_list(count, make_record, records),
                                                     head->cases, records))
                     : QP_OK;
    if (csv == NULL || status != QP_OK)
        return status;
    return records_write_rows(NULL, csv, head, make_record(&any, 0),
                              records_list(count, make_record, records));
}

/* ---- Files that are read ---- */

/* Copies a text without what would steer a terminal. */
static void copy_text(char *out, size_t size, const char *text)
{
    snprintf(out, size, "%s", text);
    for (; *out != '\0'; out++)
        *out = iscntrl((unsigned char)*out) ? ' ' : *out;
}

/* Null, and no value, are NaN, 0 or "". */
static void read_value(const struct key *key, const cJSON *value, struct qp_record *out)
{
    void *place = (char *)out + key->offset;
    const double number = cJSON_GetNumberValue(value);
    if (key->read != NULL)
        key->read(value, out);
    else if (key->type == DOUBLE)
        *(double *)place = number;
    else if (key->type == TEXT)
        copy_text(place, key->size, cJSON_IsString(value) ? value->valuestring : "");
    else if (key->type == INT && fabs(number) <= 0x1p30)
        *(int *)place = (int)number;
}

/* Reads samples, and members that are written as they are. False: no variant has the name, or its
 * time is that of nothing. */
static bool read_record(const cJSON *row, struct qp_record *out)
{
    *out = (struct qp_record){0};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        read_value(&keys[i], cJSON_GetObjectItemCaseSensitive(row, keys[i].name), out);
    return out->variant != NULL &&
           (isnan(out->seconds) || (isfinite(out->seconds) && out->seconds > 0.0 &&
                                    out->iterations > 0 && out->width > 0 && out->height > 0));
}

/* Adds the rows of a file to those of others. */
static enum qp_status add_rows(const cJSON *tree, struct records_given *given)
{
    const cJSON *row, *rows = cJSON_GetObjectItem(tree, "records");
    if (!cJSON_IsArray(rows))
        return qp_fail(QP_BAD_INPUT, "it has no records as --json writes them");
    const size_t count = (size_t)given->count + (size_t)cJSON_GetArraySize(rows);
    struct qp_record *all = realloc(given->record, (count + 1) * sizeof *all);
    if (all == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for %zu records", count);
    given->record = all;
    for (row = rows->child; row != NULL; row = row->next) {
        const bool good = read_record(row, &all[given->count]);
        given->count += good;
        given->unknown += !good;
    }
    const struct {
        const char *key;
        char *text;
        size_t size;
    } head[] = {{"quadpass", given->version, sizeof given->version},
                {"device", given->device, sizeof given->device},
                {"driver", given->driver, sizeof given->driver},
                {"cpu", given->cpu, sizeof given->cpu},
                {"commit", given->commit, sizeof given->commit},
                {"command", given->command, sizeof given->command},
                {"date", given->date, sizeof given->date}};
    for (size_t i = 0; i < sizeof head / sizeof head[0]; i++)
        copy_text(head[i].text, head[i].size, records_text(tree, head[i].key));
    return QP_OK;
}

/* Adds the rows of a tree, and deletes it. */
static enum qp_status take_tree(const char *name, cJSON *tree, struct records_given *given)
{
    const enum qp_status status = add_rows(tree, given);
    cJSON_Delete(tree);
    return status == QP_OK ? QP_OK : qp_fail_within(status, "%s", name);
}

enum qp_status records_read(const char *path, struct records_given *given)
{
    enum { MOST = 8 << 20 }; /* bytes of some ten thousand records */
    cJSON *tree;
    const enum qp_status status = records_read_tree(path, MOST, &tree);
    return status == QP_OK ? take_tree(path, tree, given) : status;
}

enum qp_status records_read_text(const char *name, const char *text, struct records_given *given)
{
    return take_tree(name, cJSON_Parse(text), given);
}
