/* SPDX-License-Identifier: MIT */
/* Text that a command printed, without what another machine or version changes, or in many lines
 * a new variant. */
#include <stdio.h>
#include <string.h>

#include "quadpass/quadpass.h"
#include "support/fake_runs.h"

/* Masks the rest of each line behind these words. */
static void mask_rest(char *text, const char *words)
{
    for (char *at = text; (at = strstr(at, words)) != NULL;) {
        char *rest = strchr(at, '\n');
        at += strlen(words);
        memmove(at, rest, strlen(rest) + 1);
    }
}

/* The tables are those of any version and compiler, and in records those of any processor, commit,
 * folder and date. */
static void mask_versions(char *text)
{
    const char *version = qp_version();
    mask_rest(text, ": ours, compiler");
    for (char *at = text; (at = strstr(at, version)) != NULL; at++) {
        const bool record = at > text && at[-1] == ',';
        const char *rest = at + strlen(version);
        memmove(at + 1, rest, strlen(rest) + 1);
        *at = '#';
        for (int fields = 0; record && fields < 3; at += *at != '\n') /* fields of the device */
            fields += at[1] == ',';
        if (record && *at != '\n')
            memmove(at, strchr(at, '\n'), strlen(strchr(at, '\n')) + 1);
    }
}

/* Number k of a line of progress "... k of n"; 0 of any other line. */
static int progress_of(const char *line, int *length, int *all)
{
    const char *end = line + strcspn(line, "\n"), *at = end;
    int number = 0;
    while (at > line && strncmp(at, " of ", 4) != 0)
        at--;
    if (strncmp(line, "> progress: ", 12) != 0 || sscanf(at, " of %d", all) != 1)
        return 0;
    while (at > line && at[-1] != ' ')
        at--;
    *length = (int)(at - line);
    sscanf(at, "%d", &number);
    return number;
}

/* Makes one line "a..b of n" of lines of progress that follow each other, each one further than the
 * one before or as far. */
static void join_progress(char *text)
{
    char *out = text;
    for (const char *line = text, *next; *line != '\0'; line = next) {
        int length, all, length_after, all_after;
        const int first = progress_of(line, &length, &all);
        int last = first, k;
        next = line + strcspn(line, "\n") + 1;
        while (first > 0 && (k = progress_of(next, &length_after, &all_after)) - last <= 1 &&
               k >= last && all_after == all && length_after == length &&
               strncmp(next, line, (size_t)length) == 0) {
            last = k;
            next += strcspn(next, "\n") + 1;
        }
        const size_t kept = last > first ? (size_t)length : (size_t)(next - line);
        memmove(out, line, kept);
        out += kept;
        if (last > first)
            out += sprintf(out, "%d..%d of %d\n", first, last, all);
    }
    *out = '\0';
}

void fake_shorten(char *text)
{
    mask_versions(text);
    join_progress(text);
}
