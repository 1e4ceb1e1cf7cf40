/* SPDX-License-Identifier: MIT */
#include "support/devices.h"

#include <stdlib.h>
#include <string.h>

#include "lab/engines/choose.h"
#include "lab/plan/problem.h"
#include "toolkit/cuda/device.h"
#include "toolkit/cuda/streams.h"

struct devices_done devices_done;

/* Arguments of a launch on a stream. */
struct sweep {
    const float *x, *rhs;
    float *out, weight;
    int width, height, pitch, rhs_pitch, spike_x, spike_y, steps;
    const void *stream;
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
    devices_done.stream[devices_done.count++ % DEVICES_DONE] = s->stream;
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
                      .steps = steps,
                      .stream = l->cuda->stream};
    qp_poisson5_spike(l->problem, &s.spike_x, &s.spike_y);
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

static const struct qp_cuda_kernel single = {.launch = launch, .by_rows = true};
static const struct qp_cuda_kernel several = {
    .launch = launch, .by_rows = true, .steps = launch_steps};

void devices_variant_make(const char *name, bool fused, struct devices_variant *out)
{
    const struct qp_variant *variant = qp_variant_find(name);
    *out = (struct devices_variant){.engine = qp_engine_cuda,
                                    .rows = *qp_engine_cuda.rows,
                                    .inner = *parts_whole(variant)->recipe,
                                    .outer = *variant->recipe,
                                    .own = *qp_poisson5_variant(variant->recipe),
                                    .variant = *variant};
    out->engine.rows = &out->rows;
    out->inner.engine = &out->engine;
    out->inner.kernel = fused ? &several : &single;
    for (int k = 0; k < 2; k++) {
        const struct qp_recipe *runs = qp_parts_run(&out->own.parts, k);
        if (runs != NULL && runs->backend == QP_CUDA)
            out->own.parts.runs[k].list = &out->inner;
    }
    out->outer.own = &out->own;
    out->variant.recipe = &out->outer;
}

int devices_left(void)
{
    return (int)(qp_cuda_live_blocks() + qp_cuda_live_streams()) + cuda_fake.streams +
           cuda_fake.elsewhere;
}

int devices_begin(void **state)
{
    (void)state;
    if (!support_has_cuda())
        return 0;
    cuda_fake_start();
    cuda_fake.devices = 2;
    cuda_fake.peers = true;
    return 0;
}

int devices_end(void **state)
{
    (void)state;
    const int left = cuda_fake.on ? devices_left() : 0;
    cuda_fake.on = false;
    return left == 0 ? 0 : -1;
}

void devices_pace(int pace)
{
    cuda_fake.pace = pace < FAKE_DRAWN ? (enum cuda_fake_pace)pace : FAKE_DRAWN;
    cuda_fake.seed = 77u * (unsigned)pace + 1u;
}

struct qp_result devices_walk(const struct qp_variant *variant, struct qp_problem *problem,
                              struct qp_walk_desc desc)
{
    struct qp_result result;
    desc.keep_solution = true;
    assert_ok(qp_walk(NULL, variant, problem, &desc, &result));
    return result;
}
