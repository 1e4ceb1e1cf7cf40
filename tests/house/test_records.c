/* SPDX-License-Identifier: MIT */
/* The records in docs/measurements: how they are written, which are kept, of which commits they
 * are, and that pages agree about them. Each check is shown what is wrong, too. */
#include "support/shell.h"

#include <stdio.h>

#define RECORDS_SH "cd " QP_SOURCE_DIR " && tests/house/records.sh "
#define MEASURED   "docs/measurements/"
#define ROW        "{\"variant\":\"a/b\",\"glups\":1}"

/* An argument of a check may be the folder of this test. */
static void expect_fault(const char *check, const char *words)
{
    char command[1024];
    snprintf(command, sizeof command, "F=%s && " RECORDS_SH "%s", folder, check);
    expect(command, 1, words);
}

static void write_record(const char *name, const char *commit)
{
    char text[256];
    snprintf(text, sizeof text, "{\n\t\"commit\": \"%s\",\n\t\"records\": [\n\t\t" ROW "\n\t]\n}\n",
             commit);
    write_file(name, text);
}

TEST(a_record_is_a_line)
{
    expect(RECORDS_SH "lines " MEASURED "*.json", 0, "");
    write_record("good.json", "c");
    write_file("pretty.json",
               "{\n\t\"commit\": \"c\",\n\t\"records\": [\n    {\n      \"variant\": "
               "\"a/b\"\n    }\n\t]\n}\n");
    write_file("joined.json",
               "{\n\t\"commit\": \"c\",\n\t\"records\": [\n\t\t" ROW ", " ROW "\n\t]\n}\n");
    write_file("moved.json", "{\n\t\"commit\":\n \"c\", \"records\": [\n\t\t" ROW "\n\t]\n}\n");
    expect_fault("lines $F/good.json $F/pretty.json", "pretty.json: has 8 lines in place of 6");
    expect_fault("lines $F/good.json $F/joined.json", "joined.json: has 6 lines in place of 7");
    expect_fault("lines $F/good.json $F/moved.json", "moved.json: a line is neither a record nor");
}

/* A newer one takes the place of the older one of its name, which a page may still name. */
TEST(older_records_go)
{
    expect(RECORDS_SH "newest docs " MEASURED "*.json", 0, "");
    write_file("page.md", "the newer 2000-01-02-d-bench.json and 2000-01-01-d-check.json\n");
    expect_fault("newest $F 2000-01-01-d-bench.json 2000-01-01-d-check.json "
                 "2000-01-02-d-bench.json 2000-01-02-d-check.json 2000-01-03-e-bench.json",
                 "2000-01-01-d-bench.json: 2000-01-02-d-bench.json is newer, and no page");
    assert_int_equal(count("is newer"), 1);
}

/* Measured commits can be built again. Archives and shallow clones have no history to look in. */
TEST(commits_are_kept)
{
    if (shell("cd " QP_SOURCE_DIR
              " && test \"$(git rev-parse --is-shallow-repository)\" = false") != 0)
        skip();
    expect(RECORDS_SH "commits " MEASURED "lost.txt " MEASURED "*.json", 0, "");
    write_record("old.json", "000000000000");
    write_record("older.json", "000000000000");
    write_record("new.json", "HEAD");
    write_file("lost.txt", "old.json\nolder.json\n");
    expect_fault("commits $F/lost.txt $F/old.json $F/new.json",
                 "there is no record older.json; take its line out");
    assert_int_equal(count("\n"), 1);
    write_file("lost.txt", "old.json\nnew.json\n");
    expect_fault("commits $F/lost.txt $F/old.json $F/older.json $F/new.json",
                 "older.json: is of 000000000000, which is no commit of this history");
    must_print((const char *[]){"new.json was measured again; take its line out"}, 1);
    assert_int_equal(count("\n"), 2);
}

/* The table of operations and the page of speeds, each variant that both show. */
TEST(pages_agree)
{
    expect(RECORDS_SH "agree README.md docs/speeds.md " MEASURED "fastest.csv", 0, "");
    char command[256];
    snprintf(command, sizeof command,
             "sed 's/`rgba_stamps` [0-9.]*/`rgba_stamps` 9/' " QP_SOURCE_DIR
             "/README.md >%s/readme.md",
             folder);
    expect(command, 0, "");
    expect_fault("agree $F/readme.md docs/speeds.md " MEASURED "fastest.csv",
                 "jacobi9/rgba_stamps, llvmpipe (");
}

/* The README's example measures what its table shows. */
TEST(the_example_is_the_table_s)
{
    expect("cd " QP_SOURCE_DIR " && steps=$(awk -F, '$1 == \"jacobi9\" { print $7 }' " MEASURED
           "fastest.csv) && grep \"bench jacobi9 --size 1024 --iterations $steps \" README.md && "
           "grep \"bench jacobi9 --problem bidomain --size 1024x1024 --iterations $steps$\" "
           "docs/speeds.md",
           0, "quadpass bench");
}

GROUP(make_folder, remove_folder)
