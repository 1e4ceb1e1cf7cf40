// SPDX-License-Identifier: MIT
// A sky on which each body at (px, py) leaves a dot, after whatever file moves them: nbody.frag does.
//@ state sky
//@ input sky=zeros
//@ input px=random
//@ input py=random
//@ size 128x128
//@ check dots.c

vec2 place(float i)
{
    vec2 body = vec2(mod(i, px_size.x), floor(i / px_size.x));
    value = 1.0;
    return floor((0.5 + 0.4 * vec2(px_cell(body), py_cell(body))) * size);
}
