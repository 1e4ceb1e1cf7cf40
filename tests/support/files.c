/* SPDX-License-Identifier: MIT */
#include "support/files.h"

#include <dirent.h>
#include <glob.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/support.h"

int faults;

char *slurp(FILE *stream)
{
    enum { PIECE = 65536 };
    char *text = NULL;
    size_t length = 0, got;
    assert_non_null(stream);
    do {
        text = realloc(text, length + PIECE + 1);
        assert_non_null(text);
        got = fread(text + length, 1, PIECE, stream);
        length += got;
    } while (got == PIECE);
    text[length] = '\0';
    return text;
}

int run_for(const char *command, char **output)
{
    FILE *pipe = popen(command, "r");
    *output = slurp(pipe);
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void each_file(const char *pattern, size_t least, void (*check)(const char *path, const char *text))
{
    glob_t found;
    assert_int_equal(chdir(QP_SOURCE_DIR), 0);
    assert_int_equal(glob(pattern, GLOB_BRACE, NULL, &found), 0);
    assert_true(found.gl_pathc >= least);
    faults = 0;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        FILE *file = fopen(found.gl_pathv[i], "r");
        char *text = slurp(file);
        check(found.gl_pathv[i], text);
        fclose(file);
        free(text);
    }
    globfree(&found);
    assert_int_equal(faults, 0);
}

const char *skip_literal(const char *at)
{
    const char quote = *at++;
    if (quote != '"' && quote != '\'')
        return at;
    while (*at != '\0' && *at != '\n' && *at != quote)
        at += at[0] == '\\' && at[1] != '\0' ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

int files_in(const char *path)
{
    int count = 0;
    DIR *entries = opendir(path);
    assert_non_null(entries);
    for (struct dirent *entry; (entry = readdir(entries)) != NULL;)
        count += entry->d_name[0] != '.';
    closedir(entries);
    return count;
}

static int open_files;

void files_note_open(void **state)
{
    (void)state;
    open_files = files_in("/proc/self/fd");
}

void files_are_closed(void **state)
{
    (void)state;
    assert_int_equal(files_in("/proc/self/fd"), open_files);
}
