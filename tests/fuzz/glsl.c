/* SPDX-License-Identifier: MIT */
#include "fuzz.h"

#include <string.h>

#include "base/text.h"
#include "cmd/run/glsl.h"

enum { MOST_BYTES = 4096 };

static size_t lines(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += *text == '\n';
    return count;
}

/* What is found is a part of the text. */
static void check_found(const char *text)
{
    static const char *const names[] = {"x", "kernel"};
    const char *type = glsl_function(text, "kernel");
    PROMISE(type == NULL || (type[0] != '\0' && strstr(text, type) != NULL));
    PROMISE(type == NULL || glsl_reads(text, "kernel", false));
    const struct glsl_uniform uniform = glsl_uniform(text, "x");
    PROMISE(uniform.type[0] == '\0' || glsl_reads(text, "x", false));
    PROMISE(uniform.type[0] == '\0' || strstr(text, uniform.type) != NULL);
    const char *unknown = glsl_unknown_gather(text, names, 2);
    PROMISE(unknown == NULL || (unknown[0] != '\0' && strstr(text, unknown) != NULL));
    PROMISE(unknown == NULL || strcmp(unknown, "x") != 0);
    PROMISE(!glsl_reads(text, "x", false) || glsl_reads(text, "x", true));
}

void fuzz_glsl(const uint8_t *bytes, size_t size)
{
    char text[MOST_BYTES + 1], stripped[MOST_BYTES + 1];
    if (size > MOST_BYTES)
        return;
    memcpy(text, bytes, size);
    text[size] = '\0';
    strcpy(stripped, text);
    qp_blank_comments(stripped);
    PROMISE(strlen(stripped) == strlen(text) && lines(stripped) == lines(text));
    PROMISE(strstr(stripped, "//") == NULL && strstr(stripped, "/*") == NULL);
    check_found(text);
    check_found(stripped);
}
