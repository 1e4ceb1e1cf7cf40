/* SPDX-License-Identifier: MIT */
#include "tools/cmd/accuracy_lines.h"

#include <math.h>

#include "tools/cmd/output/progress.h"

static const double most_digits = 16.0; /* a double has no more */

void accuracy_head(FILE *table)
{
    fprintf(table, "%-11s  %-8s %-38s %-18s   %8s %9s %9s %6s\n", "size", "kind", "variant", "what",
            "steps", "seconds", "error", "digits");
}

enum qp_status accuracy_add(FILE *table, cJSON *records, const struct accuracy_line *line)
{
    cJSON *record = cJSON_CreateObject();
    const bool good =
        records_add(record, "what", records_string(line->what)) &&
        records_add(record, "variant", records_string(line->variant)) &&
        records_add(record, "problem", records_string(line->problem)) &&
        records_add(record, "width", records_number(line->width)) &&
        records_add(record, "height", records_number(line->height)) &&
        records_add(record, "iterations", records_number(line->steps)) &&
        records_add(record, "seconds", records_number(line->seconds)) &&
        records_add(record, "wanted", records_number(line->wanted > 0.0 ? line->wanted : NAN)) &&
        records_add(record, "error", records_number(line->computed ? NAN : line->error)) &&
        records_add(record, "computed", cJSON_CreateBool(line->computed)) &&
        records_add(record, "condition",
                    records_number(line->condition > 0.0 ? line->condition : NAN)) &&
        records_add(record, "reason", records_string(line->reason));
    progress_end();
    fprintf(table, "%4d x %-4d  %-8s %-38s %-10s", line->width, line->height, line->problem,
            line->variant, line->what);
    if (line->wanted > 0.0)
        fprintf(table, "to %.0e", line->wanted);
    else
        fprintf(table, "%8s", "");
    if (line->computed)
        fprintf(table, "   %8.0f %9.3g  computed\n", line->steps, line->seconds);
    else if (isnan(line->error))
        fprintf(table, "   cannot%s%s\n", line->reason != NULL ? ": " : "",
                line->reason != NULL ? line->reason : "");
    else
        fprintf(table, "   %8.0f %9.3g %9.2e %6.1f\n", line->steps, line->seconds, line->error,
                fmin(most_digits, fmax(0.0, -log10(line->error))));
    return records_append(records, records_keep(good, record)) ? QP_OK : QP_NO_MEMORY;
}

enum qp_status accuracy_end(struct command *command, enum qp_status status, cJSON *records)
{
    const struct options *options = command->options;
    progress_end();
    if (status == QP_OK && cmd_interrupted)
        fputs("interrupted\n", options->table);
    if (status == QP_OK && cJSON_GetArraySize(records) > 0) {
        status = cmd_write_rows(options, command->context, records);
        records = NULL;
    }
    cJSON_Delete(records);
    command->code = cmd_interrupted ? EXIT_FAILED : EXIT_GOOD;
    return status;
}
