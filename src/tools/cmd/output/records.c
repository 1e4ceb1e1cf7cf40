/* SPDX-License-Identifier: MIT */
/* A tree of values, built once, is printed in either format; so both hold the same digits. The
 * whole text is in memory before the file is opened: without memory there is no file either. */
#include "tools/cmd/output/records.h"

#include <quadpass/quadpass.h>

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "commit.h"
#include "lab/ops/table.h"
#include "toolkit/base/status.h"
#include "toolkit/io/input.h"
#include "toolkit/io/output.h"
#include "tools/cmd/output/sentence.h"

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

cJSON *records_bits(unsigned bits, const char *(*name)(int bit))
{
    cJSON *names = cJSON_CreateArray();
    bool good = names != NULL;
    for (int i = 0; good && bits >> i != 0; i++) {
        if (bits >> i & 1)
            good = records_append(names, records_string(name(i)));
    }
    return records_keep(good, names);
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

static cJSON *make_size(struct qp_size size)
{
    char text[40];
    snprintf(text, sizeof text, "%dx%d", size.width, size.height);
    return records_string(text);
}

/* A word of the head and its value. */
static bool add_by_head(cJSON *list, const char *word, double value)
{
    char text[64];
    snprintf(text, sizeof text, "%s %g", word, value);
    return value == 0.0 || records_append(list, records_string(text));
}

void records_forget(struct records_mutants *mutants)
{
    for (int k = 0; k < mutants->count; k++) {
        struct records_survivor *one = &mutants->survivor[k];
        free(one->place);
        free(one->was);
        free(one->is);
        free(one->text);
    }
    free(mutants->survivor);
    *mutants = (struct records_mutants){.count = 0};
}

static bool add_count(cJSON *tree, int made, int noticed)
{
    return records_add(tree, "made", records_number(made)) &&
           records_add(tree, "noticed", records_number(noticed));
}

static cJSON *make_kind(const void *all, int number)
{
    const struct qp_spoil_tally *kind = &((const struct qp_spoil_result *)all)->kind[number];
    cJSON *tree = cJSON_CreateObject();
    return records_keep(records_add(tree, "kind", records_string(qp_mutant_name(number))) &&
                            add_count(tree, kind->made, kind->noticed),
                        tree);
}

static cJSON *make_survivor(const void *all, int number)
{
    const struct records_survivor *one = &((const struct records_mutants *)all)->survivor[number];
    const char *with = one->with[0] != '\0' ? one->with : NULL;
    cJSON *tree = cJSON_CreateObject();
    return records_keep(records_add(tree, "kind", records_string(one->kind)) &&
                            records_add(tree, "place", records_string(one->place)) &&
                            records_add(tree, "was", records_string(one->was)) &&
                            records_add(tree, "is", records_string(one->is)) &&
                            records_add(tree, "noticed_with", records_string(with)),
                        tree);
}

static cJSON *make_mutants(const struct records_mutants *mutants)
{
    const struct qp_spoil_result *all = &mutants->all;
    cJSON *tree = cJSON_CreateObject();
    return records_keep(
        add_count(tree, all->made, all->noticed) &&
            records_add(tree, "kinds", records_list(QP_MUTANTS, make_kind, all)) &&
            records_add(tree, "survivors", records_list(mutants->count, make_survivor, mutants)) &&
            records_add(tree, "tries", records_number(mutants->tries)) &&
            records_add(tree, "kernel_fails", records_number(mutants->failed)) &&
            records_add(tree, "kernel_fails_with",
                        records_string(mutants->failed > 0 ? mutants->failed_with : NULL)),
        tree);
}

/* Seed and fresh sizes of a check, and what its kernel file's head says of the judging. */
static bool add_cases(cJSON *tree, const struct records_cases *cases)
{
    char seed[24], own[48];
    cJSON *fresh = cJSON_CreateArray(), *by_head = cJSON_CreateArray();
    snprintf(seed, sizeof seed, "%llu", cases->seed);
    bool good = records_add(tree, "seed", cJSON_CreateRaw(seed));
    good = records_add(tree, "fresh", fresh) && good;
    good = records_add(tree, "by_head", by_head) && good;
    for (int k = 0; k < RECORDS_FRESH && cases->size[k].width > 0 && good; k++)
        good = records_append(fresh, make_size(cases->size[k]));
    snprintf(own, sizeof own, "size %dx%d", cases->own.width, cases->own.height);
    return good && add_by_head(by_head, "tolerance", cases->tolerance) &&
           (cases->own.width == 0 || records_append(by_head, records_string(own))) &&
           add_by_head(by_head, "steps", cases->steps) &&
           (cases->mutants == NULL || records_add(tree, "mutants", make_mutants(cases->mutants)));
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
                records_add(tree, "date", make_date()) &&
                (head->cases == NULL || add_cases(tree, head->cases));
    return records_keep(good, tree);
}

/* ---- Files ---- */

enum qp_status records_write_text(const char *path, char *text)
{
    if (text == NULL)
        return qp_fail(QP_NO_MEMORY, "no memory for the records");
    const enum qp_status status = qp_output_write(path, text, strlen(text));
    free(text);
    return status;
}

enum qp_status records_write_tree(const char *path, cJSON *tree)
{
    const enum qp_status status =
        records_write_text(path, tree != NULL ? records_print_json(tree) : NULL);
    cJSON_Delete(tree);
    return status;
}

enum qp_status records_write_rows(const char *json, const char *csv,
                                  const struct records_head *head, cJSON *model, cJSON *rows)
{
    cJSON *tree = head != NULL ? records_head(head) : NULL;
    const bool good = rows != NULL && (tree != NULL || head == NULL);
    enum qp_status status = QP_OK;
    if (csv != NULL)
        status = records_write_text(csv, good ? records_print_csv(tree, model, rows) : NULL);
    cJSON_Delete(model);
    tree = head != NULL ? records_keep(records_add(tree, "records", rows), tree) : rows;
    if (json != NULL && status == QP_OK)
        return records_write_tree(json, tree);
    cJSON_Delete(tree);
    return status;
}

enum qp_status records_read_tree(const char *path, size_t most, cJSON **tree)
{
    struct qp_input_file input;
    char *text = NULL;
    size_t room = 0;
    *tree = NULL;
    enum qp_status status = qp_input_open(path, &input);
    if (status == QP_OK && input.bytes != SIZE_MAX && input.bytes > most)
        status = qp_fail(QP_BAD_INPUT, "%s: it has %zu bytes, and %zu at most are read", path,
                         input.bytes, most);
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
