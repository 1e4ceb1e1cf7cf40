/* SPDX-License-Identifier: MIT */
/* Exercises: each start fails, each answer passes, and wrong answers fail with the sentences that
 * their pages promise and are recognised. A passing answer's mutants are noticed, nine of ten, or
 * its judge fails. */
#include "support/alive.h"
#include "support/files.h"
#include "support/once.h"
#include "support/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Judgements ---- */

/* Judges a file as `make exercise` does, for its exit code, in a copy of the exercises. */
static int judge_by(const char *build, const char *name, const char *file)
{
    char command[1024];
    snprintf(command, sizeof command,
             "cd '%s' && FIXED=1 QUADPASS_DEVICE=llvmpipe tools/exercise.sh %s '%s' '%s' 2>&1",
             folder, build, name, file);
    return shell(command);
}

static int judge(const char *name, const char *file)
{
    return judge_by(QP_BUILD_DIR, name, file);
}

/* The same by the process, and after a code that no judge gives by another one. */
static int judge_once(const char *name, const char *file)
{
    const int code = judge_by(ends_with(file, ".frag") ? ALIVE : QP_BUILD_DIR, name, file);
    if (code > 2) {
        const int status = end_alive();
        if (status != 0)
            fault("%s: the command ended by %s\n", file,
                  WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "itself");
        start_alive();
    }
    return code;
}

/* The sentences have values of llvmpipe, whose roundings other drivers need not have. */
static void need_llvmpipe(void)
{
    static bool found;
    need_gl();
    found = found || shell("QUADPASS_DEVICE=llvmpipe quadpass info") == 0;
    if (!found)
        skip();
}

/* The sentence that a page promises of a wrong answer: in backticks, after the link to its file. */
static char *promised(const char *page, const char *file)
{
    char link[64];
    snprintf(link, sizeof link, "](%s)", file);
    const char *from = strstr(page, link);
    from = from != NULL ? strchr(from, '`') : NULL;
    return from != NULL ? strndup(from + 1, strcspn(from + 1, "`\n")) : NULL;
}

/* The judge says the sentence that a wrong answer has in a line `Known:`. */
static void is_recognised(const char *path)
{
    char *sentence = NULL;
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = slurp(file);
    const char *known = strstr(text, "Known: ");
    if (known != NULL) {
        const size_t length = strcspn(known, "\n*"); /* up to a comment's end, and its blank */
        sentence = strndup(known, length - (known[length] == '*'));
    }
    if (sentence == NULL)
        fault("%s has no line 'Known: ...'\n", path);
    else if (strstr(output, sentence) == NULL)
        fault("%s is not recognised by '%s':\n%s", path, sentence, output);
    free(sentence);
    free(text);
    fclose(file);
}

static void wrong_answer_fails(const char *name, const char *page, const char *path)
{
    const char *file = strrchr(path, '/') + 1;
    char *sentence = promised(page, file);
    const int code = judge_once(name, path);
    if (code != 1 && code != 2)
        fault("%s is not judged wrong, but with exit code %d:\n%s", path, code, output);
    else if (sentence == NULL || sentence[0] == '\0')
        fault("%s: the page promises no sentence after a link to it\n", path);
    else if (strstr(output, sentence) == NULL)
        fault("%s: the page promises '%s', and this is said:\n%s", path, sentence, output);
    else if (code == 1)
        is_recognised(path);
    free(sentence);
}

/* A right answer has a picture where the reference says of what, and the next exercise is named. */
static void is_rewarded(const char *name)
{
    char command[256];
    if (count(" are done; next: make exercise NAME=") != 1 || count("Known") != 0)
        fault("%s: no next exercise is named:\n%s", name, output);
    const int pictures = count("a picture by your kernel: build/exercises/");
    snprintf(command, sizeof command,
             "cd '%s' && grep -qs 'Picture by' docs/exercises/%s/reference.c", folder, name);
    if (pictures != (shell(command) == 0))
        fault("%s: its reference asks for a picture, and there is none, or of one colour\n", name);
}

static void exercise_holds(const char *path, const char *page)
{
    char name[64], file[512];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(path + strlen("docs/exercises/"), "/"),
             path + strlen("docs/exercises/"));
    snprintf(file, sizeof file, "docs/exercises/%s/start.frag", name);
    const char *kind = access(file, R_OK) == 0 ? "frag" : "c";
    for (int k = 0; k < 5; k++) {
        static const char *const files[] = {"start", "answer", "wrong-1", "wrong-2", "wrong-3"};
        snprintf(file, sizeof file, "docs/exercises/%s/%s.%s", name, files[k], kind);
        if (k > 1) {
            wrong_answer_fails(name, page, file);
            continue;
        }
        const int code = judge_once(name, file);
        if (code != 1 - k)
            fault("%s: exit code %d\n%s", file, code, output);
        if (k == 1)
            is_rewarded(name);
    }
}

TEST(exercises_hold)
{
    need_llvmpipe();
    start_alive();
    each_file("docs/exercises/*/README.md", 3, exercise_holds);
    wrong_answer_fails("shift", "[a](answer.frag): `cell`", "docs/exercises/shift/answer.frag");
    assert_int_equal(faults, 1);
    wrong_answer_fails("shift", "[a](wrong-1.frag): `cell (5, 3) is 1`",
                       "docs/exercises/shift/wrong-1.frag");
    assert_int_equal(faults, 2);
    wrong_answer_fails("shift", "", "docs/exercises/shift/wrong-1.frag");
    assert_int_equal(faults, 3);
    is_recognised("docs/exercises/shift/wrong-1.frag");
    assert_int_equal(faults, 3);
    is_recognised("docs/exercises/shift/wrong-2.frag"); /* another one */
    is_recognised("docs/exercises/shift/start.frag");   /* without a line */
    assert_int_equal(faults, 5);
    kill_alive();
    for (int k = 0; k < 2; k++) { /* named by both checks, and judged by the next process */
        wrong_answer_fails("shift", "[a](wrong-1.frag): `cell (5, 3) is 0`",
                           "docs/exercises/shift/wrong-1.frag");
        assert_int_equal(faults, 7);
    }
    assert_int_equal(end_alive(), 0);
}

/* The table of the page names each folder, and so does the list. */
static void is_listed(const char *path, const char *page)
{
    char line[64];
    (void)page;
    snprintf(line, sizeof line, "%.*s ", (int)strcspn(path + strlen("docs/exercises/"), "/"),
             path + strlen("docs/exercises/"));
    if (count(line) == 0)
        fault("make exercise does not list %s\n", line);
}

TEST(exercises_are_listed)
{
    assert_int_equal(judge("", ""), 0);
    each_file("docs/exercises/*/README.md", 23, is_listed);
    assert_int_equal(count(" of 23 are done; next: make exercise NAME="), 1);
}

/* Short ones come first. */
static void table_is_sorted(const char *path, const char *page)
{
    int last = 0, minutes = 0, lines = 0;
    for (const char *at = page; (at = strstr(at, "/README.md) | ")) != NULL; at++, lines++) {
        if (sscanf(at, "/README.md) | %d min |", &minutes) != 1 || minutes < last)
            fault("%s: the table is not sorted by minutes at %.40s\n", path, at);
        last = minutes;
    }
    assert_int_equal(lines, 23);
}

TEST(short_exercises_come_first)
{
    each_file("docs/exercises/README.md", 1, table_is_sorted);
}

/* Exercises that are done are kept, but for given answers; nothing fails where that is broken. */
TEST(what_is_done_is_kept)
{
    need_llvmpipe();
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(shell("rm -rf build && cp docs/exercises/shift/answer.frag own.frag"), 0);
    assert_int_equal(judge("shift", "docs/exercises/shift/answer.frag"), 0);
    assert_int_equal(count("0 of 23 are done; next: make exercise NAME=wrap "), 1);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(judge("shift", "own.frag"), 0);
        assert_int_equal(count("1 of 23 are done; next: make exercise NAME=wrap "), 1);
        assert_int_equal(count("the test would catch each of 6 mistakes planted in your kernel"),
                         1);
    }
    assert_int_equal(judge("", ""), 0);
    assert_int_equal(count("done  shift "), 1);
    assert_int_equal(shell("printf 'wrap\\nwrap\\nnothing\\001' >build/exercises/done"), 0);
    assert_int_equal(judge("", ""), 0);
    assert_int_equal(count("1 of 23 are done; next: make exercise NAME=shift "), 1);
    assert_int_equal(shell("rm build/exercises/done && mkdir build/exercises/done"), 0);
    assert_int_equal(judge("shift", "own.frag"), 0);
    assert_int_equal(count("shift: right\n0 of 23 are done; next: "), 1);
    assert_int_equal(shell("rm -r build && touch build"), 0);
    assert_int_equal(judge("shift", "own.frag"), 0);
    assert_int_equal(count("shift: right\n0 of 23 are done; next: "), 1);
    assert_int_equal(shell("rm build"), 0);
}

TEST(bad_names_are_refused)
{
    assert_int_equal(judge("shft", ""), 2);
    assert_string_equal(output,
                        "exercise: there is no exercise 'shft'; 'make exercise' lists them\n");
    assert_int_equal(judge("../papers", ""), 2);
    assert_int_equal(judge("shift", "nothing.frag"), 2);
    assert_string_equal(output, "exercise: there is no file 'nothing.frag'; an answer begins as a "
                                "copy of docs/exercises/shift/start.frag\n");
    assert_int_equal(judge("shift", "docs/exercises/README.md"), 2);
    assert_string_equal(output, "exercise: 'docs/exercises/README.md' is no answer to 'shift'; "
                                "that is a file whose name ends in .frag\n");
    assert_int_equal(judge("", "mine.frag"), 2);
    assert_string_equal(output, "exercise: mine.frag is an answer to which exercise? give its "
                                "NAME, too\n");
}

/* The first call makes a copy, which is wrong; an answer that does not compile is no wrong one. */
TEST(starts_are_copied)
{
    need_llvmpipe();
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(judge("shift", ""), 1);
    assert_int_equal(count("docs/exercises/shift/mine.frag is now a copy of the start"), 1);
    assert_int_equal(shell("cp docs/exercises/shift/answer.frag docs/exercises/shift/mine.frag"),
                     0);
    assert_int_equal(judge("shift", ""), 0);
    assert_int_equal(count("now a copy"), 0);
    assert_int_equal(count("shift: right\n"), 1);
    assert_int_equal(shell("sed 's/x_at(.*/x_at(0.0;/' docs/exercises/shift/start.frag "
                           ">broken.frag"),
                     0);
    assert_int_equal(judge("shift", "broken.frag"), 2);
    assert_int_equal(count("broken.frag:10: "), 1);
}

/* Questions stay what they are, and a judge that goes by the number of the step needs that in the
 * text: without it each step would be judged as the first. */
TEST(other_questions_are_refused)
{
    need_llvmpipe();
    assert_int_equal(chdir(folder), 0);
    assert_int_equal(shell("cd docs/exercises/prefix && sed '/@ steps/s/4/1/' answer.frag "
                           ">../../../few.frag && sed 's/exp2.*/1.0; \\/\\/ step_number/' "
                           "answer.frag >../../../-x.frag && sed '1s,^,//@\ttolerance\t0.9\\n,' "
                           "answer.frag >../../../loose.frag"),
                     0);
    assert_int_equal(judge("prefix", "loose.frag"), 1); /* by tabs */
    assert_int_equal(count("leave size, steps, input and numbers as they are there\n"), 1);
    assert_int_equal(shell("sed '2i //@ outside wrap' docs/exercises/wrap/start.frag >round.frag"),
                     0);
    assert_int_equal(judge("wrap", "round.frag"), 1);
    assert_int_equal(count("do without the line //@ outside wrap\n"), 1);
    assert_int_equal(judge("prefix", "few.frag"), 1);
    assert_int_equal(count("leave size, steps, input and numbers as they are there\n"), 1);
    assert_int_equal(judge("prefix", "-x.frag"), 1); /* no option of grep's */
    assert_int_equal(count("the judge finds step_number through your text"), 1);
    assert_int_equal(count("right"), 0);
}

static int copy_exercises(void **state)
{
    if (make_folder(state) != 0 || chdir(folder) != 0 || compile_once(folder) != 0)
        return -1;
    return shell("mkdir docs && cp -r " QP_SOURCE_DIR "/docs/exercises docs && "
                 "rm -f docs/exercises/*/mine.* && "
                 "ln -s " QP_SOURCE_DIR "/include " QP_SOURCE_DIR "/tools .");
}

GROUP(copy_exercises, remove_folder)
