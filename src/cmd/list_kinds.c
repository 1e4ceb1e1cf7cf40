/* SPDX-License-Identifier: MIT */
#include "cmd/list_kinds.h"

#include <math.h>
#include <string.h>

#include "ops/table.h"

/* What a kind is for, such as "; what bench takes". */
static void describe_use(const struct qp_kind *kind, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s", kind->benched ? "; what bench takes" : "",
             kind->unchecked ? "; checked only where it is asked for" : "",
             kind->roof ? "; the upper bound of other rows" : "");
}

static void print_markdown(FILE *out, const struct qp_op *op, const struct qp_kind *kind)
{
    const struct qp_range *range = &kind->range;
    char parameter[64] = "", use[128];
    describe_use(kind, use, sizeof use);
    if (qp_op_has_parameters(op))
        snprintf(parameter, sizeof parameter, " %d to %d |", range->least, range->most);
    fprintf(out, "| `%s`%s |%s %s%s |\n", kind->name, kind == op->kinds ? " (default)" : "",
            parameter, kind->what, use);
}

static void print_lines(FILE *out, const struct qp_op *op, const struct qp_kind *kind)
{
    const struct qp_range *range = &kind->range;
    char use[128];
    describe_use(kind, use, sizeof use);
    fprintf(out, "  %-11s  %s\n", kind->name, kind->what);
    if (kind == op->kinds || use[0] != '\0')
        fprintf(out, "%15s%s\n", "", kind == op->kinds ? "the default" : use + 2);
    if (range->what != NULL)
        fprintf(out, "%15sp from %d to %d, usually %d: %s\n", "", range->least, range->most,
                range->usual, range->what);
}

static void print_head(FILE *out, const struct qp_op *op, bool markdown)
{
    if (!markdown)
        fprintf(out, "%s\n", op->name);
    else if (qp_op_has_parameters(op))
        fputs("| `--problem` | p | what it is |\n|---|---|---|\n", out);
    else
        fputs("| `--problem` | what it is |\n|---|---|\n", out);
}

/* True for the kind asked for, or for each. */
static bool is_listed(const struct options *options, const struct qp_kind *kind)
{
    return options->problem == NULL || strcmp(options->problem, kind->name) == 0;
}

void list_kinds(const struct options *options, const struct qp_variant *const rows[], int count)
{
    for (int i = 0; i < count; i += cmd_same_operation(rows + i, count - i)) {
        const struct qp_op *op = qp_op_find(rows[i]->op);
        if (i > 0)
            fputc('\n', options->table);
        print_head(options->table, op, options->markdown);
        for (const struct qp_kind *kind = op->kinds; kind->name != NULL; kind++) {
            if (is_listed(options, kind))
                (options->markdown ? print_markdown : print_lines)(options->table, op, kind);
        }
    }
}

static cJSON *make_record(const struct qp_op *op, const struct qp_kind *kind)
{
    const struct qp_range *range = &kind->range;
    const bool has_one = range->what != NULL;
    cJSON *record = cJSON_CreateObject();
    const bool good = records_add(record, "operation", records_string(op->name)) &&
                      records_add(record, "problem", records_string(kind->name)) &&
                      records_add(record, "sentence", records_string(kind->what)) &&
                      records_add(record, "parameter", records_string(range->what)) &&
                      records_add(record, "least", records_number(has_one ? range->least : NAN)) &&
                      records_add(record, "most", records_number(has_one ? range->most : NAN)) &&
                      records_add(record, "usual", records_number(has_one ? range->usual : NAN));
    return records_keep(good, record);
}

cJSON *list_kinds_records(const struct options *options, const struct qp_variant *const rows[],
                          int count)
{
    cJSON *records = cJSON_CreateArray();
    bool good = records != NULL;
    for (int i = 0; i < count; i += cmd_same_operation(rows + i, count - i)) {
        const struct qp_op *op = qp_op_find(rows[i]->op);
        for (const struct qp_kind *kind = op->kinds; kind->name != NULL && good; kind++)
            good = !is_listed(options, kind) || records_append(records, make_record(op, kind));
    }
    return records_keep(good, records);
}
