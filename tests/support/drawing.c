/* SPDX-License-Identifier: MIT */
#include "support/drawing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static double seconds_of_children(void)
{
    struct rusage used;
    assert_int_equal(getrusage(RUSAGE_CHILDREN, &used), 0);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

int count_in(const char *drawing, const char *words)
{
    int found = 0;
    for (const char *at = drawing; (at = strstr(at, words)) != NULL; at++)
        found++;
    return found;
}

/* The text of an element, which is said in `output` at *said, from where the next goes on. */
static void must_be_said(const char *drawing, const char *begin, const char *end, const char **said)
{
    const char *text = strstr(drawing, begin);
    assert_non_null(text);
    text += strlen(begin);
    const size_t length = (size_t)(strstr(text, end) - text);
    assert_true(length > 20 && strncmp(*said, text, length) == 0);
    *said += length + 2; /* ": ", or the end of the line */
}

static void check_form(const char *drawing)
{
    const char *said = output;
    must_be_said(drawing, "<title id=\"t\">", "</title>", &said);
    must_be_said(drawing, "<desc id=\"d\">", "</desc>", &said);
    for (const char *at = drawing; (at = strstr(at, "font-size=\"")) != NULL; at++)
        assert_true(atoi(at + strlen("font-size=\"")) >= 11);
    assert_true(ends_with(drawing, "</svg>\n"));
}

const char *draw(const char *arguments)
{
    static char text[1 << 20];
    char line[512];
    const double before = seconds_of_children();
    snprintf(line, sizeof line, "draw %s -o p.svg", arguments);
    if (run(line) != 0)
        fail_msg("%s: %s", line, output);
    assert_true(seconds_of_children() - before < 2.0);
    FILE *file = fopen("p.svg", "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    check_form(text);
    return text;
}

void draw_refuses(const char *arguments, const char *words)
{
    char line[512];
    remove("p.svg");
    snprintf(line, sizeof line, "draw %s -o p.svg", arguments);
    assert_int_equal(run(line), 2);
    if (count(words) != 1)
        fail_msg("'%s' is not in '%s'", words, output);
    assert_false(exists("p.svg"));
}

void spoil_shader(const char *shader, const char *script)
{
    char line[512];
    snprintf(line, sizeof line,
             "rm -rf r; mkdir r && cp -r " QP_SOURCE_DIR "/shaders/. r && sed -i '%s' r/%s && "
             "! cmp -s r/%s " QP_SOURCE_DIR "/shaders/%s",
             script, shader, shader, shader);
    assert_int_equal(shell(line), 0);
    setenv("QUADPASS_SHADER_DIR", "r", 1);
}

void heal_shaders(void)
{
    unsetenv("QUADPASS_SHADER_DIR");
}
