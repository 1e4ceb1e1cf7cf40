/* SPDX-License-Identifier: MIT */
/* Lines of a space: which configurations they leave, and what is refused. */
#include "tools/tune/space.h"

#include <string.h>

#include "support/support.h"

static const struct {
    const char *text;
    int size, count;
} spaces[] = {
    {"tune steps = 4 1 2 8\ntune layout = rows tiles\n", 8, 8},
    {"tune steps = 4 1 2 8\ntune layout = rows tiles\ntune not layout = tiles with steps = 1 8\n",
     8, 6},
    {"fact reach = 2\ntune steps = 1 2 4 8\ntune not steps * reach + 1 > 9", 4, 3},
    {"a comment, and an empty line\n\n\ttune\ta =  1 2\r\ntune not a < 2 with a > 2\n", 2, 2},
    {"tune width = 12 8 5\ntune steps = 1 2 3\ntune not width % steps > 0\n", 9, 6},
    {"tune a = 1 2 3\ntune b = 1 2 3\ntune not a * b > 2 with b < 3\ntune not 3 < b + a\n", 9, 3},
    {"tune a = 1 2\nfact b = x\ntune not b = x with a = 2\n", 2, 1},
    /* strips of rows on a processor */
    {"fact reach = 1\nfact bytes = 4\ntune together = 4 1 2 8\ntune tile = 4096 512 1024 2048 "
     "8192\n"
     "tune steps = 8 1 2 4 16 32\ntune threads = all half\n"
     "tune not 2 * reach + together > 8\ntune not tile * steps * bytes > 262144\n",
     240, 162},
    /* blocks of cells of a fragment, in as many render targets as there are */
    {"fact states = 2\ntune across = 1 2 4\ntune up = 1 2 4\ntune steps = 1 2 4 8\ntune pack = 1 "
     "4\n"
     "tune not states * across * up > 8 * pack\ntune not steps > 1 with across = 1 with up = 1\n",
     72, 54},
    /* a transposition by tiles in shared memory */
    {"tune tile = 32 16 64\ntune pad = 1 0 2\ntune vector = 1 2 4\ntune order = rows diagonal\n"
     "tune each = 4 1 2 8\ntune not tile * tile * 4 + tile * pad * 4 > 16384\n"
     "tune not tile * tile > 1024 * each * vector\ntune not tile % vector > 0\n",
     216, 162}};

TEST(lines_leave_so_many)
{
    for (int i = 0; i < COUNT(spaces); i++) {
        struct qp_space space;
        assert_ok(qp_space_read(spaces[i].text, &space));
        if (space.size != spaces[i].size || space.count != spaces[i].count)
            fail_msg("%s: %d of %d", spaces[i].text, space.count, space.size);
        for (int k = 0; k < space.count; k++)
            assert_int_equal(qp_space_find(&space, space.valid[k]), k);
        qp_space_destroy(&space);
    }
}

TEST(configurations_have_texts)
{
    struct qp_space space;
    char text[QP_SPACE_TEXT];
    assert_ok(qp_space_read("tune a = 4 1 2\nfact f = 7\ntune b = x y\n"
                            "tune not a = 1 with b = y\n",
                            &space));
    assert_string_equal(qp_space_text(&space, 0, text), "a=4 b=x");
    assert_string_equal(qp_space_text(&space, 5, text), "a=2 b=y");
    assert_int_equal(qp_space_find(&space, 4), -1);
    assert_int_equal(qp_space_find(&space, 6), -1);
    qp_space_destroy(&space);
}

/* The largest tile of those that are left, in each direction, and 1 where no line says one. */
TEST(tiles_are_found)
{
    static const char *const lines[] = {"", "tile across = w * 4\n", "tile up = h / 2 + w\n",
                                        "tile up = 9\ntile across = h\n"};
    static const int tiles[][2] = {{1, 1}, {16, 1}, {1, 8}, {8, 9}};
    for (int i = 0; i < COUNT(lines); i++) {
        char text[256];
        struct qp_space space;
        sprintf(text, "tune w = 2 4 64\ntune h = 4 8\ntune not w > 8\n%s", lines[i]);
        assert_ok(qp_space_read(text, &space));
        for (int way = 0; way < 2; way++)
            assert_int_equal(qp_space_tile(&space, way), tiles[i][way]);
        qp_space_destroy(&space);
    }
}

TEST(others_are_refused)
{
    static const char *const wrong[][2] = {
        {"", "it has no parameters"},
        {"tune a\n", "line 1, at 'a'"},
        {"tune a = \n", "line 1, at 'a'"},
        {"tune a = 1 1\n", "line 1, at '1'"},
        {"tune a = 1\ntune a = 2\n", "line 2, at 'a'"},
        {"tune a\"b = 1\n", "line 1, at 'a\"b'"},
        {"tune 7 = 1\n", "line 1, at '7'"},
        {"tune a = 1 2\ntune not b = 1\n", "line 2, at 'b'"},
        {"tune a = 1 2\ntune not a = 3\n", "line 2, at '3'"},
        {"tune a = 1 2\ntune not a =\n", "line 2, at '='"},
        {"tune a = 1 2\ntune not a\n", "line 2, at 'a'"},
        {"tune a = 1 2\ntune not a > 1 +\n", "line 2, at '+'"},
        {"tune a = 1 2\ntune not a > 1 < 2\n", "line 2, at '<'"},
        {"tune a = 1 2\ntune not a - 2 > 1\n", "line 2, at '-'"},
        {"tune a = 1 2\nterm bytes = a /\n", "line 2, at 'bytes'"},
        {"tune a = 1 2\nterm bytes = a > 1\n", "line 2, at '>'"},
        {"tune a = 1 2\nterm bytes = b\n", "line 2, at 'b'"},
        {"tune a = x 2\nterm bytes = a\n", "line 2, at 'bytes'"},
        {"tune a = 1 2\ntile down = a\n", "line 2, at 'a'"},
        {"tune a = 1 2\ntile up = a\ntile up = 2\n", "line 3, at '2'"},
        {"tune a = 1 2\ntune not a > 1 with\n", "line 2, at 'with'"},
        {"tune a = x 2\ntune not a > 1\n", "line 2, at '1'"},
        {"tune a = 1 2\ntune not\n", "line 2, at 'not'"},
        {"tune a = 1 2\ntune not a = 1\n", "excludes the default: a=1"},
        {"tune a = 12345678901234567890123456789012\n", "line 1 is too long"}};
    for (int i = 0; i < COUNT(wrong); i++) {
        struct qp_space space;
        if (qp_space_read(wrong[i][0], &space) != QP_BAD_INPUT)
            fail_msg("%s is taken", wrong[i][0]);
        support_assert_sentence(wrong[i][1]);
        assert_null(space.text);
    }
}

TEST(sizes_have_limits)
{
    char text[4096] = "";
    struct qp_space space;
    for (int k = 0; k < 25; k++)
        sprintf(text + strlen(text), "tune p%d = 1 2\n", k);
    assert_int_equal(qp_space_read(text, &space), QP_BAD_INPUT);
    support_assert_sentence("line 25: more than 24 parameters or 16777216 configurations");
    strcpy(text, "tune a =");
    for (int k = 0; k < 65; k++)
        sprintf(text + strlen(text), " %d", k);
    assert_int_equal(qp_space_read(text, &space), QP_BAD_INPUT);
    strcpy(text, "tune a = 1 2\ntune not a > 2");
    for (int k = 0; k < QP_SPACE_FACTORS; k++)
        strcat(text, " + 1");
    assert_int_equal(qp_space_read(text, &space), QP_BAD_INPUT);
    for (int k = strlen(strcpy(text, "tune a = 1 2\n")); k < 3500; k = strlen(text))
        strcat(text, "tune not a = 2 with a > 3 with a < 1\n");
    assert_int_equal(qp_space_read(text, &space), QP_BAD_INPUT);
}
