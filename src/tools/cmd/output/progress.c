/* SPDX-License-Identifier: MIT */
#include "tools/cmd/output/progress.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lab/baseline/ranks.h"
#include "lab/engines/parts/link.h"
#include "toolkit/base/clock.h"
#include "toolkit/base/watch.h"

enum { COLUMNS = 79 }; /* some terminals break the line at the eightieth */

static const double redraw_seconds = 0.1, line_seconds = 10.0; /* on a terminal, and elsewhere */
static const double long_work = 2.0; /* seconds; shorter work is not shown */

/* The line, of which there is one. */
static struct {
    bool shown;
    double drawn_at;         /* by the clock */
    char words[COLUMNS + 1]; /* names the work under way */
    double since;            /* time when that work began */
    double part_since, part; /* the loop under way: when it began, and how far it was then */
    double last_part;        /* how far it was at its last report; above 1 before the first */
    double bar_at;           /* an iteration's, in its seconds */
} line;

/* True if the line may be drawn now, or where there is no terminal one is to be printed. */
static bool is_due(double now)
{
    const double since = fmax(line.drawn_at, line.since);
    if (line.shown && now - line.drawn_at < redraw_seconds)
        return false;
    return isatty(STDERR_FILENO) ||
           (line.since > 0.0 && now - since >= line_seconds && baseline_rank() == 0);
}

static void show(const char *text, double now)
{
    line.drawn_at = now;
    line.shown = isatty(STDERR_FILENO);
    if (line.shown)
        fprintf(stderr, "\r%-*.*s", COLUMNS, COLUMNS, text);
    else
        fprintf(stderr, "%s\n", text);
}

void progress_end(void)
{
    if (line.shown)
        fprintf(stderr, "\r%*s\r", COLUMNS, "");
    line.shown = false;
}

/* ---- Words ---- */

static void print_time(char *text, size_t size, double seconds)
{
    const int whole = (int)fmin(seconds, 1e9);
    if (whole < 3600)
        snprintf(text, size, "%d:%02d left", whole / 60, whole % 60);
    else if (whole < 360000)
        snprintf(text, size, "%d:%02d:%02d left", whole / 3600, whole / 60 % 60, whole % 60);
    else
        snprintf(text, size, "%d days left", whole / 86400);
}

void progress_say(const char *format, ...)
{
    char words[sizeof line.words];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    const double now = qp_clock();
    if (strcmp(words, line.words) != 0)
        line.last_part = 2.0;
    memcpy(line.words, words, sizeof words);
    if (line.words[0] == '\0')
        line.since = 0.0;
    else if (line.since == 0.0)
        line.since = now;
    else if (is_due(now) && now - line.since > long_work)
        show(line.words, now);
}

/* Other processes of this run, which may wait for this one. */
static void tell_others(void)
{
    if (qp_link_mpi.progress != NULL)
        qp_link_mpi.progress();
}

/* A loop that begins anew is another one; its first report counts as its begin. */
static void tell_part(void *user, double part)
{
    const double now = qp_clock();
    char text[2 * COLUMNS], left[40] = "";
    (void)user;
    tell_others();
    if (part < line.last_part) {
        line.part_since = now;
        line.part = part;
    }
    line.last_part = part;
    if (!is_due(now) || line.since == 0.0 || now - line.since < long_work)
        return;
    if (part > line.part)
        print_time(left, sizeof left, (now - line.part_since) * (1.0 - part) / (part - line.part));
    snprintf(text, sizeof text, "%s: %.0f %%%s%s", line.words, 100.0 * part,
             left[0] != '\0' ? "   " : "", left);
    show(text, now);
}

/* Shows a long wait for the device: a shader that does not end, or a very large pass. */
static void tell_wait(void *user, double seconds)
{
    const double now = qp_clock();
    char text[2 * COLUMNS];
    (void)user;
    tell_others();
    if (seconds < long_work || !is_due(now))
        return;
    snprintf(text, sizeof text, "%s: one pass has been running for %.0f s", line.words, seconds);
    show(text, now);
}

void progress_watch(const volatile sig_atomic_t *interrupt)
{
    qp_watch_set(
        (struct qp_watch){.interrupt = interrupt, .on_part = tell_part, .on_wait = tell_wait});
}

/* ---- The bar of an iteration ---- */

/* Jacobi gains digits at a steady rate, so progress is counted in digits: the part gained, 0 to 1,
 * of those from the first residual to the tolerance. Where the steps are known they are counted, up
 * to the last hundredth, for the forecast may fall short. */
static double part_gained(const struct qp_progress *now)
{
    if (now->forecast > 0)
        return fmin((double)now->step / now->forecast, 0.99);
    double gained = log(now->first_residual / now->residual);
    double wanted = log(now->first_residual / now->tolerance);
    return gained > 0.0 ? fmin(gained / fmax(wanted, 1e-9), 1.0) : 0.0; /* 0 for NaN too */
}

/* Seconds left, at the pace so far, to the tolerance or to the last step, whichever comes first. */
static double time_left(const struct qp_progress *now)
{
    double part = part_gained(now), steps = (double)now->step / now->most_steps;
    return now->seconds * (1.0 / fmax(part, steps) - 1.0);
}

static void print_rate(char *text, size_t size, const struct qp_progress *now)
{
    double rate = now->seconds > 0.0 ? now->step / now->seconds : 0.0;
    long n = (long)fmin(rate, 999999999.0);
    if (n < 1000)
        snprintf(text, size, "%ld steps/s", n);
    else if (n < 1000000)
        snprintf(text, size, "%ld,%03ld steps/s", n / 1000, n % 1000);
    else
        snprintf(text, size, "%ld,%03ld,%03ld steps/s", n / 1000000, n / 1000 % 1000, n % 1000);
}

static void print_left(char *text, size_t size, const struct qp_progress *now)
{
    if (part_gained(now) > 0.0)
        print_time(text, size, time_left(now));
    else
        snprintf(text, size, "no end in sight");
}

void progress_draw(void *user, const struct qp_progress *now)
{
    static const char gained[] = "########################################";
    static const char wanted[] = "----------------------------------------";
    (void)user;
    const double clock = qp_clock();
    const bool terminal = isatty(STDERR_FILENO);
    if (terminal ? line.shown && fabs(now->seconds - line.bar_at) < redraw_seconds : !is_due(clock))
        return;
    char rate[40], left[40], words[COLUMNS + 1], text[3 * COLUMNS];
    print_rate(rate, sizeof rate, now);
    print_left(left, sizeof left, now);
    int length = snprintf(words, sizeof words, "  residual %.1e of %.1e   %s   %s", now->residual,
                          now->tolerance, rate, left);
    /* The bar takes the columns that the words leave: 6 at least. */
    int room = COLUMNS - length - (int)strlen("[]"), full = (int)(room * part_gained(now));
    if (terminal)
        snprintf(text, sizeof text, "[%.*s%.*s]%s", full, gained, room - full, wanted, words);
    else
        snprintf(text, sizeof text, "%s:%s", line.words, words + 1);
    show(text, clock);
    line.bar_at = now->seconds;
}
