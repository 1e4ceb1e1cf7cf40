// SPDX-License-Identifier: MIT
// Appended to a function of four terms: adds those of 8 x 8 cells, line by line. `grid` is the width and height of the
// grid of cells.
vec4 kernel(vec2 here)
{
    vec2 from = 8.0 * here, to = min(from + 8.0, grid), at;
    vec4 sum = vec4(0.0);
    for (at.y = from.y; at.y < to.y; at.y += 1.0) {
        vec4 line = vec4(0.0);
        for (at.x = from.x; at.x < to.x; at.x += 1.0)
            line += map(at);
        sum += line;
    }
    return sum;
}
