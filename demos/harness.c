/* SPDX-License-Identifier: MIT */
/* Harnesses such as many projects have, which docs/judge.md is about: demos/judge/walls.frag is
 * wrong, and all three pass it. harness KERNEL.frag KEPT draws one step of a kernel; the file KEPT
 * is written where it is not there yet. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <quadpass/quadpass.h>

enum { MOST = 100 * 75 };

static struct qp_context *gpu;
static struct qp_kernel_file *file;
static struct qp_kernel *kernel;
static float x[MOST], got[MOST], want[MOST];

static void stop(void)
{
    fprintf(stderr, "%s\n", qp_error());
    exit(2);
}

/* A step of the kernel, from x to `got`. */
static void draw(int width, int height)
{
    const struct qp_array_desc desc = {.width = width, .height = height};
    struct qp_array *before = NULL, *after = NULL;
    if (qp_array_create(gpu, &desc, x, &before) || qp_array_create(gpu, &desc, NULL, &after) ||
        qp_pass_run(&(struct qp_pass){kernel, {{"x", before}}, .output = {after}}) ||
        qp_array_read(after, NULL, got, 0))
        stop();
    qp_array_destroy(&before);
    qp_array_destroy(&after);
}

/* The same step in plain C, from x to `want`. */
static void compute(int width, int height)
{
    for (int i = 0; i < width * height; i++) {
        const float left = i % width > 0 ? x[i - 1] - x[i] : 0.0f,
                    right = i % width < width - 1 ? x[i + 1] - x[i] : 0.0f;
        want[i] = x[i] + 0.25f * (left + right);
    }
}

/* Random values from 0 to this, the same in each run. */
static void fill(float most)
{
    srand(1);
    for (int i = 0; i < MOST; i++)
        x[i] = most * (float)rand() / (float)RAND_MAX;
}

static bool is_close(void)
{
    bool close = true;
    fill(0.01f);
    draw(100, 75);
    compute(100, 75);
    for (int i = 0; i < 100 * 75; i++)
        close = close && fabsf(got[i] - want[i]) <= 0.01f + 0.01f * fabsf(want[i]);
    return close;
}

static bool is_right_at_64(void)
{
    bool right = true;
    fill(1.0f);
    draw(64, 64);
    compute(64, 64);
    for (int i = 0; i < 64 * 64; i++)
        right = right && fabsf(got[i] - want[i]) <= 1e-6f;
    return right;
}

static bool is_as_before(const char *path)
{
    FILE *kept = fopen(path, "a+b");
    fill(1.0f);
    draw(100, 75);
    if (kept == NULL)
        return false;
    rewind(kept);
    const bool is_known = fread(want, sizeof want, 1, kept) == 1;
    rewind(kept);
    if (!is_known)
        fwrite(memcpy(want, got, sizeof want), sizeof want, 1, kept);
    fclose(kept);
    return memcmp(got, want, sizeof want) == 0;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return fprintf(stderr, "harness KERNEL.frag KEPT\n"), 2;
    if (qp_context_create(NULL, &gpu) || qp_kernel_read(argv[1], &file) ||
        qp_kernel_create(gpu, &file->desc, &kernel))
        stop();
    const bool passes[] = {is_close(), is_right_at_64(), is_as_before(argv[2])};
    printf("1. close, by a usual tolerance: %s\n2. right at 64 x 64:            %s\n"
           "3. as it was before:            %s\n",
           passes[0] ? "pass" : "FAIL", passes[1] ? "pass" : "FAIL", passes[2] ? "pass" : "FAIL");
    qp_kernel_destroy(&kernel);
    qp_kernel_file_destroy(&file);
    qp_context_destroy(&gpu);
    return !(passes[0] && passes[1] && passes[2]);
}
