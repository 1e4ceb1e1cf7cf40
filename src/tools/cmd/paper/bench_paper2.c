/* SPDX-License-Identifier: MIT */
/* Paper 2: its tables are described in docs/papers/paper2.table; here are Octave, in MATLAB's
 * place, and the sizes that a budget leaves out. */
#include <math.h>

#include "tools/cmd/paper/described.h"

enum { MOST_VALUES = 2 * MOST_PAPER_LINES + 1 };

/* Octave goes on with larger sizes until it fails; both times are of one elimination. */
static struct described_value *add_octave(const struct paper_bench *bench, int overview,
                                          struct described_value *out)
{
    bool goes_on = bench->given.record == NULL;
    for (int line = 0; line < overview; line++) {
        const struct qp_record *sgesv = paper_record(bench, line, "gauss_jordan/sgesv");
        const int n = bench->line[line].width;
        const double seconds = goes_on && !paper_left_out(bench, line) ? octave_solve(n) : NAN;
        goes_on = !isnan(seconds);
        *out++ = (struct described_value){"octave", seconds, n};
        *out++ = (struct described_value){
            "sgesv", sgesv != NULL ? sgesv->seconds / sgesv->iterations : NAN, n};
    }
    return out;
}

static void print_left_out(const struct paper_bench *bench, int overview)
{
    int sizes = 0, strip_sizes = 0;
    for (int line = 0; line < bench->planned && bench->given.record == NULL; line++) {
        if (!paper_left_out(bench, line))
            continue;
        if (sizes + strip_sizes == 0)
            fprintf(bench->out, "\nNot run within %g minutes:", bench->minutes);
        if (line >= overview && strip_sizes++ == 0)
            fputs(sizes > 0 ? ", strips of" : " strips of", bench->out);
        sizes += line < overview;
        fprintf(bench->out, " %d", bench->line[line].width);
    }
    if (sizes + strip_sizes > 0)
        fputs("; more with --budget\n", bench->out);
}

enum qp_status paper2_print(const struct paper_bench *bench)
{
    struct described_value values[MOST_VALUES];
    int overview = 0; /* lines of it, which come first; those of strips follow */
    while (overview < bench->planned && bench->line[overview].block == 0)
        overview++;
    *add_octave(bench, overview, values) = (struct described_value){0};
    described_print(bench, "seconds", values);
    described_print(bench, "ratios", values);
    if (overview < bench->planned)
        described_print(bench, "strips", NULL);
    print_left_out(bench, overview);
    return QP_OK;
}
