/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab/engines/parts/parts.h"
#include "support/fake_runs.h"

/* A grid that two parts share: seconds of a step are 3e-6 a row of the lower one (or fake.lower),
 * 1e-6 of the upper one, the longer of both, and 2e-5 for the exchange. */
static double split_seconds(const struct qp_parts_desc *parts, int height)
{
    const double row = fake.lower > 0.0 ? fake.lower : 3e-6;
    const double slow =
        parts->slow > 1 ? parts->slow * (fake.sluggish > 0.0 ? fake.sluggish : 1.0) : 1.0;
    const int lower = parts->split > height ? height : parts->split > 0 ? parts->split : 0;
    return fmax(row * slow * lower, 1e-6 * (height - lower)) +
           (lower > 0 && lower < height ? 2e-5 : 0.0);
}

void fake_split(struct qp_record *record, int height)
{
    if (!qp_parts_are_split(record->variant->recipe))
        return;
    record->parts =
        (struct qp_parts_desc){.count = 2,
                               .depth = 1,
                               .devices = strstr(record->variant->name, "parts") ? 2 : 0,
                               .split = record->style.parts.split,
                               .slow = record->style.parts.slow};
    record->seconds = record->iterations * split_seconds(&record->parts, height);
}

/* FNV-1a, begun at a number that leaves those variants quiet by which the tests divide. */
static unsigned hash(const char *text)
{
    unsigned sum = 26447348;
    for (; *text != '\0'; text++)
        sum = (sum ^ (unsigned char)*text) * 16777619u;
    return sum;
}

double fake_factor(const char *row, const struct qp_style *style)
{
    char text[128];
    snprintf(text, sizeof text, "%s %d %d %d %d %d", row, style->pingpong, style->target,
             style->block, style->group_x, style->group_y);
    return 1.0 + 0.01 * (hash(text) % 200);
}

void fake_samples(struct qp_record *r)
{
    const unsigned i = hash(r->variant->name) >> 16;
    const double spread = i % 8 == 7 ? 0.3 : 0.01 * (i % 4);
    r->sample_count = 5;
    r->spread = spread;
    for (int k = 0; k < 5; k++)
        r->samples[k] = r->seconds * (1.0 + (k - 2) * spread / 2.0);
}
