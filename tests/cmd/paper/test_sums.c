/* SPDX-License-Identifier: MIT */
/* The papers' figures by sums of their columns, which were added up from the papers' texts and not
 * from the files: a wrong digit in a column changes its sum. A peak counts once for each of its
 * lines. */
#include "support/support.h"

#include <math.h>

#include "tools/cmd/paper/papers.h"

TEST(columns_add_up_as_in_the_papers)
{
    static const struct {
        const char *file, *column;
        double sum;
    } columns[] = {
        {"paper1-results.csv", "problem_size", 5591040},
        {"paper1-results.csv", "5900u_rgba", 8474},
        {"paper1-results.csv", "5900u_red", 2959},
        {"paper1-results.csv", "6800_rgba", 5000},
        {"paper1-results.csv", "6800_red", 10437},
        {"paper2-overview.csv", "1000", 16.596},
        {"paper2-overview.csv", "1500", 25.954},
        {"paper2-overview.csv", "2000", 46.110},
        {"paper2-overview.csv", "2500", 78.043},
        {"paper2-overview.csv", "3000", 126.671},
        {"paper2-overview.csv", "3500", 193.864},
        {"paper2-overview.csv", "4000", 283.855},
        {"paper2-vertices.csv", "2000", 600502014.30},
        {"paper3-table1.csv", "seconds_508", 34.622},
        {"paper3-table1.csv", "seconds_511", 29.409},
        {"paper3-table1.csv", "seconds_512", 30.702},
        {"paper3-table1.csv", "seconds_513", 35.090},
        {"paper3-table1.csv", "seconds_516", 37.628},
        {"paper3-table2.csv", "seconds_508", 12.479},
        {"paper3-table2.csv", "seconds_511", 12.507},
        {"paper3-table2.csv", "seconds_512", 12.521},
        {"paper3-table2.csv", "seconds_513", 13.061},
        {"paper3-table2.csv", "seconds_516", 13.093},
        {"paper3-table3.csv", "seconds", 19.027},
        {"paper3-table3.csv", "speedup", 373.33},
        {"paper3-table4.csv", "peak", 17.70},
        {"paper3-table4.csv", "gflops", 2.54},
        {"paper3-table4.csv", "percent_of_peak", 68.31},
        {"paper3-table5.csv", "peak", 5529.60},
        {"paper3-table5.csv", "gflops", 282.32},
        {"paper3-table5.csv", "percent_of_peak", 86.74},
        {"paper3-table6.csv", "peak", 51.1},
        {"paper3-table6.csv", "gbytes_per_s", 5.13},
        {"paper3-table6.csv", "percent_of_peak", 31.18},
        {"paper3-table7.csv", "peak", 886.8},
        {"paper3-table7.csv", "gbytes_per_s", 641.42},
        {"paper3-table7.csv", "percent_of_peak", 1084.65},
        {"paper3-table8.csv", "peak", 886.8},
        {"paper3-table8.csv", "gbytes_per_s", 406.27},
        {"paper3-table8.csv", "percent_of_peak", 680.58},
        {"paper4-balance.csv", "flops_per_float", 822},
        {"paper4-memory.csv", "value", 3801.6},
        {"paper4-reduction.csv", "gbytes_per_s", 221.13},
        {"paper4-reduction.csv", "gelements_per_s", 55.27},
        {"paper4-transposition.csv", "gbytes_per_s", 383.8},
        {"paper5-platforms.csv", "c1060", 1451.7},
        {"paper5-platforms.csv", "c870", 785.8},
        {"paper5-platforms.csv", "fx570", 80.3},
        {"paper5-platforms.csv", "conroe", 133.11},
        {"paper5-platforms.csv", "barcelona", 435.5},
        {"paper5-tuned.csv", "gflops", 83.66},
        {"paper5-tuned.csv", "percent_of_streaming", 330.2},
    };
    for (int i = 0; i < COUNT(columns); i++) {
        struct paper_table table;
        double sum = 0.0;
        assert_ok(paper_read(columns[i].file, &table));
        for (int line = 0; line < table.lines; line++) {
            const double value = paper_number(&table, line, columns[i].column);
            sum += isnan(value) ? 0.0 : value;
        }
        if (!(fabs(sum - columns[i].sum) < 0.0005))
            fail_msg("%s, %s: %.3f should be %.3f", columns[i].file, columns[i].column, sum,
                     columns[i].sum);
    }
}
