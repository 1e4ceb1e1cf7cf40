/* SPDX-License-Identifier: MIT */
/* Output files alone: names that lead to one file, what would open, part files of this process and
 * of ones that are gone, and what is on the disk when. No OpenGL is needed here. */
/* own program: for fsync, which it answers */
#include "support/support.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/files.h"
#include "toolkit/io/output.h"

ADD_TEST(files_note_open)

static char folder[] = "/tmp/quadpass-output-XXXXXX";

/* The same place again after four others. */
static const char *in_folder(const char *name)
{
    static char paths[4][PATH_MAX];
    static int last;
    last = (last + 1) % 4;
    snprintf(paths[last], sizeof paths[last], "%s/%s", folder, name);
    return paths[last];
}

static void put(const char *name)
{
    FILE *file = fopen(in_folder(name), "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static bool is_there(const char *name)
{
    struct stat about;
    return lstat(in_folder(name), &about) == 0;
}

/* ---- Names ---- */

TEST(standard_output_has_names)
{
    static const char *const names[] = {"-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"},
                             *const others[] = {"", "--", "/dev/stderr", "/dev/fd/2", "stdout"};
    for (int i = 0; i < COUNT(names); i++) {
        assert_true(qp_output_is_standard(names[i]));
        assert_true(qp_output_is_possible(names[i]));
    }
    for (int i = 0; i < COUNT(others); i++)
        assert_false(qp_output_is_standard(others[i]));
}

static void expect_impossible(const char *path, int reason)
{
    errno = 0;
    assert_false(qp_output_is_possible(path));
    assert_int_equal(errno, reason);
}

TEST(what_would_open)
{
    const int before = files_in(folder);
    put("file");
    assert_true(qp_output_is_possible(in_folder("file")));
    assert_true(qp_output_is_possible(in_folder("new")));
    assert_true(qp_output_is_possible("/dev/null"));
    expect_impossible(folder, EISDIR);
    expect_impossible(in_folder("none/new"), ENOENT);
    expect_impossible(in_folder("new/"), EISDIR);
    expect_impossible(in_folder("file/new"), ENOTDIR);
    expect_impossible("", ENOENT);
    assert_int_equal(symlink("round", in_folder("round")), 0);
    expect_impossible(in_folder("round"), ELOOP);
    assert_int_equal(symlink("none/new", in_folder("astray")), 0);
    expect_impossible(in_folder("astray"), ENOENT);
    assert_int_equal(symlink("ahead", in_folder("link")), 0);
    assert_true(qp_output_is_possible(in_folder("link")));
    assert_int_equal(files_in(folder), before + 4); /* nothing was made */
}

TEST(names_of_one_file)
{
    char here[PATH_MAX];
    put("one");
    put("two");
    assert_int_equal(link(in_folder("one"), in_folder("hard")), 0);
    assert_int_equal(symlink("one", in_folder("soft")), 0);
    assert_int_equal(symlink("later", in_folder("first")), 0);
    assert_int_equal(symlink(in_folder("first"), in_folder("second")), 0);
    assert_true(qp_output_is_same(in_folder("one"), in_folder("./one")));
    assert_true(qp_output_is_same(in_folder("hard"), in_folder("one")));
    assert_true(qp_output_is_same(in_folder("soft"), in_folder("hard")));
    assert_false(qp_output_is_same(in_folder("one"), in_folder("two")));
    assert_false(qp_output_is_same(in_folder("one"), in_folder("later")));
    assert_false(qp_output_is_same(in_folder("later"), in_folder("one")));
    assert_true(qp_output_is_same(in_folder("first"), in_folder("later")));
    assert_true(qp_output_is_same(in_folder("second"), in_folder("later")));
    assert_false(qp_output_is_same(in_folder("later"), in_folder("latest")));
    assert_false(qp_output_is_same(in_folder("none/x"), in_folder("none/x")));
    assert_false(qp_output_is_same("/dev/null", "/dev/null"));
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(folder), 0);
    const bool same = qp_output_is_same("later", in_folder("later")),
               other = qp_output_is_same("later", in_folder("latest"));
    assert_int_equal(chdir(here), 0);
    assert_true(same && !other);
}

TEST(folders)
{
    char sentence[PATH_MAX + 64];
    assert_ok(qp_output_folder(in_folder("sub")));
    assert_ok(qp_output_folder(in_folder("sub")));
    put("plain");
    snprintf(sentence, sizeof sentence, "%s: no folder can be made: File exists",
             in_folder("plain"));
    assert_int_equal(qp_output_folder(in_folder("plain")), QP_BAD_INPUT);
    assert_string_equal(qp_error(), sentence);
    assert_int_equal(rmdir(in_folder("sub")), 0);
}

/* ---- Part files ---- */

/* The number of a process that is gone. */
static long process_gone(void)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    return (long)child;
}

static int removed;

static int count_removed(const char *path)
{
    assert_int_equal(strncmp(path, folder, strlen(folder)), 0);
    removed++;
    return 0;
}

TEST(what_killed_processes_left)
{
    const long gone = process_gone();
    char mine[64], left[64], also[64], other[64], kept[64], copy[64], linked[64];
    struct qp_output output;
    assert_true(qp_output_open(&output, in_folder("swept"))); /* a part file that is under way */
    snprintf(mine, sizeof mine, "swept.%ld-0.part", (long)getpid());
    snprintf(left, sizeof left, "swept.%ld-0.part", gone);
    snprintf(also, sizeof also, "swept.%ld-12.part", gone);
    snprintf(other, sizeof other, "sweat.%ld-0.part", gone);
    snprintf(kept, sizeof kept, "swept.%ld-0.parts", gone);
    snprintf(copy, sizeof copy, "swept.%ld-copy.part", gone);
    snprintf(linked, sizeof linked, "swept.%ld-1.part", gone);
    const char *const all[] = {left,
                               also,
                               other,
                               kept,
                               copy,
                               "swept",
                               "swept.0-1.part",
                               "swept.20261128-1.part", /* beyond Linux's processes */
                               "swept.7-copy.part"};
    for (int i = 0; i < COUNT(all); i++)
        put(all[i]);
    assert_int_equal(symlink("swept", in_folder(linked)), 0);
    qp_output_sweep(in_folder("swept"), NULL);
    assert_false(is_there(left) || is_there(also));
    assert_true(is_there(mine) && is_there(linked));
    for (int i = 2; i < COUNT(all); i++)
        assert_true(is_there(all[i]));
    assert_int_equal(qp_output_close(&output, "it is not kept"), QP_BAD_INPUT);
    assert_false(is_there(mine));
    qp_output_sweep(in_folder("none/x"), NULL);
}

/* Folders of a process that is gone are known by their name, mode, mark and lock. */
TEST(folders_that_were_left)
{
    static const char *const names[] = {
        "swept.7-abcXY0",   "swept.7-abcXY",         "swept.7-results", "swept.7-abcXY1",
        "swept.20261128-a", "swept.20261128-abcXYZ", "swept.7-abcXY2"};
    for (int i = 0; i < COUNT(names); i++)
        assert_int_equal(mkdir(in_folder(names[i]), 0700), 0);
    int held[COUNT(names)];
    for (int i = 0; i < COUNT(names) - 1; i++) /* the last one has no mark */
        assert_true((held[i] = qp_output_hold(in_folder(names[i]))) >= 0);
    assert_int_equal(chmod(in_folder(names[3]), 0755), 0);
    removed = 0;
    qp_output_sweep(in_folder("swept"), count_removed);
    assert_int_equal(removed, 0); /* all are held, as by a process in another container */
    for (int i = 0; i < COUNT(names) - 1; i++)
        close(held[i]);
    qp_output_sweep(in_folder("swept"), count_removed);
    assert_int_equal(removed, 1); /* the first */
}

static int synced;

int fsync(int file)
{
    int (*real)(int);
    *(void **)&real = dlsym(RTLD_NEXT, "fsync");
    synced++;
    return real(file);
}

/* Nothing has the name until the file is whole, and a reason keeps it so. */
TEST(files_appear_whole)
{
    struct qp_output output;
    struct stat about;
    char part[PATH_MAX], sentence[PATH_MAX + 96];
    for (int durable = 0; durable < 2; durable++) {
        const int before = files_in(folder);
        synced = 0;
        assert_true(qp_output_open(&output, in_folder("whole")));
        output.durable = durable;
        snprintf(part, sizeof part, "%s/whole.%ld-0.part", folder, (long)getpid());
        assert_string_equal(output.beside, part);
        assert_int_equal(files_in(folder), before + 1);
        fputs("text", output.file);
        assert_ok(qp_output_close(&output, NULL));
        assert_int_equal(synced, 2 * durable); /* the file, and its folder */
        assert_int_equal(files_in(folder), before + !durable);
        assert_true(stat(in_folder("whole"), &about) == 0 && about.st_size == 4);
    }
    assert_true(qp_output_open(&output, in_folder("whole")));
    fputs("longer text", output.file);
    const int files = files_in(folder);
    assert_int_equal(qp_output_close(&output, "it rains"), QP_BAD_INPUT);
    snprintf(sentence, sizeof sentence,
             "%s: cannot be written: it rains (check folder and disk space)", in_folder("whole"));
    assert_string_equal(qp_error(), sentence);
    assert_int_equal(files_in(folder), files - 1);
    assert_true(stat(in_folder("whole"), &about) == 0 && about.st_size == 4);
}

/* Parts that are there already are left to their owners; a name of the greatest length has room for
 * a part's end. */
TEST(parts_have_names_of_their_own)
{
    struct qp_output one, other;
    char name[NAME_MAX + 1], part[PATH_MAX];
    assert_true(qp_output_open(&one, in_folder("shared")));
    assert_true(qp_output_open(&other, in_folder("shared")));
    snprintf(part, sizeof part, "%s/shared.%ld-1.part", folder, (long)getpid());
    assert_string_equal(other.beside, part);
    assert_ok(qp_output_close(&one, NULL));
    assert_ok(qp_output_close(&other, NULL));
    memset(name, 'n', NAME_MAX);
    name[NAME_MAX] = '\0';
    assert_true(qp_output_open(&one, in_folder(name)));
    assert_int_equal(strlen(strrchr(one.beside, '/') + 1), NAME_MAX);
    assert_ok(qp_output_close(&one, NULL));
    assert_true(is_there(name));
    assert_false(qp_output_open(&one, in_folder("none/x")));
    assert_int_equal(qp_output_close(&one, NULL), QP_BAD_INPUT);
    support_assert_sentence("none/x: cannot be written: No such file or directory (check");
}

ADD_TEST(files_are_closed)

static int make_place(void **state)
{
    (void)state;
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_place(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

GROUP(make_place, remove_place)
