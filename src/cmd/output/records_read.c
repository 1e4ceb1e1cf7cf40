/* SPDX-License-Identifier: MIT */
#include "cmd/output/records.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "io/input.h"

enum qp_status records_read_tree(const char *path, cJSON **tree)
{
    struct qp_input_file input;
    char *text = NULL;
    size_t room = 0;
    *tree = NULL;
    const enum qp_status status = qp_input_open(path, &input);
    if (status == QP_OK && getdelim(&text, &room, '\0', input.file) >= 0)
        *tree = cJSON_Parse(text);
    free(text);
    qp_input_close(&input);
    return status;
}

const char *records_text(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text != NULL ? text : "";
}

/* Copies a text without what would steer a terminal. */
static void copy_text(char *out, size_t size, const cJSON *object, const char *key)
{
    snprintf(out, size, "%s", records_text(object, key));
    for (; *out != '\0'; out++)
        *out = iscntrl((unsigned char)*out) ? ' ' : *out;
}

/* Members of a record that are numbers. */
#define REAL(key, member)                              \
    {                                                  \
        key, offsetof(struct qp_record, member), false \
    }
#define WHOLE(key, member)                            \
    {                                                 \
        key, offsetof(struct qp_record, member), true \
    }
static const struct {
    const char *key;
    size_t place;
    bool whole;
} members[] = {WHOLE("width", width),
               WHOLE("height", height),
               WHOLE("systems", systems),
               WHOLE("iterations", iterations),
               REAL("seconds", seconds),
               REAL("upload_seconds", upload_seconds),
               REAL("readback_seconds", readback_seconds),
               REAL("glups", glups),
               REAL("gbytes_per_s", gbytes_per_s),
               REAL("gflops", gflops),
               REAL("spread", spread),
               WHOLE("block", block),
               WHOLE("parameter", parameter),
               WHOLE("devices", parts.devices),
               REAL("vertices", vertices)};

/* False for a row that is none of ours. */
static bool read_record(const cJSON *row, struct qp_record *out)
{
    const cJSON *sample;
    *out = (struct qp_record){.variant = qp_variant_find(records_text(row, "variant"))};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        void *place = (char *)out + members[i].place;
        const double value = cJSON_GetNumberValue(cJSON_GetObjectItem(row, members[i].key));
        if (!members[i].whole)
            *(double *)place = value;
        else if (fabs(value) <= 0x1p30)
            *(int *)place = (int)value;
    }
    for (int verdict = 0; verdict < QP_VERDICTS; verdict++) {
        if (strcmp(qp_verdict_name(verdict), records_text(row, "verdict")) == 0)
            out->verdict = (enum qp_verdict)verdict;
    }
    copy_text(out->reason, sizeof out->reason, row, "reason");
    copy_text(out->problem, sizeof out->problem, row, "problem");
    cJSON_ArrayForEach(sample, cJSON_GetObjectItem(row, "samples"))
    {
        if (out->sample_count < QP_MOST_REPEATS)
            out->samples[out->sample_count++] = cJSON_GetNumberValue(sample);
    }
    return out->variant != NULL;
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
    for (row = rows->child; row != NULL; row = row->next)
        given->count += read_record(row, &all[given->count]);
    copy_text(given->device, sizeof given->device, tree, "device");
    copy_text(given->cpu, sizeof given->cpu, tree, "cpu");
    return QP_OK;
}

enum qp_status records_read(const char *path, struct records_given *given)
{
    cJSON *tree;
    enum qp_status status = records_read_tree(path, &tree);
    if (status != QP_OK)
        return status;
    status = add_rows(tree, given);
    cJSON_Delete(tree);
    return status == QP_OK ? QP_OK : qp_fail_within(status, "%s", path);
}
