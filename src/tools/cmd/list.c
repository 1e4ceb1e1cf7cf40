/* SPDX-License-Identifier: MIT */
#include "tools/cmd/cmd.h"

#include <math.h>
#include <string.h>

#include "lab/ops/table.h"
#include "toolkit/base/whole.h"

static void print_needs(FILE *out, const struct qp_variant *variant)
{
    const char *library = qp_variant_library(variant);
    const char *separator = library != NULL ? ", " : "";
    fputs(library != NULL ? library : "", out);
    for (int i = 0; i < QP_ABILITIES; i++) {
        if (variant->needs & (1u << i)) {
            fprintf(out, "%s%s", separator, qp_ability_name(i));
            separator = ", ";
        }
    }
    if (variant->needs == 0 && library == NULL)
        fputs("-", out);
}

/* Flops of an update depend on the size of an elimination, which has none here. */
static void print_markdown(FILE *out, const struct qp_variant *variant)
{
    struct qp_cost cost = qp_variant_cost(variant);
    char flops[32] = "-";
    if (cost.flops > 0.0)
        snprintf(flops, sizeof flops, "%.0f", cost.flops);
    fprintf(out, "| `%s` | %s | %s | %s | %.0f | %s | %s |\n", variant->name,
            qp_backend_name(variant->backend), variant->place, variant->layout, cost.bytes, flops,
            variant->sentence);
}

static void print_row(FILE *out, const struct qp_variant *variant, int name_width)
{
    fprintf(out, "%-*s %-4s  %s\n%*s  %s; %s\n%*s  needs ", name_width, variant->name,
            qp_backend_name(variant->backend), variant->place, name_width + 6, "", variant->layout,
            variant->sentence, name_width + 6, "");
    print_needs(out, variant);
    fputc('\n', out);
}

/* ---- The short list ---- */

/* Names of one operation's variants, in columns. */
static void print_names(FILE *out, const struct qp_variant *const variants[], int count)
{
    enum { COLUMNS = 98 };
    int longest = 0;
    for (int i = 0; i < count; i++)
        longest = qp_most(longest, (int)strlen(strchr(variants[i]->name, '/') + 1));
    const int across = COLUMNS / (longest + 2), lines = (count - 1) / across + 1;
    for (int line = 0; line < lines; line++) {
        for (int i = line; i < count; i += lines) {
            const bool last = i + lines >= count;
            fprintf(out, "  %-*s", last ? 0 : longest, strchr(variants[i]->name, '/') + 1);
        }
        fputc('\n', out);
    }
}

static void print_short(FILE *out, const struct qp_variant *const variants[], int count)
{
    for (int begin = 0, same; begin < count; begin += same) {
        same = cmd_same_operation(variants + begin, count - begin);
        fprintf(out, "%s%s, %d variants: %s\n", begin > 0 ? "\n" : "", variants[begin]->op, same,
                qp_op_find(variants[begin]->op)->equation);
        print_names(out, variants + begin, same);
    }
    fputs("\n'quadpass list OPERATION' or a pattern, such as 'jacobi9/*rgba*', says what they do\n",
          out);
}

/* ---- Records ---- */

static cJSON *make_record(const void *rows, int number)
{
    const struct qp_variant *variant = ((const struct qp_variant *const *)rows)[number];
    struct qp_cost cost = qp_variant_cost(variant);
    cJSON *record = cJSON_CreateObject();
    const bool good =
        records_add(record, "variant", records_string(variant->name)) &&
        records_add(record, "backend", records_string(qp_backend_name(variant->backend))) &&
        records_add(record, "layout", records_string(variant->layout)) &&
        records_add(record, "place", records_string(variant->place)) &&
        records_add(record, "sentence", records_string(variant->sentence)) &&
        records_add(record, "bytes_per_update", records_number(cost.bytes)) &&
        records_add(record, "flops_per_update",
                    records_number(cost.flops > 0.0 ? cost.flops : NAN)) &&
        records_add(record, "needs", records_needs(variant));
    return records_keep(good, record);
}

/* ---- Kinds of problem ---- */

/* The use of a kind, such as "; what bench takes". */
static void describe_use(const struct qp_kind *kind, char *text, size_t size)
{
    snprintf(text, size, "%s%s%s", kind->benched ? "; what bench takes" : "",
             kind->unchecked ? "; checked only where it is asked for" : "",
             kind->roof ? "; the upper bound of other variants" : "");
}

static void print_kind_markdown(FILE *out, const struct qp_op *op, const struct qp_kind *kind)
{
    const struct qp_range *range = &kind->range;
    char parameter[64] = "", use[128];
    describe_use(kind, use, sizeof use);
    if (qp_op_has_parameters(op))
        snprintf(parameter, sizeof parameter, " %d to %d |", range->least, range->most);
    fprintf(out, "| `%s`%s |%s %s%s |\n", kind->name, kind == op->kinds ? " (default)" : "",
            parameter, kind->what, use);
}

static void print_kind(FILE *out, const struct qp_op *op, const struct qp_kind *kind)
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

static void print_kinds_head(FILE *out, const struct qp_op *op, bool markdown)
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

static void print_kinds(const struct options *options, const struct qp_variant *const variants[],
                        int count)
{
    for (int i = 0; i < count; i += cmd_same_operation(variants + i, count - i)) {
        const struct qp_op *op = qp_op_find(variants[i]->op);
        if (i > 0)
            fputc('\n', options->table);
        print_kinds_head(options->table, op, options->markdown);
        for (const struct qp_kind *kind = op->kinds; kind->name != NULL; kind++) {
            if (is_listed(options, kind))
                (options->markdown ? print_kind_markdown : print_kind)(options->table, op, kind);
        }
    }
}

static cJSON *make_kind(const struct qp_op *op, const struct qp_kind *kind)
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

static cJSON *make_kinds(const struct options *options, const struct qp_variant *const variants[],
                         int count)
{
    cJSON *records = cJSON_CreateArray();
    bool good = records != NULL;
    for (int i = 0; i < count; i += cmd_same_operation(variants + i, count - i)) {
        const struct qp_op *op = qp_op_find(variants[i]->op);
        for (const struct qp_kind *kind = op->kinds; kind->name != NULL && good; kind++)
            good = !is_listed(options, kind) || records_append(records, make_kind(op, kind));
    }
    return records_keep(good, records);
}

/* ---- The command ---- */

static void print_rows(const struct options *options, const struct qp_variant *const variants[],
                       int count)
{
    FILE *out = options->table;
    const bool chosen = options->word_count > 0 || options->variant != NULL;
    if (!options->markdown && !options->wordy && !chosen) {
        print_short(out, variants, count);
        return;
    }
    if (options->markdown)
        fputs("| variant | backend | place | layout | bytes | flops | what it does |\n"
              "|---|---|---|---|---|---|---|\n",
              out);
    for (int i = 0; i < count; i++) {
        if (options->markdown)
            print_markdown(out, variants[i]);
        else
            print_row(out, variants[i], cmd_name_width(variants, count));
    }
}

enum qp_status cmd_list(struct options *options, struct command *command)
{
    const struct qp_variant *variants[MOST_VARIANTS];
    int count = cmd_select(options, variants);
    if (count < 0)
        return command_end(command, EXIT_USAGE);
    if (options->json == NULL && options->csv == NULL) {
        (options->kinds ? print_kinds : print_rows)(options, variants, count);
        return QP_OK;
    }
    return records_write_rows(options->json, options->csv, NULL, NULL,
                              options->kinds ? make_kinds(options, variants, count)
                                             : records_list(count, make_record, variants));
}
