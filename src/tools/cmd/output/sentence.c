/* SPDX-License-Identifier: MIT */
#include "tools/cmd/output/sentence.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "toolkit/base/nearest.h"
#include "toolkit/base/text.h"

static bool one_line;

void sentence_expect(int argc, char **argv)
{
    static const char *const variables[] = {"QUADPASS_SHADER_DIR", "QUADPASS_DEVICE",
                                            "QUADPASS_REQUIRE", "CC", "TMPDIR"};
    one_line = false;
    for (int i = 0; i < argc; i++)
        one_line = one_line || strchr(argv[i], '\n') != NULL;
    for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
        const char *value = getenv(variables[i]);
        one_line = one_line || (value != NULL && strchr(value, '\n') != NULL);
    }
}

static void put(FILE *out, const char *text, bool lines)
{
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++) {
        if ((*at == '\n' && lines) || *at == '\t' || !qp_text_steers(at)) {
            fputc(*at, out);
            continue;
        }
        at += *at == 0xc2;
        fprintf(out, *at == '\n' ? "\\n" : "\\x%02x", *at);
    }
}

void sentence_put_name(FILE *out, const char *name)
{
    put(out, name, false);
}

void sentence_put_lines(FILE *out, const char *text, int number)
{
    for (; *text != '\0'; text += *text == '\n', number += number > 0) {
        char *line = strndup(text, strcspn(text, "\r\n"));
        fprintf(out, "    %4.0d  ", number); /* no digit for 0 */
        put(out, line != NULL ? line : "", false);
        fputc('\n', out);
        free(line);
        text += strcspn(text, "\n");
    }
}

void sentence_print(FILE *out, const char *who, const char *text)
{
    fprintf(out, "%s: ", who);
    put(out, text, !one_line);
    fputc('\n', out);
}

void sentence_say(const char *format, ...)
{
    char text[2048];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    sentence_print(stderr, "quadpass", text);
}

const char *sentence_hint(const char *text, const char *const names[], int count)
{
    static char hint[128];
    const char *name = qp_nearest(text, names, count);
    snprintf(hint, sizeof hint, name != NULL ? " (did you mean '%s'?)" : "%s",
             name != NULL ? name : "");
    return hint;
}

char *sentence_valid(const char *text)
{
    static const char replacement[] = "\xef\xbf\xbd";
    char *copy = malloc(3 * strlen(text) + 1), *to = copy;
    const unsigned char *at = (const unsigned char *)text;
    while (copy != NULL && *at != '\0') {
        const int length = qp_text_character(at);
        memcpy(to, length > 0 ? (const char *)at : replacement, (size_t)(length > 0 ? length : 3));
        to += length > 0 ? length : 3;
        at += length > 0 ? length : 1;
    }
    if (copy != NULL)
        *to = '\0';
    return copy;
}
