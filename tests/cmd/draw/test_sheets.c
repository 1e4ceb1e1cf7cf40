/* SPDX-License-Identifier: MIT */
/* Sheets as bars and as a time line: values and years are to scale, quotes are read, and each fault
 * of a file is named with its line. No device is asked. */
#include "support/drawings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The n-th rectangle's width or height with this fill. */
static double side_of(const char *drawing, const char *fill, int n, bool across)
{
    char words[64];
    double x, y, width, height;
    const char *at = drawing;
    snprintf(words, sizeof words, "fill=\"%s\" stroke", fill);
    for (at = strstr(at, words); at != NULL && n > 0; n--)
        at = strstr(at + 1, words);
    assert_non_null(at);
    while (strncmp(at, "<rect", 5) != 0)
        at--;
    assert_int_equal(sscanf(at, "<rect x=\"%lf\" y=\"%lf\" width=\"%lf\" height=\"%lf\"", &x, &y,
                            &width, &height),
                     4);
    return across ? width : height;
}

TEST(bars_are_to_scale)
{
    write_file("b.csv", "# Two bars, and no more\nlabel,value\nhalf,21\nwhole,42\n");
    const char *drawing = drawing_of("bars b.csv");
    assert_int_equal(count("Two bars, and no more. Bars on a linear axis: half 21; whole 42"), 1);
    assert_true(fabs(side_of(drawing, "#1d6fa5", 1, true) -
                     2 * side_of(drawing, "#1d6fa5", 0, true)) < 0.1);
    assert_int_equal(drawing_count(drawing, ">linear, from 0<"), 1);
    assert_int_equal(drawing_count(drawing, ">row 0"), 0);
}

/* Beyond a factor of 50 each power of ten is as long as the next; groups differ by more than
 * colour. */
TEST(bars_by_logarithm)
{
    write_file("b.csv", "# Three bars, two groups\r\nlabel,value,note,group\r\n"
                        "\"a, b\",0.1,\"\"\"first\"\"\",one\r\n"
                        "c,1,,two\r\nd,10,\"last, too\",one");
    const char *drawing = drawing_of("bars b.csv --width 720");
    const double one = side_of(drawing, "#1d6fa5", 1, true); /* below the legend's */
    const double two = side_of(drawing, "#f2a65a", 1, true);
    const double three = side_of(drawing, "#1d6fa5", 2, true);
    assert_int_equal(count("Bars on a logarithmic axis: a, b 0.1; c 1; d 10"), 1);
    assert_true(fabs((two - one) - (three - two)) < 0.1 && two - one > 50);
    assert_int_equal(drawing_count(drawing, "<path stroke=\"#868e96\""), 2); /* legend, and bar */
    assert_int_equal(drawing_count(drawing, ">last, too<"), 1);
    assert_int_equal(drawing_count(drawing, ">&#34;first&#34;<"), 1);
    assert_int_equal(
        drawing_count(drawing, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"720\""), 1);
}

TEST(sheets_from_standard_input)
{
    assert_int_equal(shell("printf 'label,value\\na,1\\n' | " QUADPASS
                           " draw bars - -o - 2>said | grep -c '>a<'"),
                     0);
    assert_int_equal(shell("grep -q 'standard input. Bars on a linear axis: a 1' said"), 0);
}

/* Moments are marks and spans bars; three years are three times as long as one. */
TEST(timeline_is_to_scale)
{
    double x[3], y, width;
    write_file("t.csv",
               "# A short line of seven years\nyear,what,why,source,shows\n2004.5,\"Later, a\",,,\n"
               "2003,\"First of all, and with so many words that one line is not enough\",,,\n"
               "2005-2006,one,,,\n2005.5-2008.5,three,,,\n2008-2010,two,,,\n2010,end,,,\n");
    const char *drawing = drawing_of("timeline t.csv");
    assert_int_equal(count("6 entries to scale; first: 2003: First of all"), 1);
    assert_int_equal(count("last: 2010: end. Spans are bars; those with an arrow go on."), 1);
    width = side_of(drawing, "#1d6fa5", 0, true);
    assert_true(fabs(side_of(drawing, "#1d6fa5", 1, true) - 3 * width) < 0.1);
    assert_true(fabs(side_of(drawing, "#f2a65a", 0, true) - 2 * width) < 0.1);
    assert_int_equal(drawing_count(drawing, ">2004: Later, a<"), 1);
    assert_int_equal(drawing_count(drawing, ">2005 to 2008: three<"), 1);
    for (int year = 2003; year <= 2010; year++) {
        char words[16];
        snprintf(words, sizeof words, ">%d<", year);
        assert_int_equal(drawing_count(drawing, words), 2); /* above and below */
        const char *at = strstr(drawing, words);
        while (strncmp(at, "<text", 5) != 0)
            at--;
        if (year == 2004 || year == 2005)
            assert_int_equal(sscanf(at, "<text x=\"%lf\" y=\"%lf\"", &x[year - 2004], &y), 2);
    }
    const char *mark = strstr(strstr(drawing, "#c92a2a") + 1, "#c92a2a"); /* the second mark */
    while (strncmp(mark, "points=", 7) != 0)
        mark--;
    assert_int_equal(sscanf(mark, "points=\" %lf,%lf %lf,", &x[2], &y, &width), 3);
    assert_true(fabs(width - (x[0] + x[1]) / 2.0) < 0.1);
}

/* A hundred events of one year: no text lies on another. */
TEST(texts_of_a_timeline_keep_apart)
{
    char text[4096] = "# One hundred events of a year\nyear,what\n";
    for (int i = 0; i < 100; i++)
        sprintf(text + strlen(text), "2004,event %d\n", i);
    write_file("t.csv", text);
    const char *at = drawing_of("timeline t.csv");
    double x, y, before = 0.0;
    int seen = 0;
    while ((at = strstr(at, "<text x=\"20\"")) != NULL) {
        assert_int_equal(sscanf(at, "<text x=\"%lf\" y=\"%lf\"", &x, &y), 2);
        assert_true(seen == 0 || fabs(y - before) > 13.0);
        before = y;
        seen++;
        at++;
    }
    assert_int_equal(seen, 100);
}

/* Ends of lines as Windows has them, and letters that are no UTF-8. */
TEST(foreign_texts_are_drawn)
{
    write_file("f.csv", "# Bars of other systems\r\nlabel,value,note\r\n"
                        "a,1,\"b, c\"\r\n\xc3\xa9,2,\xe9t\xe9 \xc3\xa9\r\n");
    const char *at = drawing_of("bars f.csv");
    assert_non_null(strstr(at, ">b, c<"));
    assert_non_null(strstr(at, ">?t? \xc3\xa9<"));
}

TEST(faults_of_sheets_are_named)
{
    static const struct {
        const char *kind, *text, *words;
    } wrong[] = {
        {"bars", "# title", "1 to 100 lines are drawn, below a head"},
        {"bars", "", "no text, but a CSV file is wanted"},
        {"bars", "label,value\n", "1 to 100 lines are drawn, below a head"},
        {"bars", "label,number\na,1\n", "its head has to name the columns label and value"},
        {"bars", "label,value\na\n", "w.csv:2: 1 cells, where the head has 2"},
        {"bars", "label,value\na,1\nb,x\n",
         "w.csv:3: a value is 0 or a number from 1e-30 to 1e+30, not 'x'"},
        {"bars", "# t\nlabel,value\na,1\nb,x\n", "w.csv:4: a value is 0 or a number"},
        {"bars", "label,value\na,1.7e308\n", "w.csv:2: a value is 0 or a number"},
        {"bars", "label,value\na,5e-324\nb,1\n", "w.csv:2: a value is 0 or a number"},
        {"timeline", "year,what\n2004-nan,a\n", "w.csv:2: a year is one such as"},
        {"bars", "label,value\na,-1\n", "not '-1'"},
        {"bars", "label,value\na,nan\n", "not 'nan'"},
        {"bars", "label,value\n\"a,1\n", "w.csv:2: a quote ends before its comma or never"},
        {"bars", "label,value\n\"a\"b,1\n", "w.csv:2: a quote ends before its comma or never"},
        {"bars", "a,b,c,d,e,f,g,h,i\n", "w.csv:1: more than 8 cells"},
        {"bars", "label,value,group\na,1,1\na,1,2\na,1,3\na,1,4\na,1,5\n", "in one of 4 groups"},
        {"timeline", "year,what\nsoon,a\n", "w.csv:2: a year is one such as 2004, 2004.9 or"},
        {"timeline", "year,what\n2006-2004,a\n", "not '2006-2004'"},
        {"timeline", "year,what\n2006-,a\n", "not '2006-'"},
        {"timeline", "year,what\n,a\n", "not ''"},
    };
    for (int i = 0; i < COUNT(wrong); i++) {
        char line[64];
        write_file("w.csv", wrong[i].text);
        remove("p.svg");
        snprintf(line, sizeof line, "draw %s w.csv -o p.svg", wrong[i].kind);
        if (run(line) != 2 || count(wrong[i].words) != 1)
            fail_msg("'%s': '%s' is not in '%s'", wrong[i].text, wrong[i].words, output);
        assert_false(exists("p.svg"));
    }
    drawing_refused("bars none.csv", "none.csv: No such file");
    drawing_refused("timeline .", "Is a directory");
}

GROUP(enter_folder_with_cache, remove_folder)
