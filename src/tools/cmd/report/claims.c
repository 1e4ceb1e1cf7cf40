/* SPDX-License-Identifier: MIT */
/* Claims of the papers (docs/papers/claims.csv), each judged on each device: the ratio of the rates
 * of two records of one file at one size, and an interval of it by the quartiles of their samples.
 * A claim holds, or has turned, where the interval is on one side of 1; both are even where it is
 * within 0.97 and 1.03. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/ops/table.h"
#include "lab/walk/samples.h"
#include "tools/cmd/paper/described.h"
#include "tools/cmd/report/plot.h"
#include "tools/cmd/report/report.h"

enum { MOST_CLAIMS = 200, SIZES = 12 };

static const double even[2] = {0.97, 1.03};

/* Width of the interval of a time that was taken once or twice, whose spread nobody knows. */
static const double unknown = 0.2;

enum verdict { HOLDS, TURNED, EVEN, UNDECIDED, VERDICTS };
static const char *const verdicts[VERDICTS] = {"holds", "turned", "even", "undecided"};

struct claim {
    int number;
    char *paper, *place, *words, *theirs, *sizes;
    struct report_what ours, against;
    bool alike; /* it says that both are even */
};

/* A claim at one size. */
struct judged {
    int source, ours, against; /* records of that source */
    double value, low, high;
};

/* ---- Records ---- */

static double cells_of(const struct qp_record *record)
{
    return (double)record->width * record->height * record->systems;
}

/* True if a variant takes problems of this kind. */
static bool takes(const struct qp_variant *variant, const char *kind)
{
    const struct qp_kind *kinds = qp_op_find(variant->op)->kinds;
    int k = 0;
    while (kinds[k].name != NULL && strcmp(kinds[k].name, kind) != 0)
        k++;
    return kinds[k].name == NULL || variant->recipe == NULL ||
           qp_recipe_takes_kind(variant->recipe, k);
}

/* True if two records are of one size, and, where the claim names no kind, of one problem; but one
 * of a variant that does not take the other's kind, such as a copy, is of its own. */
static bool are_comparable(const struct claim *claim, const struct qp_record *a,
                           const struct qp_record *b)
{
    const bool alike = strcmp(a->problem, b->problem) == 0 && a->parameter == b->parameter;
    return cells_of(a) == cells_of(b) && (a->systems != b->systems || a->width == b->width) &&
           (claim->ours.kind[0] != '\0' || alike || !takes(b->variant, a->problem));
}

/* Width of the grid of a record, or of the one system that has as many cells. */
static int width_of(const struct qp_record *record)
{
    return (int)lround(record->width * sqrt(record->systems));
}

/* True if sizes such as "64 512-" have this width; "" has all. */
static bool is_size(const char *sizes, int width)
{
    bool found = sizes[0] == '\0';
    for (int low, high, used; !found && sscanf(sizes, "%d%n", &low, &used) == 1;) {
        sizes += used;
        high = low;
        if (*sizes == '-' && sscanf(++sizes, "%d%n", &high, &used) == 1)
            sizes += used;
        else if (sizes[-1] == '-')
            high = 1 << 30;
        found = width >= low && width <= high;
    }
    return found;
}

/* Quartile of a record's time, `part` 0.25 or 0.75. */
static double quartile(const struct qp_record *record, double part)
{
    return record->sample_count >= QP_LEAST_SAMPLES
               ? qp_quantile(record->samples, record->sample_count, part)
               : record->seconds * (1.0 + unknown * (2.0 * part - 1.0));
}

/* Ratio of rates of two records with its interval; false if it is no number. */
static bool compare(const struct qp_record *a, const struct qp_record *b, struct judged *out)
{
    out->value = a->glups / b->glups;
    const double by = out->value * a->seconds / b->seconds;
    out->low = by * quartile(b, 0.25) / quartile(a, 0.75);
    out->high = by * quartile(b, 0.75) / quartile(a, 0.25);
    return isfinite(out->low) && isfinite(out->high) && out->low > 0.0;
}

/* The fastest record of a variant that is comparable with another; below 0: there is none. */
static int fastest(const struct claim *claim, const struct records_given *given,
                   const struct report_what *what, const struct qp_record *other)
{
    int found = -1;
    for (int i = 0; i < given->count; i++) {
        const struct qp_record *record = &given->record[i];
        if (report_is(record, what) && are_comparable(claim, other, record) &&
            isfinite(record->glups) && (found < 0 || record->glups > given->record[found].glups))
            found = i;
    }
    return found;
}

/* Adds the fastest pair of each size that a source has. */
static int judge_source(const struct records_given *given, const struct claim *claim, int source,
                        struct judged out[SIZES])
{
    int count = 0;
    for (int a = 0; a < given->count && count < SIZES; a++) {
        const struct qp_record *record = &given->record[a];
        struct judged one = {.source = source};
        int same = 0;
        if (!report_is(record, &claim->ours) || !is_size(claim->sizes, width_of(record)))
            continue;
        while (same < count && cells_of(&given->record[out[same].ours]) != cells_of(record))
            same++;
        one.ours = same == count ? fastest(claim, given, &claim->ours, record) : -1;
        if (one.ours < 0)
            continue;
        const struct qp_record *ours = &given->record[one.ours];
        one.against = fastest(claim, given, &claim->against, ours);
        if (one.against >= 0 && compare(ours, &given->record[one.against], &one))
            out[count++] = one;
    }
    return count;
}

/* The sizes of the first source of a device that has both records, the largest one last. */
static int judge(const struct report *report, const struct claim *claim, int device,
                 struct judged out[SIZES])
{
    int count = 0, k = -1;
    while (++k < report->sources && count == 0) {
        if (report->source[k].device == device)
            count = judge_source(&report->source[k].given, claim, k, out);
    }
    const struct qp_record *record = count > 0 ? report->source[k - 1].given.record : NULL;
    for (int i = 1; i < count; i++) {
        for (int at = i;
             at > 0 && cells_of(&record[out[at - 1].ours]) > cells_of(&record[out[at].ours]);
             at--) {
            const struct judged other = out[at];
            out[at] = out[at - 1];
            out[at - 1] = other;
        }
    }
    return count;
}

static enum verdict verdict_of(const struct claim *claim, const struct judged *one)
{
    const bool is_even = one->low >= even[0] && one->high <= even[1];
    const bool apart =
        one->low > (claim->alike ? even[1] : 1.0) || one->high < (claim->alike ? even[0] : 1.0);
    if (claim->alike)
        return is_even ? HOLDS : apart ? TURNED : UNDECIDED;
    return is_even ? EVEN : !apart ? UNDECIDED : one->low > 1.0 ? HOLDS : TURNED;
}

/* The verdict of all sizes, if they agree. */
static enum verdict verdict_of_all(const struct claim *claim, const struct judged *all, int count)
{
    enum verdict verdict = verdict_of(claim, &all[0]);
    for (int i = 1; i < count; i++)
        verdict = verdict_of(claim, &all[i]) == verdict ? verdict : UNDECIDED;
    return verdict;
}

/* ---- Words ---- */

static void fill_claim(char *const field[], struct claim *claim)
{
    claim->number++;
    claim->paper = field[0], claim->place = field[1], claim->words = field[2];
    claim->theirs = field[3], claim->sizes = field[6];
    claim->alike = field[4][0] == '=';
    claim->ours = report_read_what(field[4] + claim->alike);
    claim->against = report_read_what(field[5]);
}

static bool read_claim(char **rest, struct claim *claim)
{
    char *field[REPORT_FIELDS];
    if (!report_line(rest, REPORT_CLAIM, field))
        return false;
    fill_claim(field, claim);
    return true;
}

bool report_is_judged(const struct records_given *given, char *const field[REPORT_CLAIM])
{
    struct judged all[SIZES];
    struct claim claim = {.number = 0};
    fill_claim(field, &claim);
    return judge_source(given, &claim, 0, all) > 0;
}

/* A ratio with three digits. */
static const char *print_ratio(char text[32], double value)
{
    snprintf(text, 32, value >= 100.0 || value < 0.01 ? "%.3g" : "%#.3g", value);
    return text;
}

/* A ratio with its interval and both records, at one size. */
static void put_size(const struct report *report, const struct claim *claim,
                     const struct judged *one)
{
    const struct report_source *source = &report->source[one->source];
    const struct qp_record *ours = &source->given.record[one->ours];
    const char *verdict = verdicts[verdict_of(claim, one)];
    const int width = width_of(ours), height = (int)lround(ours->height * sqrt(ours->systems));
    char value[32], low[32], high[32], address[48];
    snprintf(address, sizeof address, "c%d-%d-%dx%d", claim->number, source->device, width, height);
    fprintf(report->out, "<span id=\"%s\">", address);
    report_begin_link(report, source, one->ours);
    fprintf(report->out, "%s</a> (%s to %s) over ", print_ratio(value, one->value),
            print_ratio(low, one->low), print_ratio(high, one->high));
    report_begin_link(report, source, one->against);
    fprintf(report->out, "%s</a> at %d × %d</span>", claim->against.variant->name, width, height);
    report_figure(report, address, claim->place, claim->words, verdict, value, one->source);
}

/* The verdict with the figure of the largest size, and those of the others; false if no source of
 * the device has both records. */
static bool put_device(const struct report *report, const struct claim *claim, int device)
{
    struct judged all[SIZES];
    const int count = judge(report, claim, device, all);
    if (count == 0)
        return false;
    const enum verdict whole = verdict_of_all(claim, all, count);
    int each[VERDICTS] = {0};
    for (int i = 0; i < count; i++)
        each[verdict_of(claim, &all[i])]++;
    fprintf(report->out, "<li><b class=\"%s\">%s", verdicts[whole],
            each[whole] == count ? verdicts[whole] : "");
    for (int k = 0, said = 0; k < VERDICTS && each[whole] < count; k++) {
        if (each[k] > 0)
            fprintf(report->out, said++ > 0 ? ", %s at %d" : "%s at %d", verdicts[k], each[k]);
    }
    if (each[whole] < count)
        fprintf(report->out, " of %d sizes", count);
    fputs("</b> on ", report->out);
    report_text(report->out, report_device(report, device), ": ");
    put_size(report, claim, &all[count - 1]);
    if (count > 1)
        fprintf(report->out, "<details><summary>%d more size%s</summary>", count - 1,
                count > 2 ? "s" : "");
    for (int i = 0; i < count - 1; i++) {
        fprintf(report->out, "%s%s: ", i > 0 ? "<br>" : "", verdicts[verdict_of(claim, &all[i])]);
        put_size(report, claim, &all[i]);
    }
    fputs(count > 1 ? "</details></li>\n" : "</li>\n", report->out);
    return true;
}

/* The paper's own ratio; NaN for none. */
static double theirs_of(const struct claim *claim)
{
    return claim->theirs[0] != '\0' ? described_product(claim->theirs) : NAN;
}

static void put_claim(const struct report *report, const struct claim *claim)
{
    char value[32];
    fprintf(report->out, "<li id=\"c%d\"><p><a href=\"#c%d\">%d</a>. ", claim->number,
            claim->number, claim->number);
    report_text(report->out, claim->words, ". <small>");
    report_text(report->out, claim->place, "");
    if (isnan(theirs_of(claim)))
        fputs(": no figure there", report->out);
    else
        fprintf(report->out, ": %s there", print_ratio(value, theirs_of(claim)));
    fprintf(report->out, ". Judged by %s over %s%s%s.</small></p>\n<ul>\n",
            claim->ours.variant != NULL ? claim->ours.variant->name : "a variant that is not there",
            claim->against.variant != NULL ? claim->against.variant->name
                                           : "a variant that is not there",
            claim->sizes[0] != '\0' ? ", widths " : "", claim->sizes);
    bool any = false;
    for (int device = 0; device < report->devices; device++)
        any = put_device(report, claim, device) || any;
    if (!any)
        fputs("<li>no file has both records</li>\n", report->out);
    fputs("</ul></li>\n", report->out);
}

/* ---- Plots ---- */

/* The claim's largest size on each device; false if none has it. */
static bool plot_claim(const struct report *report, const struct claim *claim,
                       struct plot_claim *out)
{
    bool any = false;
    snprintf(out->name, sizeof out->name, "%d. %s", claim->number, claim->words);
    out->then = theirs_of(claim);
    for (int device = 0; device < PLOT_DEVICES; device++) {
        struct judged all[SIZES];
        const int count = device < report->devices ? judge(report, claim, device, all) : 0;
        const struct judged *last = count > 0 ? &all[count - 1] : NULL;
        out->now[device].value = last != NULL ? last->value : NAN;
        out->now[device].low = last != NULL ? last->low : NAN;
        out->now[device].high = last != NULL ? last->high : NAN;
        any = any || last != NULL;
    }
    return any;
}

static void draw(const struct report *report, char paper, const struct plot_claim *claims,
                 int count)
{
    const char *devices[PLOT_DEVICES];
    const int shown = report->devices < PLOT_DEVICES ? report->devices : PLOT_DEVICES;
    char id[16], title[96];
    struct svg svg;
    for (int device = 0; device < shown; device++)
        devices[device] = report_device(report, device);
    snprintf(id, sizeof id, "plot%c", paper);
    snprintf(title, sizeof title, "Paper %c: ratios then and now, each claim at its largest size",
             paper);
    const enum qp_status status = svg_begin(&svg);
    if (status == QP_OK)
        plot_claims(&svg, title, claims, count, devices, shown);
    fputs("<figure>\n", report->out);
    svg_put(&svg, status, report->out, id);
    fputs("</figure>\n", report->out);
}

static void put_plot(const struct report *report, char paper)
{
    char *list = report_list("papers/claims.csv"), *rest = list;
    struct plot_claim *claims = calloc(MOST_CLAIMS, sizeof *claims);
    struct claim claim = {.number = -1};
    int count = 0;
    while (list != NULL && claims != NULL && count < MOST_CLAIMS && read_claim(&rest, &claim)) {
        if (claim.paper[0] == paper && plot_claim(report, &claim, &claims[count]))
            count++;
    }
    if (count > 0)
        draw(report, paper, claims, count);
    free(claims);
    free(list);
}

/* ---- The section ---- */

/* How many claims have each verdict on each device. */
static void put_counts(const struct report *report)
{
    char *list = report_list("papers/claims.csv"), *rest = list;
    int counts[REPORT_DEVICES][VERDICTS + 1] = {{0}};
    struct claim claim = {.number = -1};
    while (list != NULL && read_claim(&rest, &claim)) {
        for (int device = 0; device < report->devices && claim.number > 0; device++) {
            struct judged all[SIZES];
            const int count = judge(report, &claim, device, all);
            counts[device][count > 0 ? (int)verdict_of_all(&claim, all, count) : VERDICTS]++;
        }
    }
    free(list);
    fputs("<div class=\"wide\" role=\"region\" aria-label=\"Verdicts\" tabindex=\"0\"><table>"
          "<caption>Verdicts</caption>\n<tr><th scope=\"col\">device</th>",
          report->out);
    for (int k = 0; k < VERDICTS; k++)
        fprintf(report->out, "<th scope=\"col\">%s</th>", verdicts[k]);
    fputs("<th scope=\"col\">no record</th></tr>\n", report->out);
    for (int device = 0; device < report->devices; device++) {
        fputs("<tr><th scope=\"row\">", report->out);
        report_text(report->out, report_device(report, device), "</th>");
        for (int k = 0; k <= VERDICTS; k++)
            fprintf(report->out, "<td class=\"right\">%d</td>", counts[device][k]);
        fputs("</tr>\n", report->out);
    }
    fputs("</table></div>\n", report->out);
}

void report_claims(const struct report *report)
{
    char *list = report_list("papers/claims.csv"), *rest = list;
    char paper = '\0';
    struct claim claim = {.number = -1};
    fputs("<h2 id=\"claims\">Claims</h2>\n"
          "<p>Each claim is judged by one run on each device: the ratio of the rates of two "
          "variants, and in parentheses the interval that the quartiles of both runs' times make "
          "of it. It <b>holds</b>, or has <b>turned</b>, where the interval is on one side of 1; "
          "both are <b>even</b> where it is within 0.97 and 1.03; and else it is "
          "<b>undecided</b>, as a claim is whose sizes differ. A run that was timed once or twice "
          "counts as a fifth wide; of several runs of a variant the fastest counts.</p>\n",
          report->out);
    put_counts(report);
    while (list != NULL && read_claim(&rest, &claim)) {
        if (claim.number == 0)
            continue;
        if (claim.paper[0] != paper) {
            fputs(paper != '\0' ? "</ul>\n" : "", report->out);
            paper = claim.paper[0];
            fprintf(report->out, "<h3 id=\"claims-%c\">Claims of paper %c</h3>\n", paper, paper);
            put_plot(report, paper);
            fputs("<ul class=\"claims\">\n", report->out);
        }
        put_claim(report, &claim);
    }
    fputs(paper != '\0' ? "</ul>\n" : "", report->out);
    free(list);
}
