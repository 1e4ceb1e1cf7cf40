/* SPDX-License-Identifier: MIT */
#include "toolkit/base/tokens.h"

#include "support/support.h"

static const struct qp_tokens *cut(const char *text)
{
    const struct qp_tokens *tokens = qp_tokens_read(text);
    assert_non_null(tokens);
    assert_string_equal(tokens->text, text);
    return tokens;
}

/* Writes all tokens with their kinds, lines and the distance to their other bracket. */
static const char *told(const char *text)
{
    static const char kinds[] = {'.', 'w', 'n', 's', 'l'};
    static char out[1024];
    size_t used = 0;
    const struct qp_tokens *tokens = cut(text);
    out[0] = '\0';
    for (int i = 0; i < tokens->count; i++) {
        const struct qp_token *token = &tokens->of[i];
        used += (size_t)snprintf(out + used, sizeof out - used, "%s%c%d%.*s", i > 0 ? " " : "",
                                 kinds[token->kind], token->line, token->length, token->at);
        if (token->match >= 0)
            used += (size_t)snprintf(out + used, sizeof out - used, "%+d", token->match - i);
        assert_true(used < sizeof out);
    }
    assert_int_equal(tokens->of[tokens->count].kind, QP_TOKEN_END);
    assert_int_equal(tokens->of[tokens->count].length, 0);
    qp_tokens_release(&tokens);
    assert_null(tokens);
    return out;
}

TEST(words_numbers_signs)
{
    assert_string_equal(told(""), "");
    assert_string_equal(told(" a_1 b"), "w1a_1 w1b");
    assert_string_equal(told("1.5e-3f .5 0x1E+2u 0e+2 3.-a"),
                        "n11.5e-3f n1.5 n10x1E s1+ n12u n10e+2 n13. s1- w1a");
    assert_string_equal(told("a<<=b<=c<d++ +e.x"),
                        "w1a s1<<= w1b s1<= w1c s1< w1d s1++ s1+ w1e s1. w1x");
    assert_string_equal(told("a&&!b||c^^d!=e==f"),
                        "w1a s1&& s1! w1b s1|| w1c s1^^ w1d s1!= w1e s1== w1f");
}

TEST(comments_and_lines)
{
    assert_string_equal(told("a // b\nc /* d\n e */ f /* g"), "w1a w2c w3f");
    assert_string_equal(told("a//\n#define X a \\\n b\n  # if 1 // 2\r\nc #d"),
                        "w1a l2#define X a \\\n b l4# if 1 // 2\r w5c s5# w5d");
    assert_string_equal(told("/* a */ # b\nc"), "l1# b w2c");
    assert_string_equal(told("# a \\\r\n b /* c\n */ d\ne"), "l1# a \\\r\n b /* c\n */ d w4e");
}

/* Comments are listed with their lines, those in lines of the preprocessor too; those that begin
 * their line are marked. */
TEST(comments_are_listed)
{
    static const struct {
        const char *text, *told;
        int open;
    } cases[] = {
        {"a // b\nc", "1 // b|", 0},
        {"a /* b\n // */ c", "1 /* b\n // */|", 0},
        {"a / b * c", "", 0},
        {"/**/x/*/*/y", "1-/**/|1 /*/*/|", 0},
        {"// /* a\n b", "1-// /* a|", 0},
        {"\n /* a */ // b", "2-/* a */|2-// b|", 0},
        {"a /* b */ /* c *", "1 /* b */|1 /* c *|", 1},
        {"a\n#if b // c\n#d e \\\n// f\n// g", "2 // c|4 // f|5-// g|", 0},
        {"//", "1-//|", 0},
        {"/", "", 0},
        {"a\n/*/", "2-/*/|", 2},
        {"#if a /*\n", "1 /*\n|", 1},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        char told_of[64] = "";
        const struct qp_tokens *tokens = cut(cases[i].text);
        for (int k = 0; k < tokens->comments; k++) {
            const struct qp_token *comment = &tokens->comment[k];
            assert_int_equal(comment->kind, QP_TOKEN_COMMENT);
            snprintf(told_of + strlen(told_of), sizeof told_of - strlen(told_of), "%d%s%.*s|",
                     comment->line, comment->match == 0 ? "-" : " ", comment->length, comment->at);
        }
        assert_string_equal(told_of, cases[i].told);
        assert_int_equal(tokens->open, cases[i].open);
        qp_tokens_release(&tokens);
    }
}

TEST(brackets)
{
    assert_string_equal(told("([{}])"), "s1(+5 s1[+3 s1{+1 s1}-1 s1]-3 s1)-5");
    assert_string_equal(told("(a)(b"), "s1(+2 w1a s1)-2 s1( w1b");
    assert_string_equal(told(")((]"), "s1) s1( s1( s1]");
}

/* Tokens in lines of the preprocessor come after the code's, and their brackets match among
 * themselves. */
TEST(tokens_in_lines)
{
    char all[128] = "";
    const struct qp_tokens *tokens = cut("{\n#define A(b) b ( // c\n}\n# if \\\n 2\nx /*");
    for (int i = 0; i < tokens->all; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%d%.*s ", tokens->of[i].line,
                 tokens->of[i].kind == QP_TOKEN_LINE ? 1 : tokens->of[i].length, tokens->of[i].at);
    assert_string_equal(all, "1{ 2# 3} 4# 6x 6 2define 2A 2( 2b 2) 2b 2( 3 4if 4\\ 52 6 ");
    assert_int_equal(tokens->count, 5);
    assert_int_equal(tokens->of[0].match, 2);
    assert_int_equal(tokens->of[8].match, 10);
    assert_int_equal(tokens->of[12].match, -1);
    qp_tokens_release(&tokens);
    tokens = cut("#\n#");
    assert_int_equal(tokens->count, 2);
    assert_int_equal(tokens->all, 5);
    qp_tokens_release(&tokens);
}

TEST(words_are_found)
{
    const struct qp_tokens *tokens = cut("x xx // y\n x");
    assert_int_equal(qp_tokens_find(tokens, 0, "xx"), 1);
    assert_int_equal(qp_tokens_find(tokens, 1, "x"), 2);
    assert_int_equal(qp_tokens_find(tokens, 0, "y"), tokens->count);
    qp_tokens_release(&tokens);
}

TEST(functions_are_found)
{
    static const char text[] = "float f(vec2 p);\nuniform float a;\nfloat f(vec2 p) { if (b(c)) { "
                               "int g(); } return a(1); }\nvoid h(\n) {}\nint i() {";
    static const struct {
        const char *type, *name;
        bool has_body;
    } found[] = {
        {"float", "f", false}, {"float", "f", true}, {"void", "h", true}, {"int", "i", false}};
    int count = 0;
    const struct qp_tokens *tokens = cut(text);
    for (const struct qp_glsl_function *f = tokens->function; f->name > 0; f++, count++) {
        assert_true(count < COUNT(found));
        assert_true(qp_token_is(&tokens->of[f->type], found[count].type));
        assert_true(qp_token_is(&tokens->of[f->name], found[count].name));
        assert_int_equal(f->close, tokens->of[f->open].match);
        assert_int_equal(f->begin >= 0, found[count].has_body);
        assert_int_equal(f->end >= 0, found[count].has_body);
    }
    assert_int_equal(count, COUNT(found));
    qp_tokens_release(&tokens);
}

/* The bracket around the last `x` of a text, as its character, and the commas before it. */
static void check_around(const char *text, char bracket, int commas)
{
    int found = -1;
    const struct qp_tokens *tokens = cut(text);
    int i = tokens->count - 1;
    while (!qp_token_is(&tokens->of[i], "x"))
        i--;
    const int open = qp_tokens_around(tokens, i, &found);
    assert_int_equal(open < 0 ? '-' : *tokens->of[open].at, bracket);
    assert_int_equal(found, commas);
    qp_tokens_release(&tokens);
}

TEST(brackets_around)
{
    check_around("f(a, g(b, c), x)", '(', 2);
    check_around("f(a, b[c, x])", '[', 1);
    check_around("{ f(a, b); x }", '{', 0);
    check_around("f(a, b), x", '-', 1);
    check_around("(x", '-', 0);
}

TEST(reals)
{
    static const char text[] = "1. .5 2e3 1.0f 1.0lf 7 0xE 3u e1";
    const struct qp_tokens *tokens = cut(text);
    for (int i = 0; i < tokens->count; i++)
        assert_int_equal(qp_token_is_real(&tokens->of[i]), i < 5);
    qp_tokens_release(&tokens);
}

/* Equal texts share their tokens, until the last is let go. */
TEST(equal_texts_are_cut_once)
{
    char copy[] = "x + 1";
    const int before = qp_tokens_cuts();
    const struct qp_tokens *a = cut("x + 1"), *b = cut(copy), *other = cut("x + 2");
    assert_ptr_equal(a, b);
    assert_ptr_not_equal(a, other);
    assert_ptr_not_equal(b->text, copy);
    assert_int_equal(qp_tokens_cuts(), before + 2);
    qp_tokens_release(&a);
    a = cut("x + 1");
    assert_ptr_equal(a, b);
    qp_tokens_release(&a);
    qp_tokens_release(&b);
    a = cut("x + 1");
    assert_int_equal(qp_tokens_cuts(), before + 3);
    qp_tokens_release(&other);
    qp_tokens_release(&a);
    qp_tokens_release(&a);
}

/* A mark says where the lines after it are from; what only looks like one says nothing. */
TEST(places)
{
    static const char text[] = "a\n//# b/c.glsl:7\nd\ne\n//# no\n//# :x1\nf //# g.glsl:3\n"
                               "/* //# h:1 */\n//# /i:j:20\nk\n//# :2\nl\n//# g:1";
    static const char *const wanted[] = {"",
                                         "s/t.frag:1",
                                         "s/t.frag:2",
                                         "s/b/c.glsl:7",
                                         "s/b/c.glsl:8",
                                         "s/b/c.glsl:9",
                                         "s/b/c.glsl:10",
                                         "s/b/c.glsl:11",
                                         "s/b/c.glsl:12",
                                         "s/b/c.glsl:13",
                                         "/i:j:20",
                                         "/i:j:21",
                                         "s/t.frag:2"};
    char place[QP_PLACE_LETTERS];
    const struct qp_tokens *tokens = cut(text);
    for (int line = 1; line < COUNT(wanted); line++)
        assert_string_equal(qp_tokens_place(tokens, "s/t.frag", line, place), wanted[line]);
    assert_string_equal(QP_PLACE(tokens, "t", 3), "b/c.glsl:7");
    assert_int_equal(qp_tokens_line(tokens, "t", 12, place), 2);
    assert_string_equal(place, "t");
    qp_tokens_release(&tokens);
}
