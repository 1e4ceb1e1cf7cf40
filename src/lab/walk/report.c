/* SPDX-License-Identifier: MIT */
/* Reports of checks as CI reads them: JUnit XML, of which there is no standard but what its readers
 * agree on, and TAP 14 (testanything.org). Names and reasons are others' text: characters that
 * could end a line, a string or the document are escaped, and those that no format can hold become
 * '?'. */
#include <quadpass/check.h>

#include <errno.h>
#include <math.h>
#include <string.h>

#include <quadpass/quadpass.h>

#include "toolkit/base/caller.h"
#include "toolkit/base/text.h"

/* ---- Text ---- */

/* A way to write text: replacements of characters that have a meaning in the format. */
struct escape {
    char character;
    const char *instead;
};

static const struct escape in_xml[] = {
    {'&', "&amp;"},  {'<', "&lt;"},   {'>', "&gt;"},  {'"', "&quot;"},
    {'\'', "&#39;"}, {'\n', "&#10;"}, {'\t', "&#9;"}, {0}};
static const struct escape in_description[] = {
    {'#', "\\#"}, {'\\', "\\\\"}, {'\n', " "}, {'\t', " "}, {0}};
static const struct escape in_line[] = {{'\n', " "}, {'\t', " "}, {0}};
static const struct escape in_yaml[] = {
    {'"', "\\\""}, {'\\', "\\\\"}, {'\n', "\\n"}, {'\t', "\\t"}, {0}};

/* False for control characters, in UTF-8 U+0080 to U+009F too, and for U+FFFE and U+FFFF, which XML
 * forbids. */
static bool is_plain(const unsigned char *at, int length)
{
    if (length == 1)
        return *at >= ' ' && *at != 127;
    const bool steers = at[0] == 0xc2 && at[1] < 0xa0;
    const bool is_none = length == 3 && at[0] == 0xef && at[1] == 0xbf && at[2] >= 0xbe;
    return length > 0 && !steers && !is_none;
}

static void put(FILE *out, const struct escape *escapes, const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0';) {
        const int length = qp_text_character(at);
        const struct escape *escape = escapes;
        while (escape->instead != NULL && escape->character != (char)*at)
            escape++;
        if (escape->instead != NULL)
            fputs(escape->instead, out);
        else if (is_plain(at, length))
            fwrite(at, 1, (size_t)length, out);
        else
            fputc('?', out);
        at += length > 0 ? length : 1;
    }
}

/* ---- Contents of both formats ---- */

struct report {
    const struct qp_tally *tallies;
    int count;
    struct qp_report_desc desc;
};

static const char bound[] = "a bound: it wrote every cell, and is compared with nothing";

/* A tally that says nothing is a failure. */
static enum qp_verdict verdict_of(const struct qp_tally *tally)
{
    const enum qp_verdict verdict = qp_tally_verdict(tally);
    return verdict == QP_PASS || verdict == QP_SKIP || verdict == QP_BOUND ? verdict : QP_FAIL;
}

/* Why a variant is skipped. */
static const char *skip_reason(const struct qp_tally *tally)
{
    return verdict_of(tally) == QP_BOUND ? bound : tally->worst.reason;
}

/* Why a variant failed, in one sentence. */
static void fail_reason(const struct qp_tally *tally, char reason[600])
{
    const struct qp_record *worst = &tally->worst;
    if (worst->reason[0] != '\0')
        snprintf(reason, 600, "%s%s", worst->verdict == QP_CANNOT_TELL ? "cannot tell: " : "",
                 worst->reason);
    else
        snprintf(reason, 600, "error %.1e, allowed %.1e", worst->error, worst->tolerance);
}

static int count_of(const struct report *report, enum qp_verdict verdict)
{
    int count = 0;
    for (int i = 0; i < report->count; i++)
        count += verdict_of(&report->tallies[i]) == verdict;
    return count;
}

static enum qp_status check_report(const struct report *report)
{
    if (report->count < 0 || (report->count == 0 && report->desc.ended == NULL))
        return qp_fail(QP_BAD_USE, "a report of %d variants says nothing", report->count);
    for (int i = 0; i < report->count; i++) {
        if (report->tallies[i].worst.variant == NULL ||
            report->tallies[i].worst.variant->name == NULL)
            return qp_fail(QP_BAD_USE, "tally %d of %d names no variant: it is none of qp_check's",
                           i + 1, report->count);
    }
    return QP_OK;
}

/* Writes whose report it is, each fact by the format's own function. */
static void put_facts(FILE *out, const struct qp_report_desc *desc,
                      void (*put_fact)(FILE *out, const char *name, const char *value))
{
    put_fact(out, "quadpass", qp_version());
    put_fact(out, "device", desc->device);
    put_fact(out, "driver", desc->driver);
    put_fact(out, "commit", desc->commit);
    put_fact(out, "seed", desc->seed);
}

/* ---- JUnit ---- */

static void put_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    put(out, in_xml, value);
    fputc('"', out);
}

static void put_property(FILE *out, const char *name, const char *value)
{
    if (value == NULL)
        return;
    fputs("      <property", out);
    put_attribute(out, "name", name);
    put_attribute(out, "value", value);
    fputs("/>\n", out);
}

/* Writes the counts, on both levels, and the time. */
static void put_counts(FILE *out, const struct report *report)
{
    double seconds = 0.0;
    for (int i = 0; i < report->count; i++)
        seconds += report->tallies[i].seconds;
    const bool ended = report->desc.ended != NULL;
    fprintf(out, " tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\" time=\"%.3f\">\n",
            report->count + ended, count_of(report, QP_FAIL), ended, count_of(report, QP_SKIP),
            seconds);
}

static void put_failure(FILE *out, const struct qp_tally *tally)
{
    const struct qp_record *worst = &tally->worst;
    char reason[600];
    fail_reason(tally, reason);
    const bool doubted = worst->verdict == QP_CANNOT_TELL;
    fprintf(out, "      <failure type=\"%s\"", doubted ? "cannot tell" : "fail");
    put_attribute(out, "message", reason);
    fprintf(
        out,
        ">at %dx%d, %d step%s: error %.3g, allowed %.3g; %d cases passed, %d failed</failure>\n",
        worst->width, worst->height, worst->iterations, worst->iterations == 1 ? "" : "s",
        worst->error, worst->tolerance, tally->passed, tally->failed);
}

static void put_case(FILE *out, const struct qp_tally *tally)
{
    const struct qp_variant *variant = tally->worst.variant;
    const enum qp_verdict verdict = verdict_of(tally);
    fputs("    <testcase", out);
    put_attribute(out, "classname", variant->op != NULL ? variant->op : "");
    put_attribute(out, "name", variant->name);
    fprintf(out, " time=\"%.3f\"%s", tally->seconds, verdict == QP_PASS ? "/>\n" : ">\n");
    if (verdict == QP_PASS)
        return;
    if (verdict == QP_FAIL) {
        put_failure(out, tally);
    } else if (verdict == QP_BOUND) { /* neither passed, failed nor skipped; XML has no fourth */
        fprintf(out, "      <system-out>%s</system-out>\n", bound);
    } else {
        fputs("      <skipped", out);
        put_attribute(out, "message", skip_reason(tally));
        fputs("/>\n", out);
    }
    fputs("    </testcase>\n", out);
}

static void print_junit(FILE *out, const struct report *report)
{
    const struct qp_report_desc *desc = &report->desc;
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites", out);
    put_attribute(out, "name", desc->suite);
    put_counts(out, report);
    fputs("  <testsuite", out);
    put_attribute(out, "name", desc->suite);
    put_counts(out, report);
    fputs("    <properties>\n", out);
    put_facts(out, desc, put_property);
    fputs("    </properties>\n", out);
    for (int i = 0; i < report->count; i++)
        put_case(out, &report->tallies[i]);
    if (desc->ended != NULL) {
        fputs("    <testcase classname=\"\" name=\"all variants\" time=\"0.000\">\n      <error",
              out);
        put_attribute(out, "message", desc->ended);
        fputs("/>\n    </testcase>\n", out);
    }
    fputs("  </testsuite>\n</testsuites>\n", out);
}

/* ---- TAP ---- */

static void put_comment(FILE *out, const char *name, const char *value)
{
    if (value == NULL)
        return;
    fprintf(out, "# %s: ", name);
    put(out, in_line, value);
    fputc('\n', out);
}

/* YAML has words for what is no number. */
static void put_number(FILE *out, const char *name, double value)
{
    if (isfinite(value))
        fprintf(out, "  %s: %.9g\n", name, value);
    else
        fprintf(out, "  %s: %s\n", name, isnan(value) ? ".nan" : value > 0.0 ? ".inf" : "-.inf");
}

static void put_diagnosis(FILE *out, const struct qp_tally *tally)
{
    const struct qp_record *worst = &tally->worst;
    char reason[600];
    fail_reason(tally, reason);
    fputs("  ---\n  message: \"", out);
    put(out, in_yaml, reason);
    fputs("\"\n  severity: fail\n", out);
    put_number(out, "error", worst->error);
    put_number(out, "tolerance", worst->tolerance);
    fprintf(out, "  width: %d\n  height: %d\n  steps: %d\n  passed: %d\n  failed: %d\n  ...\n",
            worst->width, worst->height, worst->iterations, tally->passed, tally->failed);
}

static void put_point(FILE *out, int number, const struct qp_tally *tally)
{
    const enum qp_verdict verdict = verdict_of(tally);
    fprintf(out, "%sok %d - ", verdict == QP_FAIL ? "not " : "", number);
    put(out, in_description, tally->worst.variant->name);
    if (verdict == QP_SKIP || verdict == QP_BOUND) {
        fputs(" # SKIP ", out);
        put(out, in_line, skip_reason(tally));
    }
    fputc('\n', out);
    if (verdict == QP_FAIL)
        put_diagnosis(out, tally);
}

static void print_tap(FILE *out, const struct report *report)
{
    const struct qp_report_desc *desc = &report->desc;
    fputs("TAP version 14\n", out);
    put_comment(out, "suite", desc->suite);
    put_facts(out, desc, put_comment);
    fprintf(out, "1..%d\n", desc->planned > report->count ? desc->planned : report->count);
    for (int i = 0; i < report->count; i++)
        put_point(out, i + 1, &report->tallies[i]);
    if (desc->ended != NULL) {
        fputs("Bail out! ", out);
        put(out, in_line, desc->ended);
        fputc('\n', out);
    }
}

/* ---- Both ---- */

/* Numbers have a point, whatever the locale. */
static enum qp_status print(FILE *out, const struct qp_tally *tallies, int count,
                            const struct qp_report_desc *desc,
                            void (*format)(FILE *out, const struct report *report))
{
    struct report report = {.tallies = tallies, .count = count};
    struct qp_plain_numbers numbers;
    if (desc != NULL)
        report.desc = *desc;
    if (report.desc.suite == NULL)
        report.desc.suite = "quadpass";
    if (check_report(&report) != QP_OK)
        return QP_BAD_USE;
    const bool begun = qp_plain_numbers_begin(&numbers);
    if (begun)
        format(out, &report);
    qp_plain_numbers_end(&numbers);
    if (!begun)
        return qp_fail(QP_NO_MEMORY, "no memory to write numbers with a point");
    if (fflush(out) != 0 || ferror(out))
        return qp_fail(QP_BAD_INPUT, "the report cannot be written: %s", strerror(errno));
    return QP_OK;
}

enum qp_status qp_report_junit(FILE *out, const struct qp_tally *tallies, int count,
                               const struct qp_report_desc *desc)
{
    return QP_NEED(out) || QP_NEED(tallies) ? QP_BAD_USE
                                            : print(out, tallies, count, desc, print_junit);
}

enum qp_status qp_report_tap(FILE *out, const struct qp_tally *tallies, int count,
                             const struct qp_report_desc *desc)
{
    return QP_NEED(out) || QP_NEED(tallies) ? QP_BAD_USE
                                            : print(out, tallies, count, desc, print_tap);
}
