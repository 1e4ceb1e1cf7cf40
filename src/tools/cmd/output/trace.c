/* SPDX-License-Identifier: MIT */
#include "tools/cmd/output/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/status.h"
#include "toolkit/base/values.h"
#include "toolkit/base/whole.h"

static void on_stage(void *user, enum qp_stage stage, struct qp_plan *plan, double seconds)
{
    struct trace *trace = user;
    const struct trace_stage *shown = &trace->stages[stage];
    trace->stage = stage;
    trace->plan = plan;
    if (shown->words == NULL && shown->show == NULL)
        return;
    if (trace->out != NULL) {
        fprintf(trace->out, "\nstage %d, %s", (int)stage, qp_stage_name(stage));
        if (!trace->plain)
            fprintf(trace->out, " (%.3f ms)", 1e3 * seconds);
        fprintf(trace->out, "\n%s", shown->words != NULL ? shown->words : "");
    }
    if (shown->show != NULL)
        shown->show(trace);
}

enum qp_status trace_walk(struct trace *trace, struct qp_context *context,
                          const struct qp_variant *variant, struct qp_problem *problem,
                          const struct qp_walk_desc *desc, struct qp_result *result)
{
    struct qp_walk_desc traced = *desc;
    traced.on_stage = on_stage;
    traced.user = trace;
    trace->result = result;
    return qp_walk(context, variant, problem, &traced, result);
}

enum qp_status trace_texels(struct qp_plan *plan, bool target, void **out)
{
    const size_t bytes = qp_layout_bytes(&plan->layout);
    *out = qp_alloc(bytes, 1, "a stage's texels");
    if (*out == NULL)
        return QP_NO_MEMORY;
    memcpy(*out, plan->texels, bytes);
    return plan->engine->read(plan, target, *out);
}

enum qp_status trace_matrix(struct qp_plan *plan, bool target, struct qp_matrix *out)
{
    void *texels;
    *out = (struct qp_matrix){0};
    enum qp_status status = trace_texels(plan, target, &texels);
    if (status == QP_OK)
        status = qp_plan_unpack(plan, texels, out);
    free(texels);
    return status;
}

void trace_print_number(FILE *out, double value, int decimals, char no_number)
{
    if (isnan(value))
        fprintf(out, " %7c", no_number);
    else
        fprintf(out, " %7.*f", decimals, value);
}

void trace_print(const struct trace *trace, const struct trace_numbers *numbers)
{
    const int lines = qp_least(numbers->height, numbers->lines);
    const int columns = qp_least(numbers->width, numbers->columns);
    for (int line = 0; line < lines; line++) {
        const size_t y = (size_t)(trace->upright ? line : lines - 1 - line);
        fputs(trace->plain ? "" : "   ", trace->out);
        for (int x = 0; x < columns; x++)
            trace_print_number(trace->out,
                               qp_value(numbers->values, numbers->precision,
                                        y * (size_t)numbers->apart + (size_t)x),
                               numbers->decimals, '#');
        fputs(numbers->width > columns && !trace->plain ? " ...\n" : "\n", trace->out);
    }
}
