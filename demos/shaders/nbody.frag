// SPDX-License-Identifier: MIT
// Two galaxies of 256 bodies together, each of which pulls all others; a body has a place and a speed.
//     quadpass run demos/shaders/nbody.frag demos/shaders/dots.frag --picture galaxies.png
//@ state px py vx vy
//@ input px=((x % 2 < 1 ? -0.5 : 0.5) + 0.3 * sqrt(x / 256) * cos(2.4 * x))
//@ input py=((x % 2 < 1 ? -0.2 : 0.2) + 0.3 * sqrt(x / 256) * sin(2.4 * x))
//@ input vx=((x % 2 < 1 ? 0.4 : -0.4) - 1.2 * pow(x / 256, 0.25) * sin(2.4 * x))
//@ input vy=(1.2 * pow(x / 256, 0.25) * cos(2.4 * x))
//@ set dt=0.01
//@ size 256x1
//@ steps 150
//@ check nbody.c

void kernel(vec2 here)
{
    vec2 p = vec2(px_at(0.0, 0.0), py_at(0.0, 0.0)), pull = vec2(0.0);
    for (vec2 other = vec2(0.0); other.x < size.x; other.x += 1.0) {
        vec2 d = vec2(px_cell(other), py_cell(other)) - p;
        float far = sqrt(d.x * d.x + d.y * d.y + 0.01);
        pull += d / (far * far * far) / size.x;
    }
    vec2 v = vec2(vx_at(0.0, 0.0), vy_at(0.0, 0.0)) + dt * pull;
    out0 = p.x + dt * v.x, out1 = p.y + dt * v.y, out2 = v.x, out3 = v.y;
}
