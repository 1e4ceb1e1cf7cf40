/* SPDX-License-Identifier: MIT */
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

char folder[] = "/tmp/quadpass-test-XXXXXX";
char output[1 << 18];

int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL ? 0 : -1;
}

int make_folder_in_haste(void **state)
{
    const char *told = getenv("ASAN_OPTIONS");
    char options[512];
    if (access("/dev/nvidiactl", F_OK) == 0)
        return make_folder(state);
    snprintf(options, sizeof options, "%s%sverify_asan_link_order=0", told != NULL ? told : "",
             told != NULL ? ":" : "");
    setenv("ASAN_OPTIONS", options, 1);
    setenv("LD_PRELOAD", QP_BUILD_DIR "/tests/hasty.so", 1);
    return make_folder(state);
}

int enter_folder_with_cache(void **state)
{
    char path[256];
    if (make_folder(state) != 0 || chdir(folder) != 0)
        return -1;
    snprintf(path, sizeof path, "%.200s/cache", folder);
    return setenv("XDG_CACHE_HOME", path, 1);
}

int remove_folder(void **state)
{
    (void)state;
    char line[256];
    snprintf(line, sizeof line, "rm -rf %s", folder);
    return system(line);
}

static char tool[512]; /* whose output is in `output`, from files as they are; else empty */

int shell(const char *command)
{
    char line[2048];
    tool[0] = '\0';
    snprintf(line, sizeof line, "PATH=%s:$PATH; { %s; } 2>&1", QP_BUILD_DIR, command);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    size_t got = fread(output, 1, sizeof output - 1, pipe);
    output[got] = '\0';
    while (fgetc(pipe) != EOF)
        continue;
    int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

int run(const char *arguments)
{
    char line[2048];
    snprintf(line, sizeof line, "cd %s && QUADPASS_REQUIRE= %s %s", folder, QUADPASS, arguments);
    return shell(line);
}

bool on_llvmpipe(void)
{
    static int is = -1;
    if (is < 0) {
        assert_int_equal(run("info"), 0);
        is = strstr(output, "llvmpipe") != NULL;
    }
    return is;
}

void expect(const char *command, int code, const char *words)
{
    int got = shell(command);
    if (got != code || strstr(output, words) == NULL)
        fail_msg("'%s' gave %d, not %d with '%s':\n%s", command, got, code, words, output);
}

void expect_tool(const char *script, int code, const char *words)
{
    static int got;
    char command[1024];
    if (strcmp(tool, script) != 0) {
        snprintf(command, sizeof command, "cd %s && " QP_SOURCE_DIR "/tools/%s", folder, script);
        got = shell(command);
        assert_true(snprintf(tool, sizeof tool, "%s", script) < (int)sizeof tool);
    }
    if (got != code || strstr(output, words) == NULL)
        fail_msg("'%s' gave %d, not %d with '%s':\n%s", script, got, code, words, output);
}

int count(const char *words)
{
    int found = 0;
    for (const char *at = output; (at = strstr(at, words)) != NULL; at++)
        found++;
    return found;
}

void must_print(const char *const lines[], int lines_count)
{
    for (int i = 0; i < lines_count; i++) {
        if (strstr(output, lines[i]) == NULL)
            fail_msg("no '%s' in:\n%s", lines[i], output);
    }
}

void assert_refused(const char *arguments, const char *words)
{
    int code = run(arguments);
    if (code != 2 || strstr(output, words) == NULL)
        fail_msg("'quadpass %s' gave %d and said: %s", arguments, code, output);
    assert_false(exists("x.mtx"));
    assert_false(exists("p.png"));
}

bool exists(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

void write_file(const char *name, const char *text)
{
    char path[256];
    tool[0] = '\0';
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

void need_gl(void)
{
    static bool found;
    found = found || shell("quadpass info") == 0;
    if (found)
        return;
    if (support_is_required("gl"))
        fail_msg("REQUIRE=gl, but: %s", output);
    skip();
}

bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

void write_small_data(void)
{
    char path[512];
    assert_int_equal(run("--version; mkdir -p small"), 0);
    snprintf(path, sizeof path, "%s/small/gr_30_30.mtx", folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("%%MatrixMarket matrix coordinate real symmetric\n100 100 442\n", file);
    for (int i = 0; i < 100; i++) {
        static const int right[] = {0, 1, -1, 0, 1}, up[] = {0, 0, 1, 1, 1};
        for (int k = 0; k < 5; k++) {
            const int x = i % 10 + right[k], y = i / 10 + up[k];
            if (x >= 0 && x < 10 && y < 10)
                fprintf(file, "%d %d %d\n", y * 10 + x + 1, i + 1, k == 0 ? 8 : -1);
        }
    }
    assert_int_equal(fclose(file), 0);
}
