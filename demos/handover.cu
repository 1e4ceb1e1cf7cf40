/* SPDX-License-Identifier: MIT */
/* Times of handing textures from OpenGL to CUDA and back, each call alone: a Markdown table,
 * microseconds, medians. Mapping and unmapping have not done their work yet when they return, so
 * they are timed twice: until then, and until the other side has the data it waited for. */
#include <GL/glew.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <quadpass/cuda.h>
#include <quadpass/quadpass.h>

enum { REPEATS = 31, MOST = 12, SIZES = 3, COUNTS = 2 };

static const int sizes[SIZES] = {256, 1024, 4096}, counts[COUNTS] = {1, MOST};

/* The lines of the table. */
enum { REGISTER, MAP, MAPPED, UNMAP, UNMAPPED, DRAW, UNREGISTER, LINES };

static const char *const lines[LINES] = {"register",
                                         "map: the call",
                                         "map, and CUDA has waited",
                                         "unmap: the call",
                                         "unmap, and OpenGL has drawn",
                                         "OpenGL draws, nothing handed over",
                                         "unregister"};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *samples)
{
    qsort(samples, REPEATS, sizeof *samples, compare);
    return samples[REPEATS / 2];
}

/* Textures, the first of which can be drawn to, and CUDA's side of them. */
struct hands {
    struct qp_context *context;
    struct qp_shared *shared[MOST];
    GLuint texture_id[MOST], framebuffer_id;
    int count;
};

static void make_textures(struct hands *h, int size)
{
    glGenTextures(h->count, h->texture_id);
    for (int i = 0; i < h->count; i++) {
        glBindTexture(GL_TEXTURE_2D, h->texture_id[i]);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, size, size, 0, GL_RED, GL_FLOAT, NULL);
    }
    glGenFramebuffers(1, &h->framebuffer_id);
    glBindFramebuffer(GL_FRAMEBUFFER, h->framebuffer_id);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, h->texture_id[0],
                           0);
}

static void delete_textures(struct hands *h)
{
    glDeleteFramebuffers(1, &h->framebuffer_id);
    glDeleteTextures(h->count, h->texture_id);
}

static enum qp_status register_all(struct hands *h)
{
    enum qp_status status = QP_OK;
    for (int i = 0; i < h->count && status == QP_OK; i++) {
        struct qp_shared_desc desc = {};
        desc.texture = h->texture_id[i];
        desc.target = QP_2D;
        status = qp_shared_create(h->context, &desc, &h->shared[i]);
    }
    return status;
}

static void unregister_all(struct hands *h)
{
    for (int i = 0; i < h->count; i++)
        qp_shared_destroy(&h->shared[i]);
}

static void draw(void)
{
    glClear(GL_COLOR_BUFFER_BIT);
    glFinish();
}

/* Once there and back; times of each line in seconds. */
static enum qp_status hand_over(struct hands *h, double times[LINES])
{
    double begin = now();
    enum qp_status status = register_all(h);
    times[REGISTER] = now() - begin;
    draw();
    begin = now();
    if (status == QP_OK)
        status = qp_shared_map(h->shared, h->count, NULL);
    times[MAP] = now() - begin;
    cudaStreamSynchronize(NULL);
    times[MAPPED] = now() - begin;
    begin = now();
    if (status == QP_OK)
        status = qp_shared_unmap(h->shared, h->count, NULL);
    times[UNMAP] = now() - begin;
    draw();
    times[UNMAPPED] = now() - begin;
    begin = now();
    draw();
    times[DRAW] = now() - begin;
    begin = now();
    unregister_all(h);
    times[UNREGISTER] = now() - begin;
    return status;
}

static enum qp_status measure(struct hands *h, int size, double medians[LINES])
{
    static double samples[LINES][REPEATS];
    double times[LINES];
    make_textures(h, size);
    enum qp_status status = hand_over(h, times); /* the first time is slower */
    for (int k = 0; k < REPEATS && status == QP_OK; k++) {
        status = hand_over(h, times);
        for (int line = 0; line < LINES; line++)
            samples[line][k] = times[line];
    }
    for (int line = 0; line < LINES; line++)
        medians[line] = median(samples[line]);
    delete_textures(h);
    return status;
}

static void print_table(struct qp_context *context, double medians[SIZES][COUNTS][LINES])
{
    printf("| %s, microseconds |", qp_context_device(context)->renderer);
    for (int s = 0; s < SIZES; s++) {
        for (int c = 0; c < COUNTS; c++)
            printf(" %d of %d x %d |", counts[c], sizes[s], sizes[s]);
    }
    printf("\n| --- |");
    for (int k = 0; k < SIZES * COUNTS; k++)
        printf(" ---: |");
    for (int line = 0; line < LINES; line++) {
        printf("\n| %s |", lines[line]);
        for (int s = 0; s < SIZES; s++) {
            for (int c = 0; c < COUNTS; c++)
                printf(" %.1f |", 1e6 * medians[s][c][line]);
        }
    }
    putchar('\n');
}

int main(void)
{
    static double medians[SIZES][COUNTS][LINES];
    struct hands h = {};
    enum qp_status status = qp_context_create(NULL, &h.context);
    if (status == QP_OK)
        status = qp_cuda_use(h.context, NULL);
    if (status == QP_UNSUPPORTED || status == QP_NO_DEVICE) {
        printf("skipped: %s\n", qp_error());
        qp_context_destroy(&h.context);
        return 0;
    }
    for (int s = 0; s < SIZES && status == QP_OK; s++) {
        for (int c = 0; c < COUNTS && status == QP_OK; c++) {
            h.count = counts[c];
            status = measure(&h, sizes[s], medians[s][c]);
        }
    }
    if (status == QP_OK)
        print_table(h.context, medians);
    else
        fprintf(stderr, "%s\n", qp_error());
    qp_context_destroy(&h.context);
    return status == QP_OK ? 0 : 1;
}
