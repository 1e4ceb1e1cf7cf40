/* SPDX-License-Identifier: MIT */
/* The site: the documentation becomes pages, and a link that leads nowhere is reported
 * (tools/site.sh). */
#include "support/files.h"
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SITE QP_SOURCE_DIR "/tools/site.sh site"

static void need_programs(void)
{
    if (shell("command -v cmark-gfm && command -v mandoc") == 0)
        return;
    print_message("skipped: cmark-gfm or mandoc is not installed\n");
    skip();
}

static void must_have(const char *page, const char *words)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, page);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = slurp(file);
    fclose(file);
    if (strstr(text, words) == NULL)
        fail_msg("%s lacks %s", page, words);
    free(text);
}

TEST(all_pages_are_made)
{
    need_programs();
    expect(SITE, 0, "pages and files in ");
    must_have("site/index.html", "<a href=\"docs/index.html\">Documentation</a>");
    must_have("site/docs/solve.html", "<h2 id=\"sparse-elimination-by-a-direct-solver\">");
    must_have("site/docs/solve.html", "<a href=\"#sparse-elimination-by-a-direct-solver\">");
    must_have("site/docs/solve.html", "href=\"../include/quadpass/method.h.html\">");
    must_have("site/docs/variants.html", "tabindex=\"0\"><table><caption>");
    must_have("site/docs/history.html", "<a rel=\"next\" href=\"lesson.html\">");
    must_have("site/man/quadpass.1.html", "<h1 id=\"quadpass1\">quadpass(1)</h1>");
    must_have("site/include/quadpass/method.h.html", "<span id=\"L1\">/* SPDX");
    assert_true(exists("site/docs/live/index.html") && exists("site/docs/pictures/multigrid.svg"));
    assert_false(exists("site.new"));
}

/* A project of a few pages, one of which ends with these lines; its site is made. */
static int make_with(const char *lines)
{
    static const char *const files[] = {"README.md", "docs/README.md", "docs/live/index.html",
                                        "docs/report/index.html", "man/quadpass.1"};
    shell("rm -rf small && mkdir -p small/tools small/docs/live small/docs/report small/man "
          "small/src && "
          "cp " QP_SOURCE_DIR "/tools/site.* small/tools/");
    for (size_t i = 0; i < COUNT(files); i++) {
        char path[64];
        snprintf(path, sizeof path, "small/%s", files[i]);
        write_file(path, strstr(path, ".md") != NULL ? "# One\n" : ".TH Q 1\n.SH NAME\nq\n");
    }
    write_file("small/src/a.c", "if (a < b && \"\\\\\")\n");
    char text[512];
    snprintf(text, sizeof text, "# A `b` & c!\n\n## Same\n\n## Same\n\n%s\n", lines);
    write_file("small/docs/history.md", text);
    return shell("small/tools/site.sh out");
}

TEST(links_that_lead_nowhere_are_reported)
{
    static const struct {
        const char *lines, *words;
    } rows[] = {
        {"[x](none.md)", "docs/history.md: a link to none.md, which is not there"},
        {"![x](none.png)", "docs/history.md: a link to none.png, which is not there"},
        {"[x](#other)", "docs/history.html: a link to docs/history.html#other, which no heading"},
        {"[x](README.md#two)", "docs/history.html: a link to docs/index.html#two, which no"},
    };
    need_programs();
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(make_with(rows[i].lines), 1);
        if (strstr(output, rows[i].words) == NULL)
            fail_msg("'%s' got: %s", rows[i].lines, output);
        assert_false(exists("out") || exists("out.new"));
    }
    assert_int_equal(make_with("[x](#a-b--c) [y](#same-1) [z](../src/a.c) <https://a.b/c>"), 0);
    must_have("out/docs/history.html", "<h1 id=\"a-b--c\">");
    must_have("out/src/a.c.html", "<span id=\"L1\">if (a &lt; b &amp;&amp; &quot;\\\\&quot;)");
    write_file("out/old.html", "");
    assert_int_equal(make_with(""), 0);
    assert_false(exists("out/old.html") || exists("out/src/a.c.html"));
}

TEST(no_folder_of_others_is_replaced)
{
    need_programs();
    expect("mkdir -p mine && echo 1 >mine/kept && " QP_SOURCE_DIR "/tools/site.sh mine", 2,
           "mine is there, and is no site: name another folder");
    assert_true(exists("mine/kept"));
}

TEST(without_cmark_it_is_a_sentence)
{
    expect("mkdir -p few && for p in sh mkdir; do ln -sf $(command -v $p) few/; done && "
           "PATH=$PWD/few " SITE,
           2, "cmark-gfm is not installed, which makes pages of texts");
}

GROUP(enter_folder_with_cache, remove_folder)
