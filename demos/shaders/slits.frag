// SPDX-License-Identifier: MIT
// Waves that meet a wall, where gap is 0, with two slits: u is the height, v its change in a step.
//     quadpass run demos/shaders/slits.frag -o slits.png
//@ state u v
//@ input u=(x < 48 ? sin(M_PI * x / 6) : 0)
//@ input v=(x < 48 ? -M_PI / 12 * cos(M_PI * x / 6) : 0)
//@ input gap=(fabs(x - 52) > 1 || fabs(fabs(y - 64.5) - 14) < 3)
//@ size 160x128
//@ steps 180
//@ check slits.c

void kernel(vec2 here)
{
    float around = u_at(-1.0, 0.0) + u_at(1.0, 0.0) + u_at(0.0, -1.0) + u_at(0.0, 1.0);
    float change = v_at(0.0, 0.0) + 0.25 * (around - 4.0 * u_at(0.0, 0.0));
    out1 = gap_at(0.0, 0.0) * change;
    out0 = u_at(0.0, 0.0) + out1;
}
