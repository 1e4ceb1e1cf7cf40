/* SPDX-License-Identifier: MIT */
/* The writer of drawings: well-formed whatever the texts, short numbers, colours, and files that
 * are whole or not there. */
#include "support/drawings.h"
#include "support/support.h"

#include <math.h>
#include <stdio.h>
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
    svg_scale(svg, -1.5, 2.5);
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
                                 "stroke-width=\"1.5\" stroke-dasharray=\"none\"/>"));
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
    assert_int_equal(svg_step(-2.0, -1.0, 1.0), 0);
    assert_int_equal(svg_step(-1.0, -1.0, 1.0), 0);
    assert_int_equal(svg_step(0.0, -1.0, 1.0), SVG_COLOURS / 2);
    assert_int_equal(svg_step(1.0, -1.0, 1.0), SVG_COLOURS - 1);
    assert_int_equal(svg_step(9.0, -1.0, 1.0), SVG_COLOURS - 1);
    assert_int_equal(svg_step(3.0, 3.0, 3.0), SVG_COLOURS / 2);
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
