// SPDX-License-Identifier: MIT
// C = A B. Even and odd rows of a matrix are two arrays, whose cells hold four neighbours of a row:
// so six reads serve 32 products. Matrices of 512 x 512 values: --size 128x256.
//@ state c_even c_odd
//@ input a_even=random
//@ input a_odd=random
//@ input b_even=random
//@ input b_odd=random
//@ outside clamp
//@ size 32x64
//@ tolerance 4e-6
//@ check product.c

void kernel(vec2 here)
{
    out1 = out0 = vec4(0.0);
    for (float k = 0.0; k < min(size.x, floor(size.y / 2.0)); k++) {
        vec2 at = vec2(here.x, 2.0 * k), up = at + vec2(0.0, 1.0);
        mat4 rows = mat4(b_even_cell(at).xyzw, b_odd_cell(at).xyzw,
                         b_even_cell(up).xyzw, b_odd_cell(up).xyzw);
        out0 += rows * a_even_cell(vec2(k, here.y)).xyzw;
        out1 += rows * a_odd_cell(vec2(k, here.y)).xyzw;
    }
}
