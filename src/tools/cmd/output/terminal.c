/* SPDX-License-Identifier: MIT */
#include "tools/cmd/output/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/cmd/cmd.h"
#include "tools/cmd/output/sentence.h"

enum { LINE = 4096, USUAL_COLUMNS = 100, LEAST_COLUMNS = 40, INDENT = 4 };

/* The one terminal that tables go to. */
static struct {
    FILE *stream, *target; /* text is written to the first, and goes to the other */
    int columns;
    bool colours;
    bool refused;
    char line[LINE]; /* the line that is not ended yet */
    size_t length;
} terminal;

/* ---- Folding ---- */

/* Bytes of what takes no column: an escape sequence, or the rest of a character of UTF-8; else
 * 0. */
static size_t invisible(const char *at)
{
    if (((unsigned char)*at & 0xc0) == 0x80)
        return 1;
    return *at == '\033' ? strcspn(at, "m") + 1 : 0;
}

/* Bytes that fit in this number of columns. */
static size_t fitting(const char *text, int columns)
{
    const char *at = text;
    for (int used = 0; *at != '\0';) {
        const size_t hidden = invisible(at);
        if (hidden == 0 && used++ == columns)
            break;
        at += hidden > 0 ? hidden : 1;
    }
    return (size_t)(at - text);
}

/* Place to fold a line that is too long: the last gap between columns in the second half, or else
 * the last space after the indent; the end where there is none. */
static size_t fold(const char *text, size_t most, size_t indent)
{
    size_t word = most, gap = 0;
    for (size_t i = indent + 1; i <= most; i++) {
        if (text[i] == ' ' && text[i - 1] != ' ') {
            word = i;
            if (text[i + 1] == ' ' && i > most / 2)
                gap = i;
        }
    }
    return gap > 0 ? gap : word;
}

/* Prints a folded line; it continues below its first word, a little to the right of it. */
static void print_folded(FILE *out, const char *text)
{
    const size_t begin = strspn(text, " ");
    const int deepest = terminal.columns / 2;
    const int margin = ((int)begin < deepest ? (int)begin : deepest) + INDENT;
    size_t indent = begin;
    int room = terminal.columns;
    for (size_t fits; (fits = fitting(text, room)), text[fits] != '\0'; indent = 0) {
        const size_t end = fold(text, fits, indent);
        fprintf(out, "%.*s\n%*s", (int)end, text, margin, "");
        text += end;
        text += strspn(text, " ");
        room = terminal.columns - margin;
    }
    fputs(text, out);
}

static void end_line(const char *end)
{
    terminal.line[terminal.length] = '\0';
    print_folded(terminal.target, terminal.line);
    fputs(end, terminal.target);
    terminal.length = 0;
}

static ssize_t take(void *user, const char *bytes, size_t size)
{
    (void)user;
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] == '\n')
            end_line("\n");
        else
            terminal.line[terminal.length++] = bytes[i];
        if (terminal.length == LINE - 1)
            end_line("");
    }
    fflush(terminal.target);
    return ferror(terminal.target) ? 0 : (ssize_t)size;
}

/* ---- Streams ---- */

static int width_of(int descriptor)
{
    struct winsize size = {0};
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return USUAL_COLUMNS;
    return size.ws_col > LEAST_COLUMNS ? size.ws_col : LEAST_COLUMNS;
}

static bool wants_colours(void)
{
    const char *kind = getenv("TERM"), *none = getenv("NO_COLOR");
    return (none == NULL || none[0] == '\0') && (kind == NULL || strcmp(kind, "dumb") != 0);
}

FILE *terminal_stream(FILE *stream)
{
    if (terminal.stream != NULL || terminal.refused || !isatty(fileno(stream)))
        return terminal.stream != NULL && terminal.target == stream ? terminal.stream : stream;
    terminal.target = stream;
    terminal.stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = take});
    if (terminal.stream == NULL)
        return stream;
    setvbuf(terminal.stream, NULL, _IOLBF, 0);
    terminal.columns = width_of(fileno(stream));
    terminal.colours = wants_colours();
    return terminal.stream;
}

void terminal_refuse(void)
{
    terminal.refused = true;
}

int terminal_columns(const FILE *stream)
{
    return terminal.stream != NULL && stream == terminal.stream ? terminal.columns : 0;
}

const char *terminal_verdict(const FILE *stream, enum qp_verdict verdict, int width)
{
    static const char *const colours[] = {
        [QP_PASS] = "\033[32m", [QP_FAIL] = "\033[1;31m",   [QP_SKIP] = "\033[33m",
        [QP_BOUND] = "\033[2m", [QP_UNCHECKED] = "\033[2m", [QP_CANNOT_TELL] = "\033[1;31m"};
    static char text[64];
    const bool colour = terminal_columns(stream) > 0 && terminal.colours;
    snprintf(text, sizeof text, "%s%-*s%s", colour ? colours[verdict] : "", width,
             qp_verdict_name(verdict), colour ? "\033[0m" : "");
    return text;
}

/* Checks standard output at exit; errors that were reported earlier are cleared by then. */
static void look_at_output(void)
{
    errno = 0;
    bool good = terminal.stream == NULL || fflush(terminal.stream) == 0;
    if (terminal.stream != NULL && terminal.length > 0)
        end_line("");
    good = fflush(stdout) == 0 && ferror(stdout) == 0 && good;
    if (good)
        return;
    sentence_say("standard output: cannot be written: %s (check disk space)",
                 errno != 0 ? strerror(errno) : "not all of it arrived");
    _exit(EXIT_USAGE);
}

void terminal_watch_output(void)
{
    for (int i = 0; i <= STDERR_FILENO; i++) {
        /* Opened the wrong way round, so that a closed stream stays of no use. */
        if (fcntl(i, F_GETFD) < 0 && open("/dev/null", i == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            break;
    }
    atexit(look_at_output);
}
