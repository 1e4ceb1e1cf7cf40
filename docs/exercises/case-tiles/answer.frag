// SPDX-License-Identifier: MIT
// Tiles: every cell becomes the mean of its tile, four columns of its row, at the end fewer.
//@ size 8x3
//@ steps 1
//@ input x=(x + 10 * y)
//@ check reference.c

float kernel(vec2 here)
{
    float tiles = ceil(size.x / 4.0);
    float tile = min(floor(here.x / 4.0), tiles - 1.0);
    float sum = 0.0, count = 0.0;
    for (float i = 4.0 * tile; i < min(4.0 * tile + 4.0, size.x); i += 1.0) {
        sum += x_cell(vec2(i, here.y));
        count += 1.0;
    }
    return sum / max(count, 1.0);
}
