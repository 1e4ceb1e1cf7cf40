/* SPDX-License-Identifier: MIT */
/* The writer of drawings: well-formed whatever the texts, short numbers, colours, and files that
 * are whole or not there. */
#include "support/drawings.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/cmd/output/svg.h"

static const char path[] = QP_BUILD_DIR "/tests/drawing.svg";
static char text[1 << 16];

static const char *read_drawing(void)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

/* The rules that tests of drawings go by find faults. */
TEST(rules)
{
    static const char *const wrong[] = {
        "",
        "<svg role=\"img\"><title>a</title></svg>\n",
        "<svg role=\"img\"><title></title><desc>b</desc></svg>\n",
        "<svg ><title>a</title><desc>b</desc></svg>\n",
        "<svg role=\"img\"><title>a</title><desc>b</desc>\n",
        "<svg role=\"img\"><title>a</desc><desc>b</title></svg>\n",
        "<svg role=\"img\"><title>a</title><desc>b</desc></svg></svg>\n",
        "<svg role=\"img\"><title>a</title><desc>a & b</desc></svg>\n",
        "<svg role=\"img\"><title>a</title><desc>b</desc><p d=1/></svg>\n",
        "<svg role=\"img\"><title>a</title><desc>b</desc><p d=\"1/></svg>\n",
        "<svg role=\"img\"><title>a</title><desc>b</desc><p font-size=\"9\"/></svg>\n"};
    for (int i = 0; i < COUNT(wrong); i++)
        assert_non_null(drawing_fault(wrong[i]));
    static const char *const crowded[] = {"<text x=\"-1\"",
                                          "<text x=\"347\"",
                                          "<text x=\"9\" y=\"9\"",
                                          "<text x=\"9\" y=\"38\"",
                                          "<polyline points=\" 9,51\"",
                                          "<polyline points=\" 9,nan\""};
    for (int i = 0; i < COUNT(crowded); i++) {
        char words[256];
        snprintf(words, sizeof words,
                 "<svg viewBox=\"0 0 360 50\"><text x=\"12\" y=\"30\" font-size="
                 "\"12\">of</text>%s y=\"20\" font-size=\"12\">WW</text>",
                 crowded[i]);
        assert_ptr_equal(drawing_crowded(words), strstr(words, crowded[i]));
    }
    assert_null(
        drawing_fault("<svg role=\"img\"><title>a</title><desc>b &#38; c</desc><p/></svg>\n"));
}

static void everything(struct svg *svg)
{
    svg_title(svg, "A < B & \"C\" > D, and a title that is wider than the page of a phone");
    svg_describe(svg, "1 < 2 & 3.");
    svg_describe(svg, " And \"more\".\n");
    svg_text(svg, 1.0 / 3, -0.5, 11, SVG_END, "<&>\t\"%d\"", 7);
    svg_rectangle(svg, 1.10, 2.05, 3, 1e6, (struct svg_paint){.fill = "#fff", .dash = "4 3"});
    svg_line(svg, 0, 0.1, 0.99, 1, (struct svg_paint){.stroke = "#000", .width = 1.5});
    svg_arrow(svg, 0, 0, 10, 0, "#123456");
    svg_legend(svg, 8, 50, "#123456", "%s", "<legend>");
    svg_scale(svg, svg_colours(), SVG_COLOURS, -1.5, 2.5);
}

TEST(shapes)
{
    struct svg svg;
    assert_ok(svg_begin(&svg));
    everything(&svg);
    assert_ok(svg_end(&svg, QP_OK, path));
    assert_null(drawing_fault(read_drawing()));
    assert_non_null(strstr(text, "<desc id=\"d\">1 &#60; 2 &#38; 3. And &#34;more&#34;. </desc>"));
    assert_non_null(strstr(text,
                           "x=\"0.33333\" y=\"-0.5\" font-size=\"11\" text-anchor=\"end\">&#60;"
                           "&#38;&#62; &#34;7&#34;</text>"));
    assert_non_null(strstr(text, "x=\"1.1\" y=\"2.05\" width=\"3\" height=\"1e+06\" fill="));
    assert_non_null(strstr(text, "points=\" 0,0.1 0.99,1\" fill=\"none\" stroke=\"#000\" "
                                 "stroke-width=\"1.5\"/>"));
    assert_non_null(strstr(text, " textLength=\"344\""));
    assert_non_null(strstr(text, "&#60;legend&#62;"));
    assert_non_null(strstr(text, ">-1.5</text>"));
}

static int stripes(const void *user, int column, int line)
{
    (void)user;
    return line == 2 ? -1 : column / 2 % 2;
}

/* Neighbours of a colour are one rectangle; below 0 is nothing. */
TEST(rasters)
{
    static const char *const paints[] = {"#111111", "#222222"};
    struct svg svg;
    assert_ok(svg_begin(&svg));
    svg_title(&svg, "t");
    svg_describe(&svg, "d");
    svg_panel(&svg, svg_squares(5, 3, 10.0, paints, 2, stripes, NULL), 0, 2, "first");
    svg_panel(&svg, svg_squares(5, 9, 10.0, paints, 2, stripes, NULL), 1, 2, "second");
    const double height = svg.height;
    svg_panel(&svg, svg_squares(5, 1, 10.0, paints, 2, stripes, NULL), 2, 2, "third");
    assert_true(svg.height > height + 10.0);
    assert_ok(svg_end(&svg, QP_OK, path));
    assert_null(drawing_fault(read_drawing()));
    assert_non_null(strstr(text, "<path fill=\"#111111\" d=\"M0 0h2v1h-2zM4 0h1v1h-1z"
                                 "M0 1h2v1h-2zM4 1h1v1h-1z\"/>\n"
                                 "<path fill=\"#222222\" d=\"M2 0h2v1h-2zM2 1h2v1h-2z\"/>"));
    assert_non_null(strstr(text, "viewBox=\"0 0 5 9\""));
}

TEST(colours)
{
    assert_string_equal(svg_colours()[0], "#440154");
    assert_string_equal(svg_colours()[SVG_COLOURS - 1], "#fde725");
}

static double linear(unsigned byte)
{
    return byte > 10 ? pow((byte / 255.0 + 0.055) / 1.055, 2.4) : byte / 255.0 / 12.92;
}

/* Signs are seen: white is 0, and black letters have a contrast of 4.5 on every colour. */
TEST(signs)
{
    unsigned red, green, blue;
    assert_string_equal(svg_signs()[svg_sign(0.0, 2.0)], "#ffffff");
    assert_int_equal(svg_sign(-9.0, 1.0), 0);
    assert_int_equal(svg_sign(9.0, 1.0), SVG_SIGNS - 1);
    assert_int_equal(svg_sign(NAN, 1.0), SVG_SIGNS);
    assert_int_equal(svg_sign(1.0, 0.0), svg_sign(0.0, 1.0));
    assert_int_equal(svg_sign(0.5, 1.0) - svg_sign(0.0, 1.0), (SVG_SIGNS - 1) / 4);
    for (int i = 0; i <= SVG_SIGNS; i++) {
        assert_int_equal(sscanf(svg_signs()[i], "#%2x%2x%2x", &red, &green, &blue), 3);
        const double light = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
        assert_true((light + 0.05) / 0.05 >= 4.5);
        assert_true(i >= SVG_SIGNS / 2 || red > blue);
        assert_true(i <= SVG_SIGNS / 2 || i == SVG_SIGNS || blue > red);
    }
}

/* Numbers have as many decimals as fit; cells without a number are striped and have none. */
TEST(cells)
{
    static const double values[] = {0.0625, -0.00001, 9, NAN, 1.0 / 3, 9};
    struct svg svg;
    assert_ok(svg_begin(&svg));
    svg_title(&svg, "t");
    svg_describe(&svg, "d");
    svg_draw_cells(&svg, &(struct svg_cells){values, 2, 2, 3, 1.0, 0.0}, 8, 40, 48, 20);
    svg_draw_cells(&svg, &(struct svg_cells){values, 2, 2, 3, 1.0, 0.01}, 8, 90, 14, 20);
    svg_draw_cells(&svg, &(struct svg_cells){values, 2, 2, 3, 1.0, 1.0}, 8, 140, 4, 4);
    svg_mark(&svg, 100, 100, true);
    svg_note(&svg, "a note");
    svg.across = 1200;
    assert_ok(svg_end(&svg, QP_OK, path));
    assert_null(drawing_fault(read_drawing()));
    static const char *const once[] = {">0.0625<", ">0.3333<", ">6<", ">33<", ">a note<"};
    for (int i = 0; i < COUNT(once); i++)
        assert_int_equal(drawing_count(text, once[i]), 1);
    assert_int_equal(drawing_count(text, ">0<"), 2);
    assert_int_equal(drawing_count(text, ">9<"), 0);
    assert_int_equal(drawing_count(text, "<path stroke=\"#868e96\""), 3);
    assert_int_equal(drawing_count(text, "<svg x="), 3);
    assert_non_null(strstr(text, " width=\"1200\" height=\""));
    assert_non_null(strstr(text, " viewBox=\"0 0 360 "));
}

TEST(rulers)
{
    const struct svg_ruler linear = {.high = 7},
                           logarithmic = {.low = 0.01, .high = 100, .logarithmic = true};
    struct svg svg;
    assert_ok(svg_begin(&svg));
    svg_title(&svg, "t");
    svg_describe(&svg, "d");
    svg_draw_ruler(&svg, &linear, 0, 30, true);
    svg_draw_ruler(&svg, &logarithmic, 0, 30, true);
    assert_ok(svg_end(&svg, QP_OK, path));
    assert_null(drawing_fault(read_drawing()));
    for (double at = 0.01; at < 101; at *= 10) {
        char words[16];
        snprintf(words, sizeof words, ">%g<", at);
        assert_non_null(strstr(text, words));
    }
    assert_non_null(strstr(text, ">6<"));
    assert_true(fabs(svg_along(&linear, 0) - 8) < 1e-9);
    assert_true(svg_along(&(struct svg_ruler){0}, 0) == 8);
    assert_true(fabs(svg_along(&logarithmic, 1) -
                     (svg_along(&linear, 0) + svg_along(&linear, 7)) / 2) < 1e-9);
}

/* Words go on in the next line at a blank, or where there is none between characters. */
TEST(words)
{
    struct svg svg;
    assert_ok(svg_begin(&svg));
    svg_title(&svg, "t");
    svg_describe(&svg, "d");
    svg_words(&svg, 8, 60, SVG_START, SVG_TEXT, "one two three  four");
    svg_words(&svg, 180, 60, SVG_MIDDLE, SVG_TEXT, "WWWWWWWW");
    svg_words(&svg, 352, 12, SVG_END, SVG_TEXT, "\xe2\x82\xac\xe2\x82\xac\xff");
    svg_words(&svg, 8, 60, SVG_START, SVG_TEXT, "");
    assert_true(svg.height == 26 + 8 * (SVG_TEXT + 3));
    assert_ok(svg_end(&svg, QP_OK, path));
    assert_null(drawing_fault(read_drawing()));
    assert_null(drawing_crowded(text));
    static const char *const once[] = {">one two<", ">three<", ">four<", ">WWWWW<", ">WWW<", ">?<"};
    for (int i = 0; i < COUNT(once); i++)
        if (drawing_count(text, once[i]) != 1)
            fail_msg("%s is not there once", once[i]);
    assert_int_equal(drawing_count(text, ">\xe2\x82\xac<"), 2);
}

/* Rounds a ruler of 300 pixels, and answers its numbers as they are drawn. */
static const char *numbers_of(double low, double high, bool logarithmic, double step, bool up)
{
    static char found[256];
    struct svg_ruler ruler = {low, high, logarithmic, 40, 340, step, SVG_TEXT};
    struct svg svg;
    if (up)
        ruler.from = 240, ruler.to = 40;
    svg_round_ruler(&ruler);
    assert_true(ruler.low <= low && ruler.high >= high && ruler.low < ruler.high);
    assert_ok(svg_begin(&svg));
    svg_title(&svg, "t");
    svg_describe(&svg, "d");
    svg_draw_ruler(&svg, &ruler, 100, 200, true);
    svg.height = 300;
    assert_ok(svg_end(&svg, QP_OK, path));
    if (drawing_crowded(read_drawing()) != NULL)
        fail_msg("%g to %g: %.70s", low, high, drawing_crowded(text));
    found[0] = '\0';
    for (const char *at = text; (at = strstr(at, " font-size=\"12\" text")) != NULL; at++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%.*s ",
                 (int)strcspn(strchr(at, '>') + 1, "<"), strchr(at, '>') + 1);
    return found;
}

/* Numbers are 1, 2 or 5 times a power of ten apart or, by logarithm, are such numbers, or powers,
 * and have room beside each other. */
TEST(round_numbers)
{
    static const struct {
        double low, high, step;
        const char *numbers;
        bool logarithmic, up;
    } cases[] = {{0, 7, 0, "0 2 4 6 8 ", false, false},
                 {508, 516, 0, "508 510 512 514 516 ", false, false},
                 {-0.03, 0.02, 0, "-0.03 -0.02 -0.01 0 0.01 0.02 ", false, false},
                 {3, 3, 0, "1.5 2 2.5 3 3.5 4 4.5 ", false, false},
                 {0, 0, 0, "-0.6 -0.4 -0.2 0 0.2 0.4 0.6 ", false, true},
                 {1e9, 1e9 + 1, 0, "4e8 6e8 8e8 1e9 1.2e9 1.4e9 1.6e9 ", false, false},
                 {1e6, 1.2e6, 0, "1e6 1.05e6 1.1e6 1.15e6 1.2e6 ", false, true},
                 {-1e100, 1e100, 0, "-1e100 -5e99 0 5e99 1e100 ", false, false},
                 {3, 70, 0, "2 5 10 20 50 100 ", true, false},
                 {2000, 500000, 0, "10000 100000 ", true, false},
                 {3, 3, 0, "1 2 5 10 ", true, true},
                 {64, 1024, 2, "64 128 256 512 1024 ", true, false},
                 {64, 64, 2, "32 64 128 ", true, false},
                 {4096, 262144, 2, "4096 16384 65536 262144 ", true, false},
                 {4096, 16777216, 2, "4096 32768 262144 2097152 16777216 ", true, false},
                 {0.0011, 900, 0, "0.001 0.01 0.1 1 10 100 1000 ", true, true},
                 {1e-30, 1e30, 0, "1e-30 1e-20 1e-10 1 1e10 1e20 1e30 ", true, false}};
    for (int i = 0; i < COUNT(cases); i++) {
        const char *found = numbers_of(cases[i].low, cases[i].high, cases[i].logarithmic,
                                       cases[i].step, cases[i].up);
        if (strcmp(found, cases[i].numbers) != 0)
            fail_msg("%g to %g: %s", cases[i].low, cases[i].high, found);
    }
}

/* Two drawings in a page have ids of their own, and else the file's text. */
TEST(inline_drawings)
{
    struct svg svg;
    char *page = NULL, *end;
    size_t length;
    assert_ok(svg_begin(&svg));
    everything(&svg);
    assert_ok(svg_end(&svg, QP_OK, path));
    read_drawing();
    FILE *out = open_memstream(&page, &length);
    for (int i = 0; i < 2; i++) {
        assert_ok(svg_begin(&svg));
        everything(&svg);
        assert_ok(svg_put(&svg, QP_OK, out, i == 0 ? "p3-t5" : "p3-t6"));
        assert_null(svg.text);
    }
    assert_ok(svg_begin(&svg));
    assert_int_equal(svg_put(&svg, QP_BAD_USE, out, "p3-t7"), QP_BAD_USE);
    fclose(out);
    assert_int_equal(drawing_count(page, "<svg xmlns"), 2);
    assert_int_equal(drawing_count(page, " aria-labelledby=\"p3-t5-t p3-t5-d\""), 1);
    assert_int_equal(drawing_count(page, "<title id=\"p3-t6-t\">"), 1);
    assert_int_equal(drawing_count(page, "<desc id=\"p3-t6-d\">"), 1);
    assert_int_equal(drawing_count(page, " viewBox=\"0 0 360 "), 2);
    assert_int_equal(drawing_count(page, "\"t\""), 0);
    end = strstr(page + 1, "<svg xmlns");
    assert_null(drawing_fault(end));
    assert_string_equal(strstr(end, "</desc>"), strstr(text, "</desc>"));
    free(page);
}

/* An error leaves the file that was there. */
TEST(files)
{
    struct svg svg;
    read_drawing();
    assert_ok(svg_begin(&svg));
    assert_int_equal(svg_end(&svg, QP_BAD_USE, path), QP_BAD_USE);
    assert_null(drawing_fault(read_drawing()));
    assert_ok(svg_begin(&svg));
    assert_int_equal(svg_end(&svg, QP_OK, QP_BUILD_DIR "/none/x.svg"), QP_BAD_INPUT);
    support_assert_sentence("No such file");
    assert_ok(svg_check_name(NULL));
    assert_ok(svg_check_name("-"));
    assert_ok(svg_check_name("a.b.svg"));
    assert_int_equal(svg_check_name("x.png"), QP_BAD_USE);
    support_assert_sentence("x.png: drawings are SVG");
    assert_int_equal(svg_check_name("svg"), QP_BAD_USE);
    unlink(path);
}
