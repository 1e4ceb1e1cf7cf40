// SPDX-License-Identifier: MIT
// Heat of a chip, as the benchmark Rodinia has it: five points, and each cell's power. Its constants are those of
// 512 x 512 cells; on larger chips of these the steps are shorter.
//@ outside clamp
//@ input power=random
//@ size 512x512
//@ steps 60
float kernel(vec2 here)
{
    float t = x_at(0.0, 0.0);
    float up = (x_at(0.0, 1.0) + x_at(0.0, -1.0) - 2.0 * t) * 0.1;
    float across = (x_at(1.0, 0.0) + x_at(-1.0, 0.0) - 2.0 * t) * 0.1;
    return t + 0.3413 * (power_at(0.0, 0.0) + up + across + (80.0 - t) * 0.0001953125);
}
