/* SPDX-License-Identifier: MIT */
#include "support/devices.h"

#include <stdlib.h>
#include <string.h>

#include "cuda/device.h"
#include "cuda/streams.h"
#include "engines/choose.h"
#include "plan/problem.h"

atomic_int devices_launches;

/* What a launch asks of its stream. */
struct sweep {
    const float *x, *rhs;
    float *out, weight;
    int width, height, pitch, rhs_pitch, spike_x, spike_y, steps;
};

static void step(const struct sweep *s, const float *x, float *out)
{
    for (int j = 0; j < s->height; j++) {
        for (int i = 0; i < s->width; i++) {
            const float *at = x + (long)j * s->pitch + i;
            const float side = s->rhs != NULL ? s->rhs[(long)j * s->rhs_pitch + i]
                                              : (float)(i == s->spike_x && j == s->spike_y);
            const float t =
                ((at[-1] + at[1]) + (at[-(long)s->pitch] + at[s->pitch]) + side) * 0.25f;
            out[(long)j * s->pitch + i] = s->weight == 1.0f ? t : at[0] + s->weight * (t - at[0]);
        }
    }
}

static void sweep_once(void *arguments)
{
    const struct sweep *s = arguments;
    step(s, s->x, s->out);
}

/* Between two grids of its own, whose rims are 0. */
static void sweep_often(void *arguments)
{
    const struct sweep *s = arguments;
    const size_t rim = (size_t)s->pitch + 1, all = (size_t)s->pitch * ((size_t)s->height + 2) + 2;
    float *grid[2] = {calloc(all, sizeof(float)), calloc(all, sizeof(float))};
    if (grid[0] == NULL || grid[1] == NULL)
        abort();
    for (int j = 0; j < s->height; j++)
        memcpy(grid[0] + rim + (long)j * s->pitch, s->x + (long)j * s->pitch,
               (size_t)s->width * sizeof(float));
    for (int k = 0; k < s->steps; k++)
        step(s, grid[k % 2] + rim, grid[1 - k % 2] + rim);
    for (int j = 0; j < s->height; j++)
        memcpy(s->out + (long)j * s->pitch, grid[s->steps % 2] + rim + (long)j * s->pitch,
               (size_t)s->width * sizeof(float));
    free(grid[0]);
    free(grid[1]);
}

static enum qp_status ask(const struct qp_launch *l, int steps)
{
    struct sweep s = {.x = l->x,
                      .rhs = l->input[0],
                      .out = l->out,
                      .weight = (float)l->weight,
                      .width = l->width,
                      .height = l->height,
                      .pitch = l->pitch,
                      .rhs_pitch = l->input_pitch[0],
                      .steps = steps};
    qp_poisson5_spike(l->problem, &s.spike_x, &s.spike_y);
    devices_launches++;
    cuda_fake_ask(l->cuda->stream, steps > 1 ? sweep_often : sweep_once, &s, sizeof s);
    return QP_OK;
}

static enum qp_status launch(struct qp_launch *l)
{
    return ask(l, 1);
}

static enum qp_status launch_steps(struct qp_launch *l, int count)
{
    return ask(l, count);
}

static const struct qp_kernel single = {.launch = launch, .by_rows = true};
static const struct qp_kernel several = {.launch = launch, .by_rows = true, .steps = launch_steps};

void devices_row_make(const char *name, bool fused, struct devices_row *out)
{
    const struct qp_variant *row = qp_variant_find(name);
    *out = (struct devices_row){.engine = qp_engine_cuda,
                                .inner = *parts_whole(row)->recipe,
                                .outer = *row->recipe,
                                .own = *qp_poisson5_row(row->recipe),
                                .row = *row};
    out->inner.engine = &out->engine;
    out->inner.kernel = fused ? &several : &single;
    for (int k = 0; k < 2; k++) {
        if (out->own.parts.runs[k].backend == QP_CUDA)
            out->own.parts.runs[k].recipe = &out->inner;
    }
    out->outer.own = &out->own;
    out->row.recipe = &out->outer;
}

void devices_open(int devices)
{
    cuda_fake_start();
    cuda_fake.devices = devices;
    cuda_fake.peers = true;
    devices_launches = 0;
}

int devices_close(void)
{
    const size_t left = qp_cuda_live_blocks() + qp_cuda_live_streams();
    cuda_fake.on = false;
    return left == 0 && cuda_fake.streams == 0 && cuda_fake.elsewhere == 0 ? 0 : -1;
}
