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
    const struct svg_ruler linear = {0, 7, false}, logarithmic = {0.01, 100, true};
    struct svg svg;
    assert_ok(svg_begin(&svg));
    svg_title(&svg, "t");
    svg_describe(&svg, "d");
    svg_draw_ruler(&svg, &linear, 30);
    svg_draw_ruler(&svg, &logarithmic, 30);
    assert_ok(svg_end(&svg, QP_OK, path));
    assert_null(drawing_fault(read_drawing()));
    for (double at = 0.01; at < 101; at *= 10) {
        char words[16];
        snprintf(words, sizeof words, ">%g<", at);
        assert_non_null(strstr(text, words));
    }
    assert_non_null(strstr(text, ">6<"));
    assert_true(fabs(svg_along(&linear, 0) - 8) < 1e-9);
    assert_true(fabs(svg_along(&logarithmic, 1) -
                     (svg_along(&linear, 0) + svg_along(&linear, 7)) / 2) < 1e-9);
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
