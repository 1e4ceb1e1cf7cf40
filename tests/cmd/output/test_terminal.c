/* SPDX-License-Identifier: MIT */
/* Output to a terminal, byte by byte: folded lines, colours. Each terminal is seen by a process of
 * its own, for there is one in each. */
#include "support/support.h"

#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "tools/cmd/output/terminal.h"

static char shown[1 << 16];

/* Bytes that `print` sends to a terminal of this width, with line ends as they are written. */
static const char *on_terminal(int columns, void (*print)(FILE *out))
{
    struct winsize size = {.ws_row = 24, .ws_col = (unsigned short)columns};
    struct termios raw = {0};
    int terminal, screen;
    size_t length = 0;
    cfmakeraw(&raw);
    if (openpty(&terminal, &screen, NULL, &raw, &size) != 0)
        skip();
    const pid_t child = fork();
    if (child == 0) {
        FILE *out = fdopen(screen, "w");
        close(terminal);
        print(terminal_stream(out));
        fflush(NULL);
        _exit(0);
    }
    close(screen);
    for (ssize_t got; (got = read(terminal, shown + length, sizeof shown - length - 1)) > 0;)
        length += (size_t)got;
    close(terminal);
    waitpid(child, NULL, 0);
    shown[length] = '\0';
    return shown;
}

/* At gaps between columns in the second half, else at the last space, else at the end; a
 * continuation is indented further than its line. Escapes and the rest of a character take no
 * column. */
static void print_lines(FILE *out)
{
    fputs("0123456789 123456789 123456789 123456789\n", out);  /* fits */
    fputs("0123456789 123456789 123456789 123456789a\n", out); /* does not */
    fputs("  one two three four five six seven eight nine ten eleven twelve\n", out);
    fputs("name      first second third fourth   value  and more of it here\n", out);
    fputs("name   x  first second third fourth fifth and more of it here\n", out);
    fputs("0123456789012345678901234567890123456789012345678901234567890123456789012345678901\n",
          out);
    fputs("                              far to the right of it\n", out);
    fputs("\033[32mpass\033[0m \303\251\303\251\303\251\303\251\303\251 6789 123456789 123456789 "
          "1234\n",
          out);
    fputs("\033[32mpass\033[0m \303\251\303\251\303\251\303\251\303\251 6789 123456789 123456789 "
          "1234567\n",
          out);
    fputs("\033[32m0123456789 123456789 123456789 123456789a\n", out);
    fputs("0123456789 1234567890   2345 7890 23456 89 more\n", out);
    fputs("0123456789 123456789   12345 7890 23456 89 more\n", out);
    fputs("\n", out);
    fputs("no end", out);
    fputs(", but then\n", out);
}

TEST(lines_are_folded)
{
    assert_string_equal(
        on_terminal(40, print_lines),
        "0123456789 123456789 123456789 123456789\n"
        "0123456789 123456789 123456789\n"
        "    123456789a\n"
        "  one two three four five six seven\n"
        "      eight nine ten eleven twelve\n"
        "name      first second third fourth\n"
        "    value  and more of it here\n"
        "name   x  first second third fourth\n"
        "    fifth and more of it here\n"
        "0123456789012345678901234567890123456789\n"
        "    012345678901234567890123456789012345\n"
        "    678901\n"
        "                              far to the\n"
        "                        right of it\n"
        "\033[32mpass\033[0m \303\251\303\251\303\251\303\251\303\251 6789 123456789 123456789 "
        "1234\n"
        "\033[32mpass\033[0m \303\251\303\251\303\251\303\251\303\251 6789 123456789 123456789\n"
        "    1234567\n"
        "\033[32m0123456789 123456789 123456789\n"
        "    123456789a\n"
        "0123456789 1234567890\n"
        "    2345 7890 23456 89 more\n"
        "0123456789 123456789   12345 7890 23456\n"
        "    89 more\n"
        "\n"
        "no end, but then\n");
}

static void print_columns(FILE *out)
{
    fprintf(out, "%d %d\n", terminal_columns(out), terminal_columns(stderr));
}

/* No width is a hundred; the least is forty. */
TEST(widths)
{
    static const struct {
        int columns;
        const char *shown;
    } cases[] = {{0, "100 0\n"}, {1, "40 0\n"}, {39, "40 0\n"}, {41, "41 0\n"}, {250, "250 0\n"}};
    for (int i = 0; i < COUNT(cases); i++)
        assert_string_equal(on_terminal(cases[i].columns, print_columns), cases[i].shown);
}

static void print_verdicts(FILE *out)
{
    static const enum qp_verdict verdicts[] = {QP_PASS, QP_FAIL, QP_SKIP, QP_BOUND};
    for (int i = 0; i < 4; i++)
        fprintf(out, "%s|", terminal_verdict(out, verdicts[i], i % 2 ? 0 : 6));
    fprintf(out, "%s\n", terminal_verdict(stderr, QP_PASS, 5));
}

TEST(verdicts_have_colours)
{
    static const char coloured[] = "\033[32mpass  \033[0m|\033[1;31mfail\033[0m|\033[33mskip  "
                                   "\033[0m|\033[2mbound\033[0m|pass \n",
                      plain[] = "pass  |fail|skip  |bound|pass \n";
    unsetenv("NO_COLOR");
    unsetenv("TERM");
    assert_string_equal(on_terminal(80, print_verdicts), coloured);
    setenv("TERM", "xterm", 1);
    setenv("NO_COLOR", "", 1);
    assert_string_equal(on_terminal(80, print_verdicts), coloured);
    setenv("TERM", "dumb", 1);
    assert_string_equal(on_terminal(80, print_verdicts), plain);
    setenv("TERM", "xterm", 1);
    setenv("NO_COLOR", "1", 1);
    assert_string_equal(on_terminal(80, print_verdicts), plain);
}

/* There is one terminal; a second one and files are written to as they are. */
static void print_to_others(FILE *out)
{
    FILE *file = fopen("/dev/null", "w");
    fprintf(out, "%d", terminal_stream(file) == file);
    fprintf(out, "%d", terminal_columns(file));
    fclose(file);
    fprintf(out, "%d\n", terminal_columns(out));
}

static void print_much(FILE *out)
{
    for (int i = 0; i < 5000; i++)
        fputc('a' + i % 26, out);
    fputc('\n', out);
}

TEST(other_streams_and_long_lines)
{
    assert_string_equal(on_terminal(80, print_to_others), "1080\n");
    const char *text = on_terminal(200, print_much);
    int letters = 0;
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == ' ' || *at == '\n')
            continue;
        assert_int_equal(*at, 'a' + letters++ % 26);
    }
    assert_int_equal(letters, 5000);
}
