/* SPDX-License-Identifier: MIT */
/* The program of a folder's tests: PROGRAM [WORD...]. A WORD is a file, a test or FILE/TEST, the
 * latter with the shell's wildcards; without one all tests run. A link to the program that has a
 * file's name runs the tests of that file. Each file has a process of its own; a test that ends it
 * is named, and the tests after it run in another. A test that is asked for by its name runs in
 * this process, for a debugger. */
#include "support/support.h"

#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 2000 };

static struct support_test *tests[MOST];
static struct support_group *groups;
static struct support_scene *scenes;
static int count;

/* The tests that run now, how many they are, and the number of the one in progress, in memory that
 * processes share: one less than the first in the set-up of the file, chosen_count when all ran. */
static struct CMUnitTest chosen[MOST];
static CMFixtureFunction set_ups[MOST];
static int chosen_count;
static volatile int *running;

void support_add_test(struct support_test *test)
{
    if (count == MOST)
        abort();
    tests[count++] = test;
}

void support_add_group(struct support_group *group)
{
    struct support_group **place = &groups;
    while (*place != NULL && (*place)->line < group->line)
        place = &(*place)->next;
    group->next = *place;
    *place = group;
}

void support_add_scene(struct support_scene *scene)
{
    scene->next = scenes;
    scenes = scene;
}

/* By file, then by line: constructors run in an order that the compiler chooses. */
static int compare(const void *a, const void *b)
{
    const struct support_test *one = *(struct support_test *const *)a,
                              *other = *(struct support_test *const *)b;
    const int files = strcmp(one->file, other->file);
    return files != 0 ? files : one->line - other->line;
}

/* "test_exact" of tests/ops/reduce/test_exact.c. */
static void name_file(const char *path, char name[64])
{
    const char *base = strrchr(path, '/');
    base = base != NULL ? base + 1 : path;
    snprintf(name, 64, "%.*s", (int)strcspn(base, "."), base);
}

static bool matches(const struct support_test *test, const char *word)
{
    char file[64], whole[256];
    name_file(test->file, file);
    snprintf(whole, sizeof whole, "%s/%s", file, test->test.name);
    return fnmatch(word, test->test.name, 0) == 0 || fnmatch(word, whole, 0) == 0;
}

static bool is_file(const char *word)
{
    char file[64];
    bool found = false;
    for (int k = 0; k < count && !found; k++) {
        name_file(tests[k]->file, file);
        found = strcmp(word, file) == 0;
    }
    return found;
}

static bool is_wanted(const struct support_test *test, const char *only, char **words)
{
    char file[64];
    name_file(test->file, file);
    if (only != NULL && strcmp(file, only) != 0)
        return false;
    bool wanted = words[0] == NULL;
    for (; *words != NULL && !wanted; words++)
        wanted = strcmp(*words, file) == 0 || matches(test, *words);
    return wanted;
}

/* Each test begins here. */
static int note(void **state)
{
    const int k = ++*running;
    return set_ups[k] != NULL ? set_ups[k](state) : 0;
}

/* Takes wanted tests of the file of tests[first]; the answer is where the next file begins. */
static int choose(int first, const char *only, char **words)
{
    int k = first;
    chosen_count = 0;
    for (; k < count && strcmp(tests[k]->file, tests[first]->file) == 0; k++) {
        if (!is_wanted(tests[k], only, words))
            continue;
        chosen[chosen_count] = tests[k]->test;
        set_ups[chosen_count] = tests[k]->test.setup_func;
        chosen[chosen_count++].setup_func = note;
    }
    return k;
}

/* Runs chosen tests from number `from` on; the answer is how many failed. */
static int run(const char *path, const struct support_group *group, int from)
{
    char file[64];
    name_file(path, file);
    *running = from - 1;
    const int failed = _cmocka_run_group_tests(file, chosen + from, (size_t)(chosen_count - from),
                                               group->set_up, group->tear_down);
    *running = chosen_count;
    return failed;
}

/* Names the test that ended its process; the answer is its number, or `from` - 1 for the set-up. */
static int name_end(int status, int from)
{
    const int last = *running;
    print_message("[  FAILED  ] 1 test(s), listed below:\n[  FAILED  ] %s: ",
                  last < from ? "set-up" : chosen[last].name);
    if (WIFSIGNALED(status))
        print_message("ended by signal %d (%s)\n", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        print_message("ended its process with code %d\n", WEXITSTATUS(status));
    return last;
}

/* Runs chosen tests in a process of their own, and in another those after a test that ended it. */
static bool run_apart(const char *path, const struct support_group *group)
{
    int from = 0, status;
    bool passed = true;
    while (from < chosen_count) {
        fflush(NULL);
        *running = from - 1;
        const pid_t child = fork();
        if (child == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            exit(run(path, group, from) != 0);
        }
        if (child < 0 || waitpid(child, &status, 0) != child)
            return perror("fork"), false;
        passed = passed && status == 0 && *running == chosen_count;
        if (*running == chosen_count)
            break;
        const int last = name_end(status, from);
        if (last < from)
            break;
        from = last + 1;
    }
    return passed;
}

static bool names_a_test(char **words)
{
    while (*words != NULL && is_file(*words))
        words++;
    return *words != NULL;
}

/* Runs chosen tests once in each group of their file. */
static bool run_groups(const char *path, bool apart)
{
    static const struct support_group none;
    bool passed = true, grouped = false;
    for (const struct support_group *group = groups; group != NULL; group = group->next) {
        if (strcmp(group->file, path) != 0)
            continue;
        grouped = true;
        passed &= apart ? run_apart(path, group) : run(path, group, 0) == 0;
    }
    if (!grouped)
        passed = apart ? run_apart(path, &none) : run(path, &none, 0) == 0;
    return passed;
}

int main(int argc, char **argv)
{
    char self[64];
    bool passed = true, ran = false;
    for (struct support_scene *scene = scenes; argc > 1 && scene != NULL; scene = scene->next)
        if (strcmp(scene->name, argv[1]) == 0)
            return scene->play(argv + 2);
    running =
        mmap(NULL, sizeof *running, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (running == MAP_FAILED)
        return perror("mmap"), 1;
    name_file(argv[0], self);
    const char *only = is_file(self) ? self : NULL;
    qsort(tests, (size_t)count, sizeof tests[0], compare);
    for (int k = 0, next; k < count; k = next) {
        next = choose(k, only, argv + 1);
        ran = ran || chosen_count != 0;
        if (chosen_count != 0)
            passed &= run_groups(tests[k]->file, !names_a_test(argv + 1));
    }
    if (!ran)
        print_error("%s: no test has such a name\n", self);
    return passed && ran ? 0 : 1;
}
