/* SPDX-License-Identifier: MIT */
#include "support/drawings.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/cmd/output/svg.h"

enum { DEEPEST = 16 };

struct element {
    const char *name;
    size_t length;
};

static size_t length_of_name(const char *at)
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '-' || at[length] == ':')
        length++;
    return length;
}

/* The end of an escape such as &#38; from its & on, or NULL. */
static const char *after_escape(const char *at)
{
    const size_t digits = at[1] == '#' ? strspn(at + 2, "0123456789") : 0;
    return digits > 0 && at[2 + digits] == ';' ? at + 3 + digits : NULL;
}

/* The end of ` NAME="VALUE"`, or NULL. */
static const char *after_attribute(const char *at)
{
    while (isspace((unsigned char)*at))
        at++;
    const bool size = strncmp(at, "font-size=\"", 11) == 0;
    at += length_of_name(at);
    if (at[0] != '=' || at[1] != '"' || (size && atof(at + 2) < 11.0))
        return NULL;
    for (at += 2; *at != '"'; at++) {
        if (*at == '\0' || *at == '<' || (*at == '&' && after_escape(at) == NULL))
            return NULL;
    }
    return at + 1;
}

/* The end of a tag, whose element is opened or closed; NULL at a fault. */
static const char *after_tag(const char *at, struct element *open, int *depth)
{
    const bool closes = at[1] == '/';
    const char *name = at + 1 + closes;
    const size_t length = length_of_name(name);
    if (length == 0 || *depth == DEEPEST)
        return NULL;
    at = name + length;
    if (closes) {
        const bool matches = *depth > 0 && open[*depth - 1].length == length &&
                             memcmp(open[*depth - 1].name, name, length) == 0;
        --*depth;
        return matches && *at == '>' ? at + 1 : NULL;
    }
    while (at != NULL && isspace((unsigned char)*at))
        at = after_attribute(at);
    if (at != NULL && at[0] == '/' && at[1] == '>')
        return at + 2;
    open[(*depth)++] = (struct element){name, length};
    return at != NULL && *at == '>' ? at + 1 : NULL;
}

static bool has(const char *text, const char *element)
{
    const char *at = strstr(text, element);
    at = at != NULL ? strchr(at, '>') : NULL;
    return at != NULL && at[1] != '<';
}

const char *drawing_fault(const char *text)
{
    struct element open[DEEPEST];
    int depth = 0;
    const char *at = text, *next = text;
    if (strncmp(text, "<svg ", 5) != 0 || strstr(text, " role=\"img\"") == NULL ||
        !has(text, "<title") || !has(text, "<desc"))
        return text;
    do {
        at = next;
        next = *at == '<'   ? after_tag(at, open, &depth)
               : *at == '&' ? after_escape(at)
               : *at != '\0' && ((unsigned char)*at >= ' ' || *at == '\n') ? at + 1
                                                                           : NULL;
    } while (next != NULL && depth > 0);
    return next != NULL && strcmp(next, "\n") == 0 ? NULL : at;
}

/* ---- Contrast ---- */

/* The value of an attribute of the tag that begins here, or "". */
static const char *attribute(const char *tag, const char *name)
{
    static char value[64];
    char words[32];
    const char *end = strchr(tag, '>');
    snprintf(words, sizeof words, " %s=\"", name);
    const char *at = strstr(tag, words);
    value[0] = '\0';
    if (at != NULL && at < end)
        sscanf(at + strlen(words), "%63[^\"]", value);
    return value;
}

static double number_of(const char *tag, const char *name)
{
    return atof(attribute(tag, name));
}

/* The relative luminance of WCAG 2; of no colour such as #fff or #1d6fa5, NaN. */
static double luminance(const char *colour)
{
    static const double weights[] = {0.2126, 0.7152, 0.0722};
    unsigned part[3];
    double sum = 0.0;
    const bool is_short = strlen(colour) == 4;
    if (sscanf(colour, is_short ? "#%1x%1x%1x" : "#%2x%2x%2x", &part[0], &part[1], &part[2]) != 3)
        return NAN;
    for (int i = 0; i < 3; i++) {
        const double c = part[i] / (is_short ? 15.0 : 255.0);
        sum += weights[i] * (c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
    }
    return sum;
}

/* True if this tag is a filled shape around the place. */
static bool is_below(const char *tag, double x, double y)
{
    if (strcmp(attribute(tag, "fill"), "none") == 0)
        return false;
    if (strncmp(tag, "<circle ", 8) == 0)
        return hypot(x - number_of(tag, "cx"), y - number_of(tag, "cy")) <= number_of(tag, "r");
    const double right = x - number_of(tag, "x"), down = y - number_of(tag, "y");
    return strncmp(tag, "<rect ", 6) == 0 && right >= 0.0 && down >= 0.0 &&
           right <= number_of(tag, "width") && down <= number_of(tag, "height");
}

static bool is_pale(const char *drawing, const char *tag, double x)
{
    double below = NAN;
    for (const char *at = drawing; at < tag; at++) {
        if (*at == '<' && is_below(at, x, number_of(tag, "y") - 4.0))
            below = luminance(attribute(at, "fill"));
    }
    const char *ink = attribute(tag, "fill");
    const double letters = luminance(*ink != '\0' ? ink : "#000");
    return !((fmax(letters, below) + 0.05) / (fmin(letters, below) + 0.05) >= 4.5) ||
           isnan(below) || isnan(letters);
}

const char *drawing_pale(const char *text)
{
    enum { WIDE = 2 }; /* letters are half as wide as high, or wider */
    for (const char *at = text; (at = strstr(at, "<text ")) != NULL; at++) {
        const char *words = strchr(at, '>') + 1;
        double letters = 0.0;
        for (const char *w = words; *w != '<'; w++, letters++)
            w += *w == '&' ? strcspn(w, ";") : 0;
        const double width = letters * number_of(at, "font-size") / WIDE;
        const char anchor = attribute(at, "text-anchor")[0];
        const double left = number_of(at, "x") - width * (anchor == 'm'   ? 0.5
                                                          : anchor == 'e' ? 1.0
                                                                          : 0.0);
        if (is_pale(text, at, left) || is_pale(text, at, left + width))
            return at;
    }
    return NULL;
}

/* ---- Places ---- */

struct box {
    double left, right, top, bottom;
};

static struct box box_of(const char *tag)
{
    const double size = number_of(tag, "font-size"), x = number_of(tag, "x");
    const double y = number_of(tag, "y");
    char words[512], *end = words;
    for (const char *at = strchr(tag, '>') + 1; *at != '<' && end < words + 511; at++) {
        *end++ = *at == '&' ? (char)atoi(at + 2) : *at;
        at += *at == '&' ? strcspn(at, ";") : 0;
    }
    *end = '\0';
    const double width = svg_text_width(words, (int)size);
    const char anchor = attribute(tag, "text-anchor")[0];
    const double left = x - width * (anchor == 'm' ? 0.5 : anchor == 'e' ? 1.0 : 0.0);
    return (struct box){left, left + width, y - 0.76 * size, y + 0.24 * size};
}

static bool is_inside(const char *text, struct box box)
{
    double width, height;
    return sscanf(strstr(text, "viewBox"), "viewBox=\"0 0 %lf %lf", &width, &height) == 2 &&
           box.left >= 0.0 && box.right <= width && box.top >= 0.0 && box.bottom <= height;
}

const char *drawing_crowded(const char *text)
{
    for (const char *at = text; (at = strstr(at, "<text ")) != NULL; at++) {
        const struct box box = box_of(at);
        if (!is_inside(text, box))
            return at;
        for (const char *to = text; (to = strstr(to, "<text ")) < at; to++) {
            const struct box other = box_of(to);
            if (box.left < other.right && other.left < box.right && box.top < other.bottom &&
                other.top < box.bottom)
                return at;
        }
    }
    for (const char *at = text; (at = strstr(at, "<polyline points=\"")) != NULL; at++) {
        double x, y;
        int length;
        const char *point = at + strlen("<polyline points=\"");
        for (; sscanf(point, " %lf,%lf%n", &x, &y, &length) == 2; point += length) {
            if (!is_inside(text, (struct box){x, x, y, y}))
                return at;
        }
        if (*point != '"')
            return at;
    }
    return NULL;
}

int drawing_count(const char *text, const char *words)
{
    int found = 0;
    while ((text = strstr(text, words)) != NULL) {
        found++;
        text += strlen(words);
    }
    return found;
}

/* ---- By the command ---- */

/* The text of an element, which is said in `output` at *said, from where the next goes on. */
static void must_be_said(const char *drawing, const char *begin, const char *end, const char **said)
{
    const char *text = strchr(strstr(drawing, begin), '>') + 1;
    const size_t length = (size_t)(strstr(text, end) - text);
    assert_true(length > 20 && strncmp(*said, text, length) == 0);
    *said += length + 2; /* ". ", or the end of the line */
}

const char *drawing_of(const char *arguments)
{
    static char text[1 << 20];
    char line[512];
    const char *said = output;
    snprintf(line, sizeof line, "draw %s -o p.svg", arguments);
    if (run(line) != 0)
        fail_msg("%s: %s", line, output);
    FILE *file = fopen("p.svg", "r");
    assert_non_null(file);
    const size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    if (drawing_fault(text) != NULL)
        fail_msg("%s: a fault at %.60s", line, drawing_fault(text));
    must_be_said(text, "<title", "</title>", &said);
    must_be_said(text, "<desc", "</desc>", &said);
    return text;
}

void drawing_refused(const char *arguments, const char *words)
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
