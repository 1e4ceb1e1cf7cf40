/* SPDX-License-Identifier: MIT */
/* Lists of variants to the letter: the short one, one by one, as a table, and as records. */
/* wrap: fake_*s.c */
#include "support/fake_runs.h"

#include <stdio.h>
#include <string.h>

#include "lab/ops/table.h"
#include "tools/cmd/cmd.h"

static void list(const char *line)
{
    fake_append(command_run, line);
}

TEST(lists)
{
    list("list --problem kinetics");
    list("list --problem copy");
    list("list --problem kinetics --long");
    list("list jacobi9/rgba gauss_jordan/sgesv jacobi9/amorim_cpu blend_elimination_pivoted");
    list("list --variant luminance_half");
    list("list --markdown jacobi9/rgba gauss_jordan/loop");
    list("list jacobi9/rgba gauss_jordan/loop gauss_jordan/sgesv --csv -");
    list("list jacobi9/rgba --json -");
    list("list jacobi9/rgba --problem sum");
    fake_compare_all("list");
}

/* The papers' own names lead to the variants, whatever their case. No other command takes texts. */
TEST(names_of_papers)
{
    static const char *const names[][2] = {{"CUDA_Simple", "jacobi9/cuda_simple"},
                                           {"CUDA_Aligned", "jacobi9/cuda_aligned"},
                                           {"CUDA_2D", "jacobi9/cuda_2d"},
                                           {"CUDA_Shared", "jacobi9/cuda_shared"},
                                           {"CUDA_Texture", "jacobi9/cuda_texture"},
                                           {"OGL_Luminance", "jacobi9/luminance"},
                                           {"OGL_RGBA", "jacobi9/rgba"},
                                           {"MATLAB", "gauss_jordan/sgesv"},
                                           {"AlwaysCache", "gauss_jordan/branched_alwayscache"},
                                           {"row to texture quad", "gauss_jordan/quads_targets"},
                                           {"implementation 5", "reduce/cuda_unrolled_warp"},
                                           {"Implementation 7", "reduce/cuda_cascaded"},
                                           {"log2 n launches", "reduce/cuda_naive"},
                                           {"bank conflict", "access/cuda_shared_padded"},
                                           {"TunedSync", "poisson5/cuda_tuned_sync"},
                                           {"tunedsync", "poisson5/cuda_tuned_sync_waits"},
                                           {"Pthreads", "poisson5/threads"},
                                           {"NUMA", "poisson5/threads_numa"},
                                           {"Async 3", "poisson5/cuda_async3"},
                                           {"several GPUs", "poisson5/parts_cuda"}};
    char list[] = "list", check[] = "check", *words[] = {list}, *other[] = {check};
    for (int i = 0; i < COUNT(names); i++) {
        struct options options = {.command = command_find(command_rows, 1, words),
                                  .word_count = 1,
                                  .words = {names[i][0]}};
        const struct qp_variant *variants[MOST_VARIANTS];
        bool found = false;
        for (int k = cmd_select(&options, variants); k > 0; k--)
            found = found || strcmp(variants[k - 1]->name, names[i][1]) == 0;
        if (!found)
            fail_msg("list '%s' does not show %s", names[i][0], names[i][1]);
        options.command = command_find(command_rows, 1, other);
        assert_int_equal(cmd_select(&options, variants) > 0, strncmp(names[i][0], "CUDA_", 5) == 0);
    }
}

static int count_words(const char *line)
{
    int words = 0;
    for (; *line != '\n'; line++)
        words += line[0] == ' ' && line[1] != ' ' && line[1] != '\n';
    return words;
}

/* Names of an operation take as few lines as their columns allow, none of them too long. */
TEST(columns_are_full)
{
    const char *at = fake_command(command_run, "list");
    int operations = 0, names;
    for (; sscanf(at, "%*[^,], %d variants:", &names) == 1; operations++) {
        int lines = 0, columns = 0, listed = 0;
        for (at = strchr(at, '\n') + 1; *at != '\n'; at = strchr(at, '\n') + 1) {
            const int words = count_words(at);
            assert_in_range(strcspn(at, "\n"), 3, 98);
            columns = words > columns ? words : columns;
            listed += words;
            lines++;
        }
        at++;
        assert_int_equal(listed, names);
        assert_int_equal(lines, (names - 1) / columns + 1);
    }
    assert_true(operations > 0 && qp_op_at((size_t)operations) == NULL);
}

static void all_commands(void)
{
    fake_command(command_run, "list --long jacobi9 --json -");
    fake_command(command_run, "list --kinds --csv -");
    fake_command(command_run, "list --markdown");
    fake_command(command_run, "shaders jacobi9/*");
}

TEST(nothing_is_left)
{
    fake_leaves_nothing(all_commands);
}
