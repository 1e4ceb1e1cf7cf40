// SPDX-License-Identifier: MIT
// Waves that meet a wall with two slits: u is the height, v its change in a step. A part of that is
// kept: none in the wall, nine tenths at the left end, where waves that come back are to vanish.
//     quadpass run demos/shaders/slits.frag --picture slits.png
//@ state u v
//@ input u=zeros
//@ input v=zeros
//@ input kept=(x < 12 ? 0.9 : fabs(x - 32) > 1 || fabs(fabs(y - 56.5) - 14) < 4)
//@ size 128x112
//@ steps 260
//@ tolerance 1e-5
//@ check slits.c

void kernel(vec2 here)
{
    float around = u_at(-1.0, 0.0) + u_at(1.0, 0.0) + u_at(0.0, -1.0) + u_at(0.0, 1.0);
    float source = here.x == 16.0 ? 0.2 * sin(0.25 * step_number) : 0.0;
    out1 = kept_at(0.0, 0.0) * (v_at(0.0, 0.0) + 0.25 * (around - 4.0 * u_at(0.0, 0.0)));
    out0 = u_at(0.0, 0.0) + out1 + source;
}
