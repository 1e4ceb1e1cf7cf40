/* SPDX-License-Identifier: MIT */
#include "tools/cmd/tune/t4.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/base/text.h"
#include "tools/cmd/output/records.h"

static const char *const ends[QP_TRIED_ENDS] = {
    [QP_TRIED_CORRECT] = "correct",         [QP_TRIED_COMPILE] = "compile",
    [QP_TRIED_RUNTIME] = "runtime",         [QP_TRIED_TIMEOUT] = "timeout",
    [QP_TRIED_CORRECTNESS] = "correctness", [QP_TRIED_CONSTRAINTS] = "constraints"};

static const char *const times[QP_TRIED_TIMES] = {[QP_TRIED_COMPILING] = "compilation_time",
                                                  [QP_TRIED_JUDGING] = "validation",
                                                  [QP_TRIED_OTHER] = "framework"};

/* ---- Times: whole picoseconds, which milliseconds in a file hold exactly ---- */

static double in_milliseconds(double seconds)
{
    return round(seconds * 1e12) / 1e9;
}

static double in_seconds(double milliseconds)
{
    return round(milliseconds * 1e9) / 1e12;
}

void t4_round(struct qp_tried *tried)
{
    for (int i = 0; i < QP_TRIED_TIMES; i++)
        tried->times[i] = in_seconds(in_milliseconds(tried->times[i]));
    for (int i = 0; i < tried->count; i++)
        tried->samples[i] = in_seconds(in_milliseconds(tried->samples[i]));
}

/* ---- Writing ---- */

static void put_text(FILE *out, const char *before, const char *key, const char *text)
{
    cJSON *value = records_string(text);
    char *quoted = value != NULL ? cJSON_PrintUnformatted(value) : NULL;
    fprintf(out, "%s\"%s\": %s", before, key, quoted != NULL ? quoted : "\"\"");
    cJSON_free(quoted);
    cJSON_Delete(value);
}

static void put_configuration(FILE *out, const struct qp_space *space, int configuration)
{
    const char *before = "";
    for (int k = 0; k < space->parameters; k++) {
        const struct qp_space_parameter *p = &space->parameter[k];
        const int digit = qp_space_digit(space, configuration, k);
        if (p->is_fact)
            continue;
        if (isnan(p->number[digit]))
            put_text(out, before, p->name, p->text[digit]);
        else
            fprintf(out, "%s\"%s\": %.17g", before, p->name, p->number[digit]);
        before = ", ";
    }
}

static void put_result(FILE *out, const struct qp_space *space, const struct qp_tried *tried)
{
    const bool correct = tried->end == QP_TRIED_CORRECT;
    put_text(out, "{", "timestamp", tried->when);
    fputs(", \"configuration\": {", out);
    put_configuration(out, space, tried->configuration);
    fputs("}, \"objectives\": [\"time\"], \"times\": {", out);
    for (int i = 0; i < QP_TRIED_TIMES; i++)
        fprintf(out, "\"%s\": %.15g, ", times[i], in_milliseconds(tried->times[i]));
    fputs("\"runtimes\": [", out);
    for (int i = 0; i < tried->count; i++)
        fprintf(out, "%s%.15g", i > 0 ? ", " : "", in_milliseconds(tried->samples[i]));
    fprintf(out, "]}, \"invalidity\": \"%s\", \"correctness\": %d, \"measurements\": [",
            ends[tried->end], correct);
    if (correct)
        fprintf(out, "{\"name\": \"time\", \"unit\": \"ms\", \"value\": %.15g}]}",
                in_milliseconds(qp_tried_seconds(tried)));
    else
        put_text(out, "{\"name\": \"reason\", \"unit\": \"\", ", "value", tried->why);
    fputs(correct ? "" : "}]}", out);
}

enum qp_status t4_write(const char *path, const struct t4 *t4)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for results");
    fputs("{\"schema_version\": \"1.0.0\",\n", out);
    put_text(out, "\"metadata\": {", "kernel", t4->kernel);
    put_text(out, ", ", "device", t4->device);
    put_text(out, ", ", "space", t4->space.text);
    fputs("},\n\"results\": [", out);
    for (int i = 0; i < t4->count; i++) {
        fputs(i > 0 ? ",\n" : "\n", out);
        put_result(out, &t4->space, &t4->tried[i]);
    }
    fputs("\n]}\n", out);
    return records_write_text(path, records_finish(out, &text, true));
}

/* ---- Reading ---- */

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static enum qp_status read_configuration(const cJSON *values, const struct qp_space *space,
                                         int *out)
{
    *out = 0;
    for (int k = 0; k < space->parameters; k++) {
        const struct qp_space_parameter *p = &space->parameter[k];
        const cJSON *value = member(values, p->name);
        int digit = cJSON_IsString(value) ? qp_space_value(p, value->valuestring) : -1;
        for (int i = 0; i < p->count && cJSON_IsNumber(value) && digit < 0; i++)
            digit = p->number[i] == value->valuedouble ? i : -1;
        if (digit < 0 && !p->is_fact)
            return qp_fail(QP_BAD_INPUT,
                           "its configuration has no value of '%s' that the space has", p->name);
        *out += p->is_fact ? 0 : digit * p->stride;
    }
    return qp_space_find(space, *out) >= 0
               ? QP_OK
               : qp_fail(QP_BAD_INPUT, "the space excludes its configuration");
}

static enum qp_status read_times(const cJSON *object, struct qp_tried *out)
{
    const cJSON *run;
    for (int i = 0; i < QP_TRIED_TIMES; i++) {
        const cJSON *time = member(object, times[i]);
        if (time != NULL && !(cJSON_IsNumber(time) && time->valuedouble >= 0.0))
            return qp_fail(QP_BAD_INPUT, "its %s is no time", times[i]);
        out->times[i] = time != NULL ? in_seconds(time->valuedouble) : 0.0;
    }
    cJSON_ArrayForEach(run, member(object, "runtimes"))
    {
        if (!cJSON_IsNumber(run) || !(run->valuedouble > 0.0 && run->valuedouble < 1e12))
            return qp_fail(QP_BAD_INPUT, "one of its runtimes is no time");
        if (out->count < QP_MOST_REPEATS)
            out->samples[out->count++] = in_seconds(run->valuedouble);
    }
    return out->count > 0 || out->end != QP_TRIED_CORRECT
               ? QP_OK
               : qp_fail(QP_BAD_INPUT, "it is correct and has no runtimes");
}

static enum qp_status read_result(const cJSON *result, const struct qp_space *space,
                                  struct qp_tried *out)
{
    const int end = qp_text_place(ends, QP_TRIED_ENDS, records_text(result, "invalidity"));
    *out = (struct qp_tried){.count = 0};
    if (end == QP_TRIED_ENDS || !cJSON_IsNumber(member(result, "correctness")) ||
        !cJSON_IsObject(member(result, "times")))
        return qp_fail(QP_BAD_INPUT, "it lacks times, correctness, or an invalidity that T4 knows");
    out->end = (enum qp_tried_end)end;
    snprintf(out->when, sizeof out->when, "%s", records_text(result, "timestamp"));
    if (end != QP_TRIED_CORRECT)
        snprintf(out->why, sizeof out->why, "%s",
                 records_text(cJSON_GetArrayItem(member(result, "measurements"), 0), "value"));
    enum qp_status status = read_times(member(result, "times"), out);
    return status == QP_OK
               ? read_configuration(member(result, "configuration"), space, &out->configuration)
               : status;
}

static enum qp_status read_tree(const cJSON *tree, struct t4 *out)
{
    const cJSON *metadata = member(tree, "metadata"), *results = member(tree, "results");
    if (!cJSON_IsArray(results) || records_text(metadata, "space")[0] == '\0')
        return qp_fail(QP_BAD_INPUT, "it is no JSON of T4 with results, and in metadata a space");
    enum qp_status status = qp_space_read(records_text(metadata, "space"), &out->space);
    if (status != QP_OK)
        return qp_fail_within(status, "its space");
    out->kernel = qp_copy_text(records_text(metadata, "kernel"), "a name");
    out->device = qp_copy_text(records_text(metadata, "device"), "a name");
    out->tried = qp_alloc((size_t)cJSON_GetArraySize(results) + 1, sizeof *out->tried, "results");
    if (out->kernel == NULL || out->device == NULL || out->tried == NULL)
        return QP_NO_MEMORY;
    for (const cJSON *one = results->child; one != NULL && status == QP_OK; one = one->next) {
        status = read_result(one, &out->space, &out->tried[out->count++]);
        if (status != QP_OK)
            qp_fail_within(status, "result %d", out->count);
    }
    return status;
}

enum qp_status t4_read(const char *path, struct t4 *out)
{
    cJSON *tree;
    *out = (struct t4){.count = 0};
    enum qp_status status = records_read_tree(path, SIZE_MAX, &tree);
    if (status == QP_OK) {
        status = read_tree(tree, out);
        if (status != QP_OK)
            qp_fail_within(status, "%s", path);
        cJSON_Delete(tree);
    }
    if (status != QP_OK)
        t4_destroy(out);
    return status;
}

void t4_destroy(struct t4 *t4)
{
    free(t4->kernel);
    free(t4->device);
    free(t4->tried);
    qp_space_destroy(&t4->space);
    *t4 = (struct t4){.count = 0};
}
