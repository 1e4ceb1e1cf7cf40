/* SPDX-License-Identifier: MIT */
#include "tools/cmd/output/records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- CSV ---- */

static void print_text(FILE *out, const char *text)
{
    if (strpbrk(text, "\",\r\n") == NULL) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

/* Null is an empty field; names, which hold no commas, and numbers of an array are joined by plus
 * signs. */
static void print_cell(FILE *out, const cJSON *value)
{
    char digits[40];
    if (cJSON_IsString(value) || cJSON_IsRaw(value))
        print_text(out, value->valuestring);
    else if (cJSON_IsNumber(value) &&
             cJSON_PrintPreallocated((cJSON *)value, digits, sizeof digits, false))
        fputs(digits, out);
    for (const cJSON *one = value->child; one != NULL; one = one->next) {
        fputs(one == value->child ? "" : "+", out);
        print_cell(out, one);
    }
}

/* A row's fields, then the head's, or the keys of both; either may be NULL. Lines end as Unix tools
 * want them. */
static void print_line(FILE *out, const cJSON *row, const cJSON *head, bool keys)
{
    const cJSON *const parts[] = {row, head};
    const char *comma = "";
    for (int i = 0; i < 2; i++) {
        for (const cJSON *field = parts[i] ? parts[i]->child : NULL; field != NULL;
             field = field->next) {
            fputs(comma, out);
            comma = ",";
            if (keys)
                print_text(out, field->string);
            else
                print_cell(out, field);
        }
    }
    fputc('\n', out);
}

char *records_finish(FILE *out, char **text, bool good)
{
    good = ferror(out) == 0 && good;
    if (fclose(out) == 0 && good)
        return *text;
    free(*text);
    return NULL;
}

char *records_print_csv(const cJSON *head, const cJSON *model, const cJSON *rows)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    print_line(out, model != NULL ? model : rows->child, head, true);
    for (const cJSON *row = rows->child; row != NULL; row = row->next)
        print_line(out, row, head, false);
    return records_finish(out, &text, true);
}

/* ---- JSON ---- */

/* Lines of records are long, and nothing in them is on a line of its own. */
static bool print_value(FILE *out, const cJSON *value)
{
    char *text = cJSON_PrintUnformatted(value);
    if (text != NULL)
        fputs(text, out);
    cJSON_free(text);
    return text != NULL;
}

/* A list of records: an array of objects. */
static bool is_list(const cJSON *value)
{
    return cJSON_IsArray(value) && cJSON_IsObject(value->child);
}

/* Puts each member, or each record, on a line after these tabs. */
static bool print_lines(FILE *out, const cJSON *value, const char *tabs)
{
    const bool array = cJSON_IsArray(value);
    bool good = true;
    fputs(array ? "[\n" : "{\n", out);
    for (const cJSON *one = value->child; one != NULL && good; one = one->next) {
        fputs(tabs, out);
        if (!array)
            fprintf(out, "\"%s\": ", one->string);
        good = is_list(one) ? print_lines(out, one, "\t\t") : print_value(out, one);
        fputs(one->next != NULL ? ",\n" : "\n", out);
    }
    fprintf(out, "%s%s", tabs + 1, array ? "]" : "}");
    return good;
}

char *records_print_json(const cJSON *tree)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    const bool lines = cJSON_IsObject(tree) || is_list(tree),
               good = lines ? print_lines(out, tree, "\t") : print_value(out, tree);
    fputc('\n', out);
    return records_finish(out, &text, good);
}
