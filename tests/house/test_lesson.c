/* SPDX-License-Identifier: MIT */
/* The lesson: short enough for half an hour, in words that are explained, and with commands
 * that run, as those of the plan for teachers do. Also the glossary's words of the trade. */
#include "support/files.h"
#include "support/support.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>

enum { MOST_WORDS = 2250, MOST_COMMANDS = 12, MOST_SECONDS = 60, STEPS = 5, LINE = 512 };

/* Words of the trade that the glossary explains by a variant or a command. */
static const char trade[] =
    "arithmetic intensity,atomic,bandwidth,bank,bank conflict,barrier,blending,broadcast,cache,"
    "cache line,channel,coalescing,compute shader,divergence,driver,fetch,flop,fragment,"
    "fragment shader,framebuffer object,fused multiply-add,ghost cell,GLSL,halo,latency,launch,"
    "local memory,multiprocessor,NaN,occupancy,page-locked,pbuffer,ping-pong,pipeline,quad,race,"
    "rasterizer,red-black,register,render target,roofline,ROP,sampler,shared memory,shuffle,"
    "stencil buffer,swizzle,temporal blocking,texel,texture,texture unit,thread block,throughput,"
    "unrolling,vector,vertex shader,warp";

static char *lesson, *teaching, *glossary, *plain; /* files of pages; plain words */

/* The lesson's text without blocks between ``` lines, indented lines, comments and drawings: what
 * is read. */
static char *prose(const char *page)
{
    char *text = calloc(strlen(page) + 1, 1), *to = text;
    bool is_code = false;
    assert_non_null(text);
    for (const char *line = page; *line != '\0'; line += *line == '\n') {
        const size_t length = strcspn(line, "\n");
        const bool is_fence = strncmp(line, "```", 3) == 0;
        is_code ^= is_fence;
        if (!is_code && !is_fence && strncmp(line, "    ", 4) != 0 &&
            strncmp(line, "<!--", 4) != 0 && strncmp(line, "![", 2) != 0) {
            memcpy(to, line, length);
            to[length] = '\n';
            to += length + 1;
        }
        line += length;
    }
    return text;
}

static int count(const char *text, const char *what)
{
    int found = 0;
    for (; (text = strstr(text, what)) != NULL; text++)
        found++;
    return found;
}

/* Copies the next command, an indented line outside of code with the lines that it goes on in, and
 * returns the place after it; NULL if there is none. Comments of the shell are left out. */
static const char *next_command(const char *at, char command[LINE])
{
    bool is_code = false;
    for (; *at != '\0'; at += *at == '\n') {
        size_t length = strcspn(at, "\n");
        is_code ^= strncmp(at, "```", 3) == 0;
        if (!is_code && strncmp(at, "    ", 4) == 0 && at[4] != '#') {
            snprintf(command, LINE, "%.*s", (int)length - 4, at + 4);
            while (at[length - 1] == '\\') {
                const size_t known = strlen(command) - 1;
                at += length + 1;
                at += strspn(at, " ");
                length = strcspn(at, "\n");
                snprintf(command + known, LINE - known, "%.*s", (int)length, at);
            }
            return at + length;
        }
        at += length;
    }
    return NULL;
}

TEST(lesson_is_short)
{
    char command[LINE];
    int words = 0, commands = 0;
    for (const char *at = lesson; *(at += strspn(at, " \n")) != '\0';) {
        const bool is_comment = strncmp(at, "<!--", 4) == 0 || strncmp(at, "![", 2) == 0;
        words += !is_comment;
        at += strcspn(at, is_comment ? "\n" : " \n");
    }
    for (const char *at = lesson; (at = next_command(at, command)) != NULL;)
        commands++;
    assert_in_range(words, 1000, MOST_WORDS - 1);
    assert_in_range(commands, STEPS, MOST_COMMANDS);
}

/* ---- Words ---- */

/* True if the lines hold the word, or one of several with this word in it, between stars. */
static bool is_explained(const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = glossary; (at = strcasestr(at, word)) != NULL; at++) {
        const char *from = at, *to = at + length;
        if (at == glossary || isalpha((unsigned char)at[-1]) || isalpha((unsigned char)*to))
            continue;
        while (isalpha((unsigned char)from[-1]) || strchr(" -'", from[-1]) != NULL)
            from--;
        while (isalpha((unsigned char)*to) || (*to != '\0' && strchr(" -'", *to) != NULL))
            to++;
        if (from[-1] == '*' && *to == '*')
            return true;
    }
    return false;
}

static bool is_plain(const char *word)
{
    char line[LINE];
    snprintf(line, sizeof line, "\n%s\n", word);
    return strstr(plain, line) != NULL;
}

static bool is_known(const char *word)
{
    char one[LINE];
    const size_t length = strlen(word);
    if (length < 2 || is_plain(word) || is_explained(word))
        return true;
    snprintf(one, sizeof one, "%s", word);
    for (size_t ending = 1; ending <= 2; ending++) { /* texels, fetches */
        if (strcmp(word + length - ending, ending == 1 ? "s" : "es") != 0)
            return false;
        one[length - ending] = '\0';
        if (is_plain(one) || is_explained(one))
            return true;
    }
    return false;
}

/* Reports words that are neither explained nor plain; names in `...` and links' ends are none. */
static void check_words(const char *path, const char *text)
{
    char word[64];
    for (const char *at = text; *at != '\0';) {
        if (*at == '`')
            at += 1 + strcspn(at + 1, "`");
        else if (strncmp(at, "](", 2) == 0)
            at += strcspn(at, ")");
        else if (*at == '<')
            at += strcspn(at, ">");
        size_t length = 0;
        while (isalpha((unsigned char)at[length]) && length < sizeof word - 1) {
            word[length] = (char)tolower((unsigned char)at[length]);
            length++;
        }
        word[length] = '\0';
        if (!is_known(word))
            fault("%s: '%s' is in neither docs/glossary.md nor tests/house/plain_words.txt\n", path,
                  word);
        at += length > 0 ? length : *at != '\0';
    }
}

TEST(lesson_explains_its_words)
{
    char *text = prose(lesson);
    faults = 0;
    check_words("docs/lesson.md", text);
    free(text);
    assert_int_equal(faults, 0);
    check_words("x.md", "A texel, two *fragments* and `gizmo` in [a quad](gizmo.md).");
    assert_int_equal(faults, 0);
    check_words("x.md", "A gizmo in a framebufferette.");
    assert_int_equal(faults, 2);
    faults = 0;
}

/* Each word of the trade has its line, with a variant or a command that shows it. */
TEST(trade_is_shown)
{
    char list[sizeof trade];
    strcpy(list, trade);
    faults = 0;
    for (char *word = strtok(list, ","); word != NULL; word = strtok(NULL, ",")) {
        char begin[64];
        snprintf(begin, sizeof begin, "\n- **%s**", word);
        const char *line = strstr(glossary, begin);
        const char *shown = line != NULL ? strchr(line, '`') : NULL;
        if (shown == NULL || shown > line + 1 + strcspn(line + 1, "\n"))
            fault("docs/glossary.md: '%s' needs a line with a variant or command\n", word);
    }
    assert_int_equal(faults, 0);
}

/* ---- Commands ---- */

static double seconds_of_children(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* True for commands that set a machine up or wait for others, which no test runs. */
static bool is_for_people(const char *command)
{
    static const char *const words[] = {"sudo ", "make ", "build/release/", "python3 ",
                                        "hostname "};
    bool is = false;
    for (int k = 0; k < COUNT(words); k++)
        is |= strncmp(command, words[k], strlen(words[k])) == 0;
    return is;
}

/* In the page's order, in a folder with what they read; the broken shader alone fails. */
static void run_commands(const char *page)
{
    static const char folder[] = QP_BUILD_DIR "/tests/lesson";
    char command[LINE], line[2 * LINE];
    char *output;
    snprintf(line, sizeof line, "rm -rf %s && mkdir %s && ln -s %s/demos %s/docs %s/data %s",
             folder, folder, QP_SOURCE_DIR, QP_SOURCE_DIR, QP_SOURCE_DIR, folder);
    assert_int_equal(system(line), 0);
    const double before = seconds_of_children();
    for (const char *at = page; (at = next_command(at, command)) != NULL;) {
        if (is_for_people(command))
            continue;
        snprintf(line, sizeof line, "cd %s && export PATH=%s:$PATH && (%s) 2>&1", folder,
                 QP_BUILD_DIR, command);
        const int expected = strstr(command, "QUADPASS_SHADER_DIR=") != NULL;
        const int code = run_for(line, &output);
        if (code != expected)
            fail_msg("%s: exit code %d\n%s", command, code, output);
        free(output);
    }
    assert_true(seconds_of_children() - before < MOST_SECONDS);
}

TEST(commands_run)
{
    char *output;
    bool has_gl = run_for(QP_BUILD_DIR "/quadpass info 2>&1", &output) == 0;
    free(output);
    if (!has_gl && !support_is_required("gl"))
        skip();
    run_commands(lesson);
    run_commands(teaching);
}

/* The commands shown make what is printed: each `run` line that calls quadpass has one in it,
 * or makes a drawing. */
TEST(printed_is_what_is_shown)
{
    char command[LINE];
    for (const char *at = lesson; (at = strstr(at, "\n<!-- run: ")) != NULL; at++) {
        char *made_by = strndup(at, strcspn(at + 1, "\n") + 1);
        bool is_shown =
            strstr(made_by, "quadpass ") == NULL || strstr(made_by, "drawing.sh") != NULL;
        for (const char *from = lesson; (from = next_command(from, command)) != NULL;)
            is_shown |= strstr(made_by, command) != NULL;
        if (!is_shown)
            fail_msg("docs/lesson.md: no command shown is in%s", made_by);
        free(made_by);
    }
}

static char *read_whole(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = slurp(file);
    fclose(file);
    return text;
}

static int read_pages(void **state)
{
    (void)state;
    lesson = read_whole(QP_SOURCE_DIR "/docs/lesson.md");
    teaching = read_whole(QP_SOURCE_DIR "/docs/teaching.md");
    glossary = read_whole(QP_SOURCE_DIR "/docs/glossary.md");
    plain = read_whole(QP_SOURCE_DIR "/tests/house/plain_words.txt");
    return count(plain, "\n") > 100 ? 0 : -1;
}

static int free_pages(void **state)
{
    (void)state;
    free(lesson);
    free(teaching);
    free(glossary);
    free(plain);
    return 0;
}

GROUP(read_pages, free_pages)
