// SPDX-License-Identifier: MIT
//@ outside clamp
//@ outside table=zero
//@ input table=data/table.npy
//@ input photo=/usr/share/photo.png
//@ input mask=ones

// Own functions that end like gathers are none, and neither is a macro.
float alive_at(float dx, float dy) { return step(0.5, mask_at(dx, dy)); }
#define LEFT edge_cell(here - vec2(1.0, 0.0))
#define far_at(d) x_at(d, d)

float kernel(vec2 here)
{
    float left = here.x > 0.0 ? LEFT : 0.0;
    return alive_at(1.0, 0.0) * table_cell(vec2(floor(x_at(0.0, 0.0)), 0.0)) +
           photo_cell(here * photo_size / size) + left + far_at(2.0);
}
