// SPDX-License-Identifier: MIT
// The cell of x that an index names: its column and row, or its number row by row. Lines in front say what values are:
// src/toolkit/gather.c.
#ifdef PAIRS
vec2 place(vec2 here)
{
    return floor(vec2(index_cell(here)));
}
#elif defined WHOLE
// Rounded down below 0 too, without numbers beyond 32 bits: floor(i / w) is -1 - floor((-1 - i) / w).
vec2 place(vec2 here)
{
    INDEX i = index_cell(here), w = INDEX(x_size.x);
    INDEX row = i < INDEX(0) ? INDEX(-1) - (INDEX(-1) - i) / w : i / w;
    return vec2(i - row * w, row);
}
#else
vec2 place(vec2 here)
{
    float i = floor(index_cell(here));
    float row = floor(i / x_size.x), column = i - row * x_size.x;
    if (column < 0.0) // the quotient was rounded up
        return vec2(column + x_size.x, row - 1.0);
    return column < x_size.x ? vec2(column, row) : vec2(column - x_size.x, row + 1.0);
}
#endif

VALUE kernel(vec2 here)
{
    vec2 cell = place(here);
    return x_cell(cell == cell ? cell : vec2(-1.0));
}
