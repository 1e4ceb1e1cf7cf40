/* SPDX-License-Identifier: MIT */
#include "cmd/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS = 79 }; /* some terminals break the line at the eightieth */

static const double redraw_seconds = 0.1;

/* Jacobi gains digits at a steady rate, so progress is counted in digits: the part gained, 0 to 1,
 * of those from the first residual to the tolerance. */
static double part_gained(const struct qp_progress *now)
{
    double gained = log(now->first_residual / now->residual);
    double wanted = log(now->first_residual / now->tolerance);
    return gained > 0.0 ? fmin(gained / fmax(wanted, 1e-9), 1.0) : 0.0; /* 0 for NaN too */
}

/* At the pace so far to the tolerance or to the last step, whichever comes first; in seconds. */
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
    double seconds = time_left(now);
    int whole = (int)fmin(seconds, 1e9);
    if (!(part_gained(now) > 0.0))
        snprintf(text, size, "no end in sight");
    else if (whole < 3600)
        snprintf(text, size, "%d:%02d left", whole / 60, whole % 60);
    else if (whole < 360000)
        snprintf(text, size, "%d:%02d:%02d left", whole / 3600, whole / 60 % 60, whole % 60);
    else
        snprintf(text, size, "%d days left", whole / 86400);
}

void progress_draw(void *user, const struct qp_progress *now)
{
    static const char gained[] = "########################################";
    static const char wanted[] = "----------------------------------------";
    struct progress *bar = user;
    if ((bar->shown > 0 && now->seconds - bar->drawn_at < redraw_seconds) || !isatty(STDERR_FILENO))
        return;
    char rate[40], left[40], words[COLUMNS + 1];
    print_rate(rate, sizeof rate, now);
    print_left(left, sizeof left, now);
    int length = snprintf(words, sizeof words, "  residual %.1e of %.1e   %s   %s", now->residual,
                          now->tolerance, rate, left);
    /* The bar takes the columns that the words leave: 6 at least. */
    int room = COLUMNS - length - (int)strlen("[]"), full = (int)(room * part_gained(now));
    fprintf(stderr, "\r[%.*s%.*s]%s", full, gained, room - full, wanted, words);
    bar->shown = COLUMNS;
    bar->drawn_at = now->seconds;
}

void progress_end(struct progress *bar)
{
    if (bar->shown > 0)
        fprintf(stderr, "\r%*s\r", bar->shown, "");
    *bar = (struct progress){0};
}
