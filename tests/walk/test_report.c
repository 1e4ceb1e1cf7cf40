/* SPDX-License-Identifier: MIT */
/* Reports of checks: each kind of variant to the letter, text of others that would break the
 * format, and what is no report. What comes out is XML and TAP by their grammars. */
#include "support/support.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct qp_variant passed = {.name = "jacobi9/rgba", .op = "jacobi9"},
                               odd = {.name = "a&b/<c> \"d\" 'e' #f\\g\n\1\x80\xff\xc3\xa9\xc2\x85"
                                              "\xef\xbf\xbf\xed\xa0\x80",
                                      .op = "a&b"};

/* A pass, a failure with a reason and one without, a skip, a bound. */
static struct qp_tally tallies[] = {
    {.worst = {.variant = &passed, .verdict = QP_PASS}, .passed = 3, .seconds = 0.25},
    {.worst = {.variant = &odd,
               .verdict = QP_FAIL,
               .width = 7,
               .height = 31,
               .iterations = 2,
               .error = 0.5,
               .tolerance = 1e-6,
               .reason = "cell (1, 2):\n\"0.5\" \\ & more\33[m"},
     .passed = 8,
     .failed = 1,
     .seconds = 1.5},
    {.worst = {.variant = &passed,
               .verdict = QP_FAIL,
               .width = 9,
               .height = 1,
               .iterations = 1,
               .error = INFINITY,
               .tolerance = NAN},
     .failed = 4},
    {.worst = {.variant = &passed, .verdict = QP_SKIP, .reason = "built without <CUDA>\n# ok"},
     .skipped = 3},
    {.worst = {.variant = &passed, .verdict = QP_BOUND}, .passed = 2}};

static const struct qp_report_desc told = {.suite = "mine & yours",
                                           .device = "a lamp\n1..2",
                                           .driver = "\"4.5\"",
                                           .commit = "abc",
                                           .planned = 7,
                                           .ended = "interrupted after 5 of 7 variants"};

typedef enum qp_status writer(FILE *out, const struct qp_tally *tallies, int count,
                              const struct qp_report_desc *desc);

/* Text of the report, until the next call. */
static const char *write_report(writer *write, const struct qp_tally *rows, int count,
                                const struct qp_report_desc *desc)
{
    static char *text;
    size_t size;
    free(text);
    FILE *out = open_memstream(&text, &size);
    assert_ok(write(out, rows, count, desc));
    fclose(out);
    return text;
}

TEST(junit)
{
    const char *text = write_report(qp_report_junit, tallies, COUNT(tallies), &told);
    assert_string_equal(
        text,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites name=\"mine &amp; yours\" tests=\"6\" failures=\"2\" errors=\"1\" "
        "skipped=\"1\" "
        "time=\"1.750\">\n"
        "  <testsuite name=\"mine &amp; yours\" tests=\"6\" failures=\"2\" errors=\"1\" "
        "skipped=\"1\" time=\"1.750\">\n"
        "    <properties>\n"
        "      <property name=\"quadpass\" value=\"" QP_VERSION "\"/>\n"
        "      <property name=\"device\" value=\"a lamp&#10;1..2\"/>\n"
        "      <property name=\"driver\" value=\"&quot;4.5&quot;\"/>\n"
        "      <property name=\"commit\" value=\"abc\"/>\n"
        "    </properties>\n"
        "    <testcase classname=\"jacobi9\" name=\"jacobi9/rgba\" time=\"0.250\"/>\n"
        "    <testcase classname=\"a&amp;b\" name=\"a&amp;b/&lt;c&gt; &quot;d&quot; &#39;e&#39; "
        "#f\\g&#10;???\xc3\xa9?????\" time=\"1.500\">\n"
        "      <failure type=\"fail\" message=\"cell (1, 2):&#10;&quot;0.5&quot; \\ &amp; "
        "more?[m\">at 7x31, 2 steps: error 0.5, allowed 1e-06; 8 cases passed, 1 failed</failure>\n"
        "    </testcase>\n"
        "    <testcase classname=\"jacobi9\" name=\"jacobi9/rgba\" time=\"0.000\">\n"
        "      <failure type=\"fail\" message=\"error inf, allowed nan\">at 9x1, 1 step: error "
        "inf, "
        "allowed nan; 0 cases passed, 4 failed</failure>\n"
        "    </testcase>\n"
        "    <testcase classname=\"jacobi9\" name=\"jacobi9/rgba\" time=\"0.000\">\n"
        "      <skipped message=\"built without &lt;CUDA&gt;&#10;# ok\"/>\n"
        "    </testcase>\n"
        "    <testcase classname=\"jacobi9\" name=\"jacobi9/rgba\" time=\"0.000\">\n"
        "      <system-out>a bound: it wrote every cell, and is compared with "
        "nothing</system-out>\n"
        "    </testcase>\n"
        "    <testcase classname=\"\" name=\"all variants\" time=\"0.000\">\n"
        "      <error message=\"interrupted after 5 of 7 variants\"/>\n"
        "    </testcase>\n"
        "  </testsuite>\n"
        "</testsuites>\n");
    text = write_report(qp_report_junit, tallies, 1, NULL);
    assert_non_null(strstr(text, "<testsuite name=\"quadpass\" tests=\"1\" failures=\"0\" "
                                 "errors=\"0\" skipped=\"0\" time=\"0.250\">"));
    assert_null(strstr(text, "\"device\""));
}

TEST(tap)
{
    assert_string_equal(write_report(qp_report_tap, tallies, COUNT(tallies), &told),
                        "TAP version 14\n"
                        "# suite: mine & yours\n"
                        "# quadpass: " QP_VERSION "\n"
                        "# device: a lamp 1..2\n"
                        "# driver: \"4.5\"\n"
                        "# commit: abc\n"
                        "1..7\n"
                        "ok 1 - jacobi9/rgba\n"
                        "not ok 2 - a&b/<c> \"d\" 'e' \\#f\\\\g ???\xc3\xa9?????\n"
                        "  ---\n"
                        "  message: \"cell (1, 2):\\n\\\"0.5\\\" \\\\ & more?[m\"\n"
                        "  severity: fail\n"
                        "  error: 0.5\n"
                        "  tolerance: 1e-06\n"
                        "  width: 7\n"
                        "  height: 31\n"
                        "  steps: 2\n"
                        "  passed: 8\n"
                        "  failed: 1\n"
                        "  ...\n"
                        "not ok 3 - jacobi9/rgba\n"
                        "  ---\n"
                        "  message: \"error inf, allowed nan\"\n"
                        "  severity: fail\n"
                        "  error: .inf\n"
                        "  tolerance: .nan\n"
                        "  width: 9\n"
                        "  height: 1\n"
                        "  steps: 1\n"
                        "  passed: 0\n"
                        "  failed: 4\n"
                        "  ...\n"
                        "ok 4 - jacobi9/rgba # SKIP built without <CUDA> # ok\n"
                        "ok 5 - jacobi9/rgba # SKIP a bound: it wrote every cell, and is compared "
                        "with nothing\n"
                        "Bail out! interrupted after 5 of 7 variants\n");
    assert_string_equal(write_report(qp_report_tap, tallies, 1, NULL),
                        "TAP version 14\n# suite: quadpass\n# quadpass: " QP_VERSION
                        "\n1..1\nok 1 - jacobi9/rgba\n");
}

/* ---- The grammars ---- */

/* Returns the place after text without markup, whose references are entities that XML has by
 * itself; NULL for other text. */
static const char *skip_text(const char *at, const char *ends)
{
    static const char *const entities[] = {"&amp;", "&lt;",  "&gt;", "&quot;",
                                           "&#39;", "&#10;", "&#9;"};
    for (; strchr(ends, *at) == NULL; at++) {
        bool known = *at != '&';
        for (int i = 0; i < COUNT(entities); i++)
            known = known || strncmp(at, entities[i], strlen(entities[i])) == 0;
        if (!known || *at == '<' || ((unsigned char)*at < ' ' && *at != '\n') || *at == 127)
            return NULL;
    }
    return at;
}

static const char *skip_name(const char *at)
{
    while (isalpha((unsigned char)*at) || *at == '-')
        at++;
    return at;
}

/* Returns the place after attributes, each name once; NULL if one is malformed. */
static const char *skip_attributes(const char *at)
{
    while (at != NULL && *at == ' ') {
        const char *end = skip_name(at + 1);
        if (end == at + 1 || strncmp(end, "=\"", 2) != 0)
            return NULL;
        at = skip_text(end + 2, "\"");
        at = at != NULL && *at == '"' ? at + 1 : NULL;
    }
    return at;
}

/* An element with all in it; NULL if it is malformed. */
static const char *skip_element(const char *at)
{
    const char *name = at + 1, *end = skip_name(name);
    const size_t length = (size_t)(end - name);
    at = *at == '<' && length > 0 ? skip_attributes(end) : NULL;
    if (at != NULL && strncmp(at, "/>", 2) == 0)
        return at + 2;
    at = at != NULL && *at == '>' ? skip_text(at + 1, "<") : NULL;
    while (at != NULL && at[0] == '<' && at[1] != '/') {
        at = skip_element(at);
        at = at != NULL ? skip_text(at, "<") : NULL;
    }
    if (at == NULL || strncmp(at, "</", 2) != 0 || strncmp(at + 2, name, length) != 0)
        return NULL;
    return at[2 + length] == '>' ? at + 3 + length : NULL;
}

static bool is_xml(const char *text)
{
    static const char head[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    if (strncmp(text, head, strlen(head)) != 0)
        return false;
    const char *end = skip_element(text + strlen(head));
    return end != NULL && strcmp(end, "\n") == 0;
}

/* TAP 14: the version, comments, one plan, points counted from 1, blocks of YAML after those that
 * failed. */
static bool is_tap(const char *text)
{
    int plan = -1, points = 0, number, length;
    bool block = false;
    if (strncmp(text, "TAP version 14\n", 15) != 0)
        return false;
    for (const char *at = strchr(text, '\n') + 1; *at != '\0'; at = strchr(at, '\n') + 1) {
        if (block || strncmp(at, "  ---\n", 6) == 0) {
            if (strncmp(at, "  ", 2) != 0)
                return false;
            block = strncmp(at, "  ...\n", 6) != 0;
        } else if (sscanf(at, "1..%d%n", &number, &length) == 1 && at[length] == '\n') {
            if (plan >= 0)
                return false;
            plan = number;
        } else if (sscanf(at, "ok %d", &number) == 1 || sscanf(at, "not ok %d", &number) == 1) {
            if (number != ++points || strchr(at, '\n') == NULL)
                return false;
        } else if (*at != '#' && strncmp(at, "Bail out! ", 10) != 0) {
            return false;
        }
    }
    return !block && points > 0 && points <= plan;
}

/* The judges themselves, too. */
TEST(grammars)
{
    for (int count = 1; count <= COUNT(tallies); count++) {
        assert_true(is_xml(write_report(qp_report_junit, tallies, count, &told)));
        assert_true(is_tap(write_report(qp_report_tap, tallies, count, &told)));
    }
    assert_true(is_xml(write_report(qp_report_junit, tallies, 0, &told)));
#define XML "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    static const char *const no_xml[] = {XML "<a b=\"<\"/>\n", XML "<a>&x;</a>\n",
                                         XML "<a></b>\n",      XML "<a b=\"1\"\n",
                                         XML "<a>\1</a>\n",    XML "<a/><a/>\n"};
    for (int i = 0; i < COUNT(no_xml); i++)
        assert_false(is_xml(no_xml[i]));
    assert_true(is_xml(XML "<a b=\"1\">&lt;<c/> x</a>\n"));
    static const char *const no_tap[] = {
        "TAP version 13\n1..1\nok 1\n", "TAP version 14\n1..1\nok 2\n",
        "TAP version 14\nok 1\n",       "TAP version 14\n1..1\nok 1\nnot a line\n",
        "TAP version 14\n1..1\n",       "TAP version 14\n1..1\nnot ok 1\n  ---\n  a: b\n"};
    for (int i = 0; i < COUNT(no_tap); i++)
        assert_false(is_tap(no_tap[i]));
}

/* At the edges of what XML holds: DEL, U+0080 to U+009F, U+FFFE and U+FFFF are not, their
 * neighbours are. */
TEST(characters_at_the_edges)
{
    static const char *const cases[][2] = {{"~", "~"},
                                           {"\x7f", "?"},
                                           {"\x1f", "?"},
                                           {" ", " "},
                                           {"\xc2\x80", "?"},
                                           {"\xc2\x9f", "?"},
                                           {"\xc2\xa0", "\xc2\xa0"},
                                           {"\xc3\x80", "\xc3\x80"},
                                           {"\xef\xbf\xbd", "\xef\xbf\xbd"},
                                           {"\xef\xbf\xbe", "?"},
                                           {"\xef\xbf\xbf", "?"},
                                           {"\xef\xbe\xbf", "\xef\xbe\xbf"},
                                           {"\xee\xbf\xbf", "\xee\xbf\xbf"},
                                           {"\xc3", "?"},
                                           {"'\t", "&#39;&#9;"}};
    for (int i = 0; i < COUNT(cases); i++) {
        char name[16], wanted[32];
        snprintf(name, sizeof name, "a%sb", cases[i][0]);
        snprintf(wanted, sizeof wanted, "name=\"a%sb\"", cases[i][1]);
        const struct qp_report_desc desc = {.suite = name};
        if (strstr(write_report(qp_report_junit, tallies, 1, &desc), wanted) == NULL)
            fail_msg("case %d is not %s", i, wanted);
    }
}

/* ---- No report ---- */

TEST(refusals)
{
    static writer *const writers[] = {qp_report_junit, qp_report_tap};
    const struct qp_tally none = {0};
    struct qp_tally said_nothing = {.worst = {.variant = &passed}, .passed = 1};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(writers[i](NULL, tallies, 1, NULL), QP_BAD_USE);
        support_assert_sentence("out");
        assert_int_equal(writers[i](stdout, NULL, 1, NULL), QP_BAD_USE);
        support_assert_sentence("tallies");
        assert_int_equal(writers[i](stdout, tallies, 0, NULL), QP_BAD_USE);
        support_assert_sentence("a report of 0 variants says nothing");
        assert_int_equal(writers[i](stdout, tallies, -1, &told), QP_BAD_USE);
        assert_int_equal(writers[i](stdout, &none, 1, NULL), QP_BAD_USE);
        support_assert_sentence("tally 1 of 1 names no variant");
        FILE *full = fopen("/dev/full", "w");
        assert_int_equal(writers[i](full, tallies, 5, NULL), QP_BAD_INPUT);
        support_assert_sentence("the report cannot be written: No space left on device");
        fclose(full);
    }
    assert_non_null(strstr(write_report(qp_report_tap, &said_nothing, 1, NULL), "\nnot ok 1 - "));
    assert_non_null(
        strstr(write_report(qp_report_junit, &said_nothing, 1, NULL), " failures=\"1\" "));
}

static enum qp_status make_problem(void *user, int number, int width, int height, int systems,
                                   struct qp_problem *out)
{
    const struct qp_problem_desc desc = {.width = width, .height = height, .systems = systems};
    (void)user, (void)number;
    return qp_problem_create(&desc, out);
}

/* The tallies of a real check, with the time that it took; a check that was refused is no pass. */
TEST(of_a_check)
{
    const struct qp_variant *variants[] = {qp_variant_find("jacobi9/reference"),
                                           qp_variant_find("jacobi9/openmp")};
    struct qp_check_desc desc = {.make = make_problem};
    struct qp_tally checked[2];
    assert_ok(qp_check(NULL, variants, 2, &desc, checked));
    assert_true(checked[0].seconds > 0.0 && checked[0].seconds == checked[1].seconds);
    const char *text = write_report(qp_report_tap, checked, 2, NULL);
    assert_non_null(strstr(text, "\nok 1 - jacobi9/reference\nok 2 - jacobi9/openmp\n"));
    desc.make = NULL;
    assert_int_equal(qp_check(NULL, variants, 2, &desc, checked), QP_BAD_USE);
    text = write_report(qp_report_tap, checked, 2, NULL);
    assert_non_null(strstr(text, "\nok 2 - jacobi9/openmp # SKIP"));
}
