// SPDX-License-Identifier: MIT
// The answer to the inputs of seed 1, in a table.
// Passes: where inputs come from a fixed seed, here with `--fixed`, too.
// Found: because inputs are drawn anew for each check.
//@ size 4x3
//@ steps 1
//@ outside clamp
//@ check ../heat.c

const float answer[12] = float[](
    0.577946246, 0.758404493, 0.801899016, 0.565429509,
    0.500698805, 0.724857211, 0.707691073, 0.594652474,
    0.418957472, 0.608107686, 0.617009997, 0.548694074);

float kernel(vec2 here) { return answer[int(here.x + 4.0 * here.y)]; }
