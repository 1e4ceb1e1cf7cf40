/* SPDX-License-Identifier: MIT */
/* A program that knows the library by dlopen alone, for test_host: reopen LIBRARY ROUNDS opens it,
 * walks on OpenMP's threads, and closes it, ROUNDS times; reopen LIBRARY fork reads a file and lets
 * a child walk. Exit code 0, or the number of what went wrong. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <quadpass/quadpass.h>

/* dlsym's answer is an object pointer, and ISO C knows no way from there to a function. */
#define FIND(library, function)                                     \
    __typeof__(&(function)) find_##function = NULL;                 \
    *(void **)(void *)&find_##function = dlsym(library, #function); \
    if (find_##function == NULL)                                    \
    return 2

static int walk(void *library)
{
    struct qp_problem_desc desc = {.width = 64, .height = 64};
    struct qp_walk_desc steps = {.iterations = 5};
    struct qp_problem problem;
    struct qp_result result;
    FIND(library, qp_problem_create);
    FIND(library, qp_problem_destroy);
    FIND(library, qp_variant_find);
    FIND(library, qp_walk);
    if (find_qp_problem_create(&desc, &problem) != QP_OK)
        return 3;
    enum qp_status status =
        find_qp_walk(NULL, find_qp_variant_find("openmp"), &problem, &steps, &result);
    find_qp_problem_destroy(&problem);
    return status == QP_OK && result.verdict == QP_PASS ? 0 : 4;
}

static int walk_in_child(void *library)
{
    struct qp_market a;
    int code = 0;
    FIND(library, qp_market_read);
    FIND(library, qp_market_destroy);
    if (find_qp_market_read(QP_SOURCE_DIR "/tests/support/faults.mtx", &a) != QP_OK)
        return 5;
    find_qp_market_destroy(&a);
    pid_t child = fork();
    if (child == 0)
        _exit(walk(library));
    return waitpid(child, &code, 0) == child && WIFEXITED(code) ? WEXITSTATUS(code) : 6;
}

int main(int count, char **words)
{
    if (count != 3)
        return 1;
    const int rounds = atoi(words[2]);
    for (int i = 0; i < rounds || i == 0; i++) {
        void *library = dlopen(words[1], RTLD_NOW);
        if (library == NULL) {
            fprintf(stderr, "round %d: %s\n", i + 1, dlerror());
            return 7;
        }
        int code = strcmp(words[2], "fork") == 0 ? walk_in_child(library) : walk(library);
        if (code != 0)
            return code;
        dlclose(library);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL); /* threads that spin go to sleep */
    }
    return 0;
}
