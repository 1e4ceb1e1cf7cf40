/* SPDX-License-Identifier: MIT */
/* Starts of the asynchronous kernels, of the variants and of generated programs, in their PTX: at
 * 64 x 8 a thread reads 12 words of u before the first barrier (generated: 11), its column and its
 * share of the fringe, as figures 17 to 20 have it, and 8 of f; and stores none before all are on
 * their way. */
#include "support/files.h"
#include "support/shell.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Shares of a fringe: below, above, and left or right, in two branches or one. */
enum { KERNELS = 4, UP = 8, SHARE = 4, GENERATED_SHARE = 3 };

/* A kernel before its first barrier: words loaded from u and f, and those of u after a store. */
struct start {
    int u, f, late;
};

static bool can_compile(void)
{
    if (access(QP_SOURCE_DIR "/src/lab/ops/poisson5/cuda/async.cu", R_OK) != 0)
        print_message("the sources are not here\n");
    else if (system("PATH=$PATH:/usr/local/cuda/bin command -v nvcc >/dev/null") != 0)
        print_message("there is no nvcc here\n");
    else
        return true;
    return false;
}

static char *read_whole(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = slurp(file);
    fclose(file);
    return text;
}

/* A change of the source, the first after some words, and what is then counted. */
struct mutant {
    int which;
    const char *after, *old, *instead;
    struct start wanted;
};

/* The text with a change; frees the old one. */
static char *mutate(char *text, const struct mutant *m)
{
    char *changed, *place = strstr(text, m->after);
    place = place != NULL ? strstr(place, m->old) : NULL;
    if (place == NULL)
        fail_msg("no '%s' after '%s'", m->old, m->after);
    *place = '\0';
    assert_true(asprintf(&changed, "%s%s%s", text, m->instead, place + strlen(m->old)) > 0);
    free(text);
    return changed;
}

/* The PTX of async.cu with these changes; the caller frees it. */
static char *compile(const struct mutant *mutants, int count)
{
    char command[1024], path[128],
        *text = read_whole(QP_SOURCE_DIR "/src/lab/ops/poisson5/cuda/async.cu");
    for (int k = 0; k < count; k++)
        text = mutate(text, &mutants[k]);
    write_file("async.cu", text);
    free(text);
    snprintf(command, sizeof command,
             "cd %s && PATH=$PATH:/usr/local/cuda/bin nvcc -std=c++20 -O3 -ptx -I" QP_SOURCE_DIR
             "/include -I" QP_SOURCE_DIR "/src async.cu -o async.ptx",
             folder);
    if (shell(command) != 0)
        fail_msg("async.cu cannot be compiled:\n%s", output);
    snprintf(path, sizeof path, "%s/async.ptx", folder);
    return read_whole(path);
}

/* Words of a line's load from device memory, with .v2 and .v4. */
static int words_of(const char *line)
{
    return strstr(line, ".v4") != NULL ? 4 : strstr(line, ".v2") != NULL ? 2 : 1;
}

/* Loads of u are volatile, for others write it; those of f are not. */
static void count_line(const char *line, bool *stored, struct start *out)
{
    *stored |= strstr(line, "st.shared") != NULL || strstr(line, "st.volatile.shared") != NULL;
    if (strstr(line, "ld.volatile.global") != NULL) {
        out->u += words_of(line);
        out->late += *stored ? words_of(line) : 0;
    } else if (strstr(line, "ld.global") != NULL) {
        out->f += words_of(line);
    }
}

/* The text of a kernel, by a part of its name. */
static const char *find_kernel(const char *ptx, const char *name)
{
    const char *line = ptx;
    do {
        line = strstr(line + 1, ".entry");
        assert_non_null(line);
    } while (memmem(line, strcspn(line, "("), name, strlen(name)) == NULL);
    return line;
}

static struct start count_start(const char *line)
{
    struct start out = {0};
    bool stored = false;
    while (true) {
        char words[256];
        snprintf(words, sizeof words, "%.*s", (int)strcspn(line, "\n"), line);
        if (strstr(words, "bar.sync") != NULL || strstr(words, "barrier.sync") != NULL)
            return out;
        count_line(words, &stored, &out);
        line = strchr(line, '\n');
        assert_non_null(line);
        line++;
    }
}

static struct start count_row(const char *ptx, int which, int up)
{
    char name[32];
    snprintf(name, sizeof name, "asyncILi%dELi%dE", which, up);
    return count_start(find_kernel(ptx, name));
}

/* A store before the loads are under way, which makes them wait, counts as a fault. */
CLEAN_TEST(starts_read_what_their_figures_read)
{
    if (!can_compile())
        skip();
    char *ptx = compile(NULL, 0);
    for (int which = 0; which < KERNELS; which++) {
        for (int up = 4; up <= 32; up *= 2) {
            const struct start start = count_row(ptx, which, up);
            if (start.u != up + SHARE || start.f != up || start.late != 0)
                fail_msg("async%d at 64 x %d: %d words of u, %d of them after a store, %d of f",
                         which, up, start.u, start.late, start.f);
        }
    }
    free(ptx);
}

/* A change that leaves out higher blocks, which take longest to be compiled. */
#define LOW_BLOCKS_ALONE                                                   \
    {                                                                      \
        .after = "enum qp_status choose(",                                 \
        .old = "    case 16:\n        return start<WHICH, 16>(l, out);\n"  \
               "    case 32:\n        return start<WHICH, 32>(l, out);\n", \
        .instead = ""                                                      \
    }

/* A second fetch is found: of the fringe, of the whole block, and one that stores come before. */
CLEAN_TEST(second_fetches_are_counted)
{
    static const struct mutant mutants[] = {
        {0, "void async0(", "put(b, fringe, b2)", "put(b, fetch_fringe(b), b2)", {16, 8, 4}},
        {1, "void async1(", "put(b, c, b2)", "put(b, fetch_unknowns(b), b2)", {20, 8, 8}},
        {3, "void async3(", "put(b, fringe, only)", "put(b, fetch_fringe(b), only)", {16, 8, 4}},
        LOW_BLOCKS_ALONE,
    };
    if (!can_compile())
        skip();
    char *ptx = compile(mutants, COUNT(mutants));
    for (int k = 0; k < COUNT(mutants) - 1; k++) {
        const struct start got = count_row(ptx, mutants[k].which, UP), *wanted = &mutants[k].wanted;
        if (got.u != wanted->u || got.f != wanted->f || got.late != wanted->late)
            fail_msg("'%s' for '%s': %d words of u, %d of them after a store, %d of f",
                     mutants[k].instead, mutants[k].old, got.u, got.late, got.f);
    }
    free(ptx);
}

/* ---- Generated programs ---- */

/* The PTX of a generated program, of which a change of sed's is made; the caller frees it. */
static char *compile_generated(int which, const char *edit)
{
    char command[1024], path[128];
    snprintf(
        command, sizeof command,
        "cd %s && rm -rf out && (echo '//@ sync async%d'; cat mean.txt) >mean.frag && quadpass "
        "generate mean.frag --target cuda -o out && cd out/cuda && sed -i '%s' block.cuh && "
        "PATH=$PATH:/usr/local/cuda/bin nvcc -std=c++17 -ftz=true -O3 -ptx steps.cu -o k.ptx",
        folder, which, edit);
    if (shell(command) != 0)
        fail_msg("async%d cannot be compiled:\n%s", which, output);
    snprintf(path, sizeof path, "%s/out/cuda/k.ptx", folder);
    return read_whole(path);
}

static int count_words(const char *text, const char *end, const char *word)
{
    int times = 0;
    while ((text = strstr(text, word)) != NULL && text < end) {
        text += strlen(word);
        times++;
    }
    return times;
}

/* Facts of one kernel: its start; barriers of a launch whose steps are a loop; and that f is read
 * once, nothing is spilled, and Async 3 has one block of shared memory. */
static void check_generated(const char *ptx, int which, int up)
{
    static const int barriers[KERNELS] = {4, 2, 2, 1};
    char name[32], bytes[32];
    snprintf(name, sizeof name, "launch_%d", up);
    snprintf(bytes, sizeof bytes, "shared[%d]", (which == 3 ? 1 : 2) * (up + 2) * 66 * 4);
    const char *text = find_kernel(ptx, name), *end = strstr(text, "\n}");
    const struct start start = count_start(text);
    if (start.u != up + GENERATED_SHARE || start.f != up || start.late != 0)
        fault("async%d, generated, at 64 x %d: %d words of u, %d of them after a store, %d of f\n",
              which, up, start.u, start.late, start.f);
    const int waits = count_words(text, end, "bar.sync") + count_words(text, end, "barrier.sync"),
              reads = count_words(text, end, "ld.global");
    if (waits != barriers[which] || reads != up || count_words(text, end, ".local") > 0 ||
        strstr(ptx, bytes) == NULL)
        fault("async%d, generated, at 64 x %d: %d barriers, %d words of f\n", which, up, waits,
              reads);
}

CLEAN_TEST(generated_programs_start_as_rows_do)
{
    if (!can_compile())
        skip();
    write_file("mean.txt", "//@ input f=gradient\nfloat kernel(vec2 here)\n{\n    return 0.25 * "
                           "(x_at(-1.0, 0.0) + x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0) + "
                           "f_at(0.0, 0.0));\n}\n");
    faults = 0;
    for (int which = 0; which < KERNELS; which++) {
        char *ptx = compile_generated(which, "");
        for (int up = 4; up <= 32; up *= 2)
            check_generated(ptx, which, up);
        free(ptx);
    }
    assert_int_equal(faults, 0);
    char *ptx = compile_generated(3, "s/put(&b, f, from, t)/put(\\&b, fetch_fringe<UP>(\\&b, t), "
                                     "from, t)/");
    const struct start late = count_start(find_kernel(ptx, "launch_8"));
    assert_int_equal(late.late, GENERATED_SHARE);
    free(ptx);
}

GROUP(make_folder, remove_folder)
