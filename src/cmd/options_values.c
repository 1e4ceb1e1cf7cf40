/* SPDX-License-Identifier: MIT */
#include "cmd/options_line.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/output/sentence.h"

int options_whole(const char *text, long least, const char *option, struct options *o)
{
    char *end;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || value < least || value > INT_MAX) {
        options_refuse(o, "%s takes a whole number of at least %ld, not '%s'", option, least, text);
        return (int)least;
    }
    return (int)value;
}

double options_number(const char *text, const char *option, struct options *o)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value) || value <= 0.0) {
        options_refuse(o, "%s takes a positive number, not '%s'", option, text);
        return 1.0;
    }
    return value;
}

void options_size(const char *text, const char *option, const char *such, int *width, int *height,
                  struct options *o)
{
    char copy[64];
    snprintf(copy, sizeof copy, "%s", text);
    char *cross = strchr(copy, 'x');
    if (strlen(text) >= sizeof copy)
        options_refuse(o, "a size has fewer than %zu digits", sizeof copy);
    if (cross == NULL && option != NULL)
        options_refuse(o, "%s takes WxH, such as %s, not '%s'", option, such, text);
    if (cross != NULL)
        *cross = '\0';
    *width = options_whole(copy, 1, "a size", o);
    *height = cross != NULL ? options_whole(cross + 1, 1, "a size", o) : *width;
}

int options_one_of(const char *text, const char *const names[], int count, const char *option,
                   struct options *o)
{
    for (int i = 0; i < count; i++) {
        if (strcmp(text, names[i]) == 0)
            return i;
    }
    options_refuse(o, "%s does not take '%s'%s", option, text, sentence_hint(text, names, count));
    return 0;
}
