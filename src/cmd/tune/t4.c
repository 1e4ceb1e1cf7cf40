/* SPDX-License-Identifier: MIT */
#include "cmd/tune/t4.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "cmd/output/records.h"
#include "io/input.h"

static const char *const ends[QP_TRIED_ENDS] = {
    [QP_TRIED_CORRECT] = "correct",         [QP_TRIED_COMPILE] = "compile",
    [QP_TRIED_RUNTIME] = "runtime",         [QP_TRIED_TIMEOUT] = "timeout",
    [QP_TRIED_CORRECTNESS] = "correctness", [QP_TRIED_CONSTRAINTS] = "constraints"};

/* ---- Times: seconds of whole picoseconds, which milliseconds in a file hold exactly ---- */

static double in_picoseconds(double milliseconds)
{
    return round(milliseconds * 1e9) / 1e12;
}

static double in_milliseconds(double seconds)
{
    return round(seconds * 1e12) / 1e9;
}

/* Times of a configuration beside its runs. */
static const struct {
    const char *name;
    size_t place;
} parts[] = {{"compilation_time", offsetof(struct qp_tried, compiling)},
             {"framework", offsetof(struct qp_tried, between)},
             {"search_algorithm", offsetof(struct qp_tried, searching)},
             {"validation", offsetof(struct qp_tried, judging)}};

enum { PARTS = sizeof parts / sizeof parts[0] };

static double *part_of(struct qp_tried *tried, int part)
{
    return (double *)((char *)tried + parts[part].place);
}

void t4_round(struct qp_tried *tried)
{
    for (int i = 0; i < PARTS; i++)
        *part_of(tried, i) = in_picoseconds(in_milliseconds(*part_of(tried, i)));
    for (int i = 0; i < tried->count; i++)
        tried->samples[i] = in_picoseconds(in_milliseconds(tried->samples[i]));
}

/* ---- Writing ---- */

static cJSON *make_times(const struct qp_tried *tried)
{
    double runs[QP_MOST_REPEATS];
    cJSON *times = cJSON_CreateObject();
    for (int i = 0; i < tried->count; i++)
        runs[i] = in_milliseconds(tried->samples[i]);
    bool good = records_add(times, "runtimes", cJSON_CreateDoubleArray(runs, tried->count));
    for (int i = 0; i < PARTS && good; i++)
        good = records_add(times, parts[i].name,
                           records_number(in_milliseconds(*part_of((struct qp_tried *)tried, i))));
    return records_keep(good, times);
}

static cJSON *make_configuration(const struct qp_space *space, int configuration)
{
    cJSON *values = cJSON_CreateObject();
    bool good = values != NULL;
    for (int k = 0; k < space->parameters && good; k++) {
        const struct qp_space_parameter *p = &space->parameter[k];
        const int digit = qp_space_digit(space, configuration, k);
        if (!p->is_fact)
            good = records_add(values, p->name,
                               isnan(p->number[digit]) ? records_string(p->text[digit])
                                                       : records_number(p->number[digit]));
    }
    return records_keep(good, values);
}

static cJSON *make_measurements(const struct qp_tried *tried)
{
    const double time = in_milliseconds(qp_tried_seconds(tried));
    const bool correct = tried->end == QP_TRIED_CORRECT;
    cJSON *list = cJSON_CreateArray(), *one = cJSON_CreateObject();
    bool good =
        records_add(one, "name", records_string(correct ? "time" : "reason")) &&
        records_add(one, "value", correct ? records_number(time) : records_string(tried->why)) &&
        records_add(one, "unit", records_string(correct ? "ms" : ""));
    return records_keep(records_append(list, records_keep(good, one)), list);
}

static cJSON *make_result(const void *all, int number)
{
    static const char *const objectives[] = {"time"};
    const struct t4 *t4 = all;
    const struct qp_tried *tried = &t4->tried[number];
    cJSON *result = cJSON_CreateObject();
    bool good =
        records_add(result, "timestamp", records_string(tried->when)) &&
        records_add(result, "configuration", make_configuration(t4->space, tried->configuration)) &&
        records_add(result, "objectives", cJSON_CreateStringArray(objectives, 1)) &&
        records_add(result, "times", make_times(tried)) &&
        records_add(result, "invalidity", records_string(ends[tried->end])) &&
        records_add(result, "correctness",
                    records_number(tried->end == QP_TRIED_CORRECT ? 1.0 : 0.0)) &&
        records_add(result, "measurements", make_measurements(tried));
    return records_keep(good, result);
}

/* The form leaves room for metadata of a tool's own. */
static cJSON *make_metadata(const struct t4 *t4)
{
    cJSON *metadata = cJSON_CreateObject(), *environment = cJSON_CreateObject();
    const char *device = t4->device;
    bool good = records_add(environment, "requirements", cJSON_CreateStringArray(&device, 1));
    good = records_add(metadata, "environment", records_keep(good, environment)) &&
           records_add(metadata, "kernel", records_string(t4->kernel)) &&
           records_add(metadata, "device", records_string(t4->device)) &&
           records_add(metadata, "space", records_string(t4->space->text));
    return records_keep(good, metadata);
}

enum qp_status t4_write(const char *path, const struct t4 *t4)
{
    cJSON *tree = cJSON_CreateObject();
    bool good = records_add(tree, "schema_version", records_string("1.0.0")) &&
                records_add(tree, "metadata", make_metadata(t4)) &&
                records_add(tree, "results", records_list(t4->count, make_result, t4));
    return records_write_tree(path, records_keep(good, tree));
}

/* ---- Reading ---- */

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

/* A text of the metadata; "" where it is not. */
static const char *metadata(const cJSON *tree, const char *name)
{
    const char *text = cJSON_GetStringValue(member(member(tree, "metadata"), name));
    return text != NULL ? text : "";
}

/* A value as a space's line has it; NULL: it is neither a number nor a word. */
static const char *value_text(const cJSON *value, char text[32])
{
    if (cJSON_IsString(value) && value->valuestring[0] != '\0' &&
        strpbrk(value->valuestring, " \t\r\n") == NULL)
        return value->valuestring;
    if (cJSON_IsBool(value))
        return cJSON_IsTrue(value) ? "true" : "false";
    if (!cJSON_IsNumber(value) || !isfinite(value->valuedouble))
        return NULL;
    snprintf(text, 32, "%.15g", value->valuedouble);
    return text;
}

/* A line for each parameter of the first configuration, with the values of all in their order; so the first configuration
 * is the default. */
static char *collect_space(const cJSON *results)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    const cJSON *result, *first = member(results->child, "configuration");
    for (const cJSON *p = first != NULL && out != NULL ? first->child : NULL; p; p = p->next) {
        char values[4096] = " ", buffer[32], word[64];
        cJSON_ArrayForEach(result, results)
        {
            const cJSON *value = member(member(result, "configuration"), p->string);
            const char *said = value_text(value, buffer);
            snprintf(word, sizeof word, " %s ", said != NULL ? said : "?");
            if (strstr(values, word) == NULL && strlen(values) + sizeof word < sizeof values)
                strcat(values, word + 1);
        }
        fprintf(out, "tune %s =%s\n", p->string, values);
    }
    return out != NULL && fclose(out) == 0 ? text : NULL;
}

static enum qp_status read_configuration(const cJSON *result, const struct qp_space *space,
                                         int *out)
{
    const cJSON *values = member(result, "configuration");
    *out = 0;
    for (int k = 0; k < space->parameters; k++) {
        const struct qp_space_parameter *p = &space->parameter[k];
        const cJSON *value = member(values, p->name);
        char buffer[32];
        const char *text = value_text(value, buffer);
        int digit = text != NULL ? qp_space_value(p, text) : -1;
        for (int i = 0; i < p->count && digit < 0 && cJSON_IsNumber(value); i++)
            digit = p->number[i] == value->valuedouble ? i : -1;
        if (digit < 0 && !p->is_fact)
            return qp_fail(QP_BAD_INPUT,
                           "its configuration has no value of '%s' that the space has", p->name);
        if (!p->is_fact)
            *out = qp_space_with(space, *out, k, digit);
    }
    return qp_space_find(space, *out) >= 0
               ? QP_OK
               : qp_fail(QP_BAD_INPUT, "the space excludes its configuration");
}

static enum qp_status read_times(const cJSON *times, struct qp_tried *out)
{
    const cJSON *run;
    for (int i = 0; i < PARTS; i++) {
        const cJSON *part = member(times, parts[i].name);
        if (part != NULL && !(cJSON_IsNumber(part) && part->valuedouble >= 0.0))
            return qp_fail(QP_BAD_INPUT, "its %s is no time", parts[i].name);
        *part_of(out, i) = in_picoseconds(part != NULL ? part->valuedouble : 0.0);
    }
    cJSON_ArrayForEach(run, member(times, "runtimes"))
    {
        if (!cJSON_IsNumber(run) || !(run->valuedouble > 0.0 && run->valuedouble < 1e12))
            return qp_fail(QP_BAD_INPUT, "one of its runtimes is no time");
        if (out->count < QP_MOST_REPEATS)
            out->samples[out->count++] = in_picoseconds(run->valuedouble);
    }
    return out->count > 0 || out->end != QP_TRIED_CORRECT
               ? QP_OK
               : qp_fail(QP_BAD_INPUT, "it is correct and has no runtimes");
}

static enum qp_status read_result(const cJSON *result, const struct qp_space *space,
                                  struct qp_tried *out)
{
    const char *end = cJSON_GetStringValue(member(result, "invalidity")),
               *when = cJSON_GetStringValue(member(result, "timestamp")),
               *why = cJSON_GetStringValue(
                   member(cJSON_GetArrayItem(member(result, "measurements"), 0), "value"));
    int k = 0;
    *out = (struct qp_tried){.count = 0};
    while (k < QP_TRIED_ENDS && (end == NULL || strcmp(ends[k], end) != 0))
        k++;
    if (k == QP_TRIED_ENDS || !cJSON_IsNumber(member(result, "correctness")) ||
        !cJSON_IsObject(member(result, "times")))
        return qp_fail(QP_BAD_INPUT, "it lacks times, correctness or one of T4's words in "
                                     "invalidity");
    out->end = (enum qp_tried_end)k;
    snprintf(out->when, sizeof out->when, "%s", when != NULL ? when : "");
    snprintf(out->why, sizeof out->why, "%s", why != NULL && k != QP_TRIED_CORRECT ? why : "");
    enum qp_status status = read_times(member(result, "times"), out);
    return status != QP_OK ? status : read_configuration(result, space, &out->configuration);
}

/* Leaves of a space that was collected what was recorded; and its lines, which cannot say so. */
static enum qp_status keep_recorded(struct t4 *t4)
{
    struct qp_space *space = &t4->own;
    char *is_there = qp_alloc_zero((size_t)space->size, 1, "configurations");
    if (is_there == NULL)
        return QP_NO_MEMORY;
    for (int i = 0; i < t4->count; i++)
        is_there[t4->tried[i].configuration] = 1;
    space->count = 0;
    for (int k = 0; k < space->size; k++) {
        if (is_there[k])
            space->valid[space->count++] = k;
    }
    space->text[0] = '\0';
    free(is_there);
    return QP_OK;
}

static enum qp_status read_space(const cJSON *tree, struct t4 *out)
{
    const char *lines = metadata(tree, "space");
    char *text =
        lines[0] != '\0' ? qp_copy_text(lines, "a space") : collect_space(member(tree, "results"));
    enum qp_status status = text != NULL ? qp_space_read(text, &out->own) : QP_NO_MEMORY;
    free(text);
    out->space = &out->own;
    return status == QP_OK ? QP_OK : qp_fail_within(status, "its space");
}

static enum qp_status read_tree(const cJSON *tree, struct t4 *out)
{
    const cJSON *results = member(tree, "results"), *result;
    if (!cJSON_IsArray(results) || results->child == NULL)
        return qp_fail(QP_BAD_INPUT, "it is not JSON with the results of a tuner (T4)");
    enum qp_status status = out->space == NULL ? read_space(tree, out) : QP_OK;
    out->kernel = qp_copy_text(metadata(tree, "kernel"), "a name");
    out->device = qp_copy_text(metadata(tree, "device"), "a name");
    out->tried = qp_alloc((size_t)cJSON_GetArraySize(results), sizeof *out->tried, "results");
    if (out->kernel == NULL || out->device == NULL || out->tried == NULL)
        return QP_NO_MEMORY;
    for (result = results->child; result != NULL && status == QP_OK; result = result->next) {
        status = read_result(result, out->space, &out->tried[out->count++]);
        if (status != QP_OK)
            qp_fail_within(status, "result %d", out->count);
    }
    return status == QP_OK && out->own.text != NULL && metadata(tree, "space")[0] == '\0'
               ? keep_recorded(out)
               : status;
}

enum qp_status t4_read(const char *path, const struct qp_space *space, struct t4 *out)
{
    struct qp_input_file input;
    char *text = NULL;
    size_t room = 0;
    *out = (struct t4){.space = space};
    enum qp_status status = qp_input_open(path, &input);
    if (status == QP_OK && getdelim(&text, &room, '\0', input.file) < 0)
        status = qp_fail(QP_BAD_INPUT, "%s is empty", input.name);
    qp_input_close(&input);
    cJSON *tree = status == QP_OK ? cJSON_Parse(text) : NULL;
    if (status == QP_OK) {
        status = read_tree(tree, out);
        if (status != QP_OK)
            qp_fail_within(status, "%s", path);
    }
    cJSON_Delete(tree);
    free(text);
    if (status != QP_OK)
        t4_destroy(out);
    return status;
}

void t4_destroy(struct t4 *t4)
{
    free(t4->kernel);
    free(t4->device);
    free(t4->tried);
    qp_space_destroy(&t4->own);
    *t4 = (struct t4){.count = 0};
}
