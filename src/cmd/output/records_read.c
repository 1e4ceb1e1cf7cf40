/* SPDX-License-Identifier: MIT */
#include "cmd/output/records.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Members of a record that are numbers; null, and what is not there, is `none`. */
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
               REAL("seconds_min", seconds_min),
               REAL("upload_seconds", upload_seconds),
               REAL("readback_seconds", readback_seconds),
               REAL("glups", glups),
               REAL("gbytes_per_s", gbytes_per_s),
               REAL("gflops", gflops),
               REAL("spread", spread),
               WHOLE("block", block),
               WHOLE("parameter", parameter),
               REAL("vertices", vertices)};

void records_read(const cJSON *row, const struct qp_variant *variant, struct qp_record *out)
{
    const char *verdict = records_text(row, "verdict");
    const cJSON *sample;
    *out = (struct qp_record){.variant = variant};
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        void *place = (char *)out + members[i].place;
        const double value = cJSON_GetNumberValue(cJSON_GetObjectItem(row, members[i].key));
        if (!members[i].whole)
            *(double *)place = value;
        else if (fabs(value) <= 0x1p30)
            *(int *)place = (int)value;
    }
    while (out->verdict < QP_VERDICTS && strcmp(qp_verdict_name(out->verdict), verdict) != 0)
        out->verdict++;
    if (out->verdict == QP_VERDICTS)
        out->verdict = QP_NO_VERDICT;
    snprintf(out->reason, sizeof out->reason, "%s", records_text(row, "reason"));
    for (char *c = out->reason; *c != '\0'; c++)
        *c = iscntrl((unsigned char)*c) ? ' ' : *c; /* which would steer a terminal */
    snprintf(out->problem, sizeof out->problem, "%s", records_text(row, "problem"));
    cJSON_ArrayForEach(sample, cJSON_GetObjectItem(row, "samples"))
    {
        if (out->sample_count < QP_MOST_REPEATS)
            out->samples[out->sample_count++] = cJSON_GetNumberValue(sample);
    }
}

const char *records_text(const cJSON *object, const char *key)
{
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return text != NULL ? text : "";
}
