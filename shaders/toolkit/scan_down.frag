// SPDX-License-Identifier: MIT
// The sum of all cells before a cell: the sum before its group of four, known one level higher, and the sum of the
// group's cells to the left of it; then, if asked for, its own value. A line in front defines the type of a value:
// src/toolkit/reduce/gather.c.
VALUE kernel(vec2 here)
{
    vec2 higher = floor((here + 0.5) / (1.0 + 3.0 * along));
    vec2 first = higher * (1.0 + 3.0 * along);
    float left = dot(here - first, along);
    VALUE sum = VALUE(0);
    if (left > 0.5)
        sum = cells_cell(first);
    if (left > 1.5)
        sum += cells_cell(first + along);
    if (left > 2.5)
        sum += cells_cell(first + 2.0 * along);
    sum = before_cell(higher) + sum;
    return with_own > 0.5 ? sum + cells_cell(here) : sum;
}
