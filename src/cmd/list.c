/* SPDX-License-Identifier: MIT */
#include "cmd/cmd.h"

#include <math.h>

static void print_needs(FILE *out, const struct qp_variant *row)
{
    const char *library = qp_variant_library(row);
    const char *separator = library != NULL ? ", " : "";
    fputs(library != NULL ? library : "", out);
    for (int i = 0; i < QP_ABILITIES; i++) {
        if (row->needs & (1u << i)) {
            fprintf(out, "%s%s", separator, qp_ability_name(i));
            separator = ", ";
        }
    }
    if (row->needs == 0 && library == NULL)
        fputs("-", out);
}

/* Flops of an update depend on the size of an elimination, which has none here. */
static void print_markdown(FILE *out, const struct qp_variant *row)
{
    struct qp_cost cost = qp_variant_cost(row);
    char flops[32] = "-";
    if (cost.flops > 0.0)
        snprintf(flops, sizeof flops, "%.0f", cost.flops);
    fprintf(out, "| `%s` | %s | %s | %s | %.0f | %s | %s |\n", row->name,
            qp_backend_name(row->backend), row->place, row->layout, cost.bytes, flops,
            row->sentence);
}

static void print_row(FILE *out, const struct qp_variant *row, int name_width)
{
    fprintf(out, "%-*s %-4s  %s\n%*s  %s; %s\n%*s  needs ", name_width, row->name,
            qp_backend_name(row->backend), row->place, name_width + 6, "", row->layout,
            row->sentence, name_width + 6, "");
    print_needs(out, row);
    fputc('\n', out);
}

static cJSON *row_as_json(const struct qp_variant *row)
{
    struct qp_cost cost = qp_variant_cost(row);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "variant", row->name);
    cJSON_AddStringToObject(object, "backend", qp_backend_name(row->backend));
    cJSON_AddStringToObject(object, "layout", row->layout);
    cJSON_AddStringToObject(object, "place", row->place);
    cJSON_AddStringToObject(object, "sentence", row->sentence);
    cJSON_AddNumberToObject(object, "bytes_per_update", cost.bytes);
    cJSON_AddNumberToObject(object, "flops_per_update",
                            cost.flops > 0.0 ? cost.flops : NAN); /* or null */
    cJSON_AddItemToObject(object, "needs", records_needs(row));
    return object;
}

static enum qp_status write_json(const char *path, const struct qp_variant *const rows[], int count)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < count; i++)
        cJSON_AddItemToArray(list, row_as_json(rows[i]));
    return records_write_tree(path, list);
}

int cmd_list(int argc, char **argv)
{
    static const struct options_form form = {"list", "[PATTERN...]",
                                             "Lists the variants in the papers' order.", false};
    struct options options;
    const struct qp_variant *rows[MOST_ROWS];
    options_read(argc, argv, &form, &options);
    int count = cmd_select(&options, rows);
    if (count < 0)
        return EXIT_USAGE;
    if (options.json != NULL) {
        enum qp_status status = write_json(options.json, rows, count);
        return status == QP_OK ? EXIT_GOOD : cmd_failed(status);
    }
    if (options.markdown)
        fputs("| variant | backend | place | layout | bytes | flops | what it does |\n"
              "|---|---|---|---|---|---|---|\n",
              options.table);
    for (int i = 0; i < count; i++) {
        if (options.markdown)
            print_markdown(options.table, rows[i]);
        else
            print_row(options.table, rows[i], cmd_name_width(rows, count));
    }
    return EXIT_GOOD;
}
