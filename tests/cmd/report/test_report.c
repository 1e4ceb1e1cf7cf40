/* SPDX-License-Identifier: MIT */
/* `quadpass report`: the page of the records that are built in, pages of broken records and of
 * others' words, and a run that ends early. */
#include "support/files.h"
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REPORT "quadpass report --measured-only "

/* A file of one record; what stands after its variant, and in its head, is each row's own. */
#define HEAD(version, device)                                                                  \
    "{\"quadpass\":\"" version "\",\"device\":\"" device "\",\"cpu\":\"C\",\"date\":\"2026\"," \
    "\"records\":["
#define TIMED                                                                           \
    "\"width\":64,\"height\":64,\"systems\":1,\"iterations\":10,\"problem\":\"wraps\"," \
    "\"glups\":1.5,\"seconds\":0.5,\"seconds_min\":0.5,\"verdict\":\"pass\",\"samples\":[0.5]}"
#define RECORD(variant) "{\"variant\":\"" variant "\"," TIMED

TEST(the_same_records_make_the_same_page)
{
    expect(REPORT "-o one && " REPORT "-o two && cmp one/index.html two/index.html && "
                  "cmp one/figures.csv two/figures.csv && echo alike",
           0, "alike");
    expect("test $(wc -c <one/index.html) -lt 1048576 && "
           "test $(gzip -9c one/index.html | wc -c) -lt 153600 && echo small",
           0, "small");
    expect(REPORT "-o one --with none.json", 2,
           "none.json: cannot be opened: No such file or directory");
    expect("cmp one/index.html two/index.html && echo kept", 0, "kept");
}

/* docs/report is made anew by `make docs`. */
TEST(the_sample_is_fresh)
{
    expect("cmp two/index.html " QP_SOURCE_DIR "/docs/report/index.html && echo fresh", 0, "fresh");
}

TEST(all_links_lead_somewhere_and_no_address_comes_twice)
{
    expect("grep -o 'href=\"#[^\"]*\"' two/index.html | sed 's/.*#//;s/\"//' | sort -u >links; "
           "grep -o ' id=\"[^\"]*\"' two/index.html | sed 's/.*=\"//;s/\"//' | sort >ids; "
           "uniq -d ids; comm -23 links ids; echo none more; wc -l <links",
           0, "none more");
    if (strncmp(output, "none more", 9) != 0)
        fail_msg("%s", output);
    expect("sed 1d two/figures.csv | cut -d'\"' -f2 | sort -u >addresses; wc -l <addresses; "
           "comm -23 addresses ids; echo none more",
           0, "none more");
    assert_int_equal(count("\n"), 2);
}

TEST(claims_and_places_are_all_there)
{
    expect("awk '/<li id=\"c[0-9]+\">/ { c++; open = 1 }"
           "     open && /<b class=\"(holds|turned|even|undecided)\">/ { judged++; open = 0 }"
           "     /<tr id=\"p[1-5]-[0-9]+\">/ { places++;"
           "         if (!/#r[0-9]/ && !/no record/ && !/<br>/) print \"bare: \" $0 }"
           "     END { print (c >= 40 && judged >= 40 ? \"claims\" : \"few\"), places }' "
           "two/index.html; sed 1d " QP_SOURCE_DIR "/docs/papers/places.csv | wc -l",
           0, "claims 156\n156\n");
}

/* Figures of two variants and of a claim, taken from the records anew. */
TEST(figures_are_those_of_records)
{
    write_file("own.json",
               HEAD("0.2.0", "D") RECORD(
                   "jacobi9/vertex") ","
                                     "{\"variant\":\"jacobi9/"
                                     "vertex_systems\",\"width\":32,\"height\":32,\"systems\":4,"
                                     "\"iterations\":10,\"problem\":\"wraps\",\"glups\":3.75,"
                                     "\"seconds\":0.2,"
                                     "\"verdict\":\"pass\",\"samples\":[0.2,0.2,0.25,0.2]}]}");
    expect(REPORT "--with own.json -o own && cat own/index.html", 0,
           "<b class=\"holds\">holds</b> on D: <span id=\"c10-0-64x64\"><a href=\"#r0-1\">2.50</a> "
           "(2.12 to 2.75) over <a href=\"#r0-0\">jacobi9/vertex</a> at 64 × 64</span>");
    expect("cat own/index.html", 0,
           "<td class=\"right\" id=\"p1-A-t1-2-9\"><a href=\"#r0-1\">3.75</a></td>");
    expect("cat own/index.html", 0,
           "<li id=\"r0-0\"><code>quadpass bench jacobi9/vertex --size 64x64 --problem wraps "
           "--iterations 10</code>: 0.5 s for all steps, 1.5 GLUP/s, the least 0.5, pass</li>");
    expect("cat own/figures.csv", 0,
           "\"c10-0-64x64\",\"results table GeForce 5900 Ultra N = 1048576\",\"four systems in "
           "RGBA are faster than one value a texel\",\"holds\",\"2.50\",\"D\",\"2026\"");
}

/* The command of a record repeats it: of four systems, a batch, a block and a parameter. */
TEST(commands_repeat_their_records)
{
    static const char *const rows[] = {"jacobi9/vertex_systems --size 32 --problem wraps",
                                       "gauss_jordan/blocks --size 32 --block 16",
                                       "gauss_jordan_batch/sgesv --size 12x50",
                                       "access/openmp --size 64 --problem stride --parameter 2"};
    for (size_t i = 0; i < COUNT(rows); i++) {
        char line[1024];
        snprintf(line, sizeof line,
                 "quadpass bench %s --repeats 1 --json 1.json && " REPORT
                 "--with 1.json -o again && "
                 "$(sed -n 's/.*<code>\\(quadpass bench[^<]*\\)<.*/\\1/p' again/index.html | "
                 "head -n 1) --repeats 1 --json 2.json && for k in 1 2; do grep -Eo "
                 "'\"(variant|width|height|systems|iterations|problem|parameter|block)\":[^,]*' "
                 "$k.json >$k.said; done; cmp 1.said 2.said && "
                 "test $(wc -l <1.said) = 8 && echo alike",
                 rows[i]);
        expect(line, 0, "alike");
    }
}

TEST(a_verdict_is_that_of_the_interval)
{
    static const struct {
        const char *seconds, *samples, *verdict;
    } rows[] = {{"0.2", "0.2,0.2,0.2", "holds"},      {"0.8", "0.8,0.8,0.8", "turned"},
                {"0.5", "0.5,0.5,0.5", "even"},       {"0.49", "0.49,0.4,0.6", "undecided"},
                {"0.51", "0.51,0.51,0.51", "even"},   {"0.48", "0.48,0.48,0.48", "holds"},
                {"0.52", "0.52,0.52,0.52", "turned"}, {"0.49", "0.49", "undecided"},
                {"0.3", "0.3,0.3,null", "undecided"}};
    for (size_t i = 0; i < COUNT(rows) - 1; i++) {
        char text[2048], words[64];
        snprintf(
            text, sizeof text,
            HEAD("0.2.0",
                 "D") "{\"variant\":\"jacobi9/inverse\",\"width\":64,\"height\":64,"
                      "\"systems\":1,\"iterations\":10,\"problem\":\"wraps\",\"glups\":%.9f,"
                      "\"seconds\":%s,\"verdict\":\"pass\",\"samples\":[%s]},"
                      "{\"variant\":\"jacobi9/bands\",\"width\":64,\"height\":64,\"systems\":1,"
                      "\"iterations\":10,\"problem\":\"wraps\",\"glups\":1.5,\"seconds\":0.5,"
                      "\"verdict\":\"pass\",\"samples\":[0.5,0.5,0.5]}]}",
            0.75 / atof(rows[i].seconds), rows[i].seconds, rows[i].samples);
        write_file("one.json", text);
        snprintf(words, sizeof words, "<b class=\"%s\">", rows[i].verdict);
        expect(REPORT "--with one.json -o one && cat one/index.html", 0, words);
    }
}

TEST(words_of_others_are_shown_and_not_run)
{
    write_file("foreign.json",
               HEAD("0.2.0", "<script>alert(1)</script>") RECORD("jacobi9/vertex") "]}");
    expect(REPORT "--with foreign.json -o foreign && cat foreign/index.html", 0,
           "&#60;script&#62;alert(1)&#60;/script&#62;");
    assert_int_equal(count("<script"), 0);
}

TEST(broken_records_end_with_a_sentence)
{
    static const struct {
        const char *text, *words;
        int code;
    } rows[] = {
        {"", "it has no records as --json writes them", 2},
        {"{\"records\":", "it has no records as --json writes them", 2},
        {"{\"records\":7}", "it has no records as --json writes them", 2},
        {"{\"records\":[]}", "it has no record of a variant of this quadpass", 2},
        {"{\"records\":[{\"variant\":\"none/such\"}, 7, null, {\"variant\":[]}]}",
         "it has no record of a variant of this quadpass", 2},
        {HEAD("0.2.0", "D") "{\"variant\":\"jacobi9/vertex\",\"seconds\":1}]}",
         "it has no record of a variant of this quadpass", 2},
        {HEAD("0.2.0", "D")
             RECORD("jacobi9/vertex") ",{\"variant\":\"jacobi9/rgba\",\"width\":\"8\","
                                      "\"seconds\":1e400,\"samples\":{\"a\":1}}]}",
         "1 records are left out", 0},
        {HEAD("9.9", "D") RECORD("jacobi9/vertex") "]}",
         "b.json: written by quadpass 9.9, and this is", 0},
        {"{\"records\":[" RECORD("jacobi9/vertex") "]}", "written by quadpass of no version", 0},
        {HEAD("0.2.0", "D") "{\"variant\":\"jacobi9/vertex\",\"width\":64,\"height\":64,"
                            "\"iterations\":10,\"seconds\":0.5,\"glups\":null,\"samples\":null}]}",
         "b/index.html: 1 files of records, of 1 devices", 0},
        {HEAD("0.2.0", "D") RECORD("jacobi9/vertex") "," RECORD("jacobi9/vertex") "]}",
         "b/index.html: 1 files of records, of 1 devices", 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        write_file("b.json", rows[i].text);
        expect(REPORT "--with b.json -o b", rows[i].code, rows[i].words);
    }
    expect(REPORT "--with b.json --with b.json -o b", 0, "2 files of records, of 1 devices");
    expect("truncate -s 100M big.json && " REPORT "--with big.json -o b", 2,
           "big.json: it has 104857600 bytes, and 8388608 at most are read");
    expect("cat big.json | " REPORT "--with - -o b", 2, "it has no records as --json writes them");
}

TEST(options_that_make_no_sense_are_refused)
{
    expect("quadpass report --papers 6", 2, "--papers takes some of 1, 2, 3, 4 and 5");
    expect("quadpass report --papers 1,", 2, "--papers takes some of 1, 2, 3, 4 and 5");
    expect(REPORT "--quick", 2, "--measured-only measures nothing");
    expect(REPORT "-o own.json/x", 2, "own.json/x");
    expect("mkdir -p half/figures.csv && echo kept >half/index.html && " REPORT
           "--with own.json -o half; cat half/index.html",
           0, "kept");
    assert_int_equal(count("half/figures.csv: cannot be written"), 1);
    expect("mkdir -p full/index.html && " REPORT "--with own.json -o full", 2, "index.html");
}

TEST(an_interrupted_page_is_whole)
{
    expect("timeout -s INT 2 quadpass report --quick --with own.json -o early; echo code $?", 0,
           "code 1");
    assert_int_equal(count("early/index.html: 2 files of records"), 1);
    expect("tail -n 1 early/index.html", 0, "</html>");
    expect("head -n 120 early/index.html", 0, "<b>Interrupted.</b> Not measured: tables of paper ");
}

/* A folder to be in, and a clock in haste. */
static int enter_in_haste(void **state)
{
    return make_folder_in_haste(state) != 0 ? -1 : chdir(folder);
}

GROUP(enter_in_haste, remove_folder)
