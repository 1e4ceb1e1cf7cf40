// SPDX-License-Identifier: MIT
// The cell of x that an index names: by its column and row (PAIRS), or by its number, row by row. Lines in front define
// the type of values, INDEX, the integers of an index, and WRAP, if x goes on at its other side: src/toolkit/reduce/gather.c.
#ifdef INDEX
// The quotient, rounded down below 0 too, without numbers beyond 32 bits: floor(i / n) is -1 - floor((-1 - i) / n).
INDEX quotient(INDEX i, INDEX n)
{
    return i < INDEX(0) ? INDEX(-1) - (INDEX(-1) - i) / n : i / n;
}

// A column or a row as a float. If the index is outside: the cell on the other side, or a place beside the array.
float into(INDEX i, INDEX n)
{
#ifdef WRAP
    return float(i - quotient(i, n) * n);
#else
    return i < INDEX(0) ? -1.0 : float(min(i, n));
#endif
}
#endif

vec2 place(vec2 here)
{
#if defined INDEX && defined PAIRS
    return vec2(into(index_cell(here).x, INDEX(x_size.x)), into(index_cell(here).y, INDEX(x_size.y)));
#elif defined INDEX
    INDEX i = index_cell(here), w = INDEX(x_size.x), row = quotient(i, w);
    return vec2(i - row * w, into(row, INDEX(x_size.y)));
#elif defined PAIRS
    return floor(index_cell(here));
#else
    // Products of a row and a part of the width have 24 bits at most, but their sum may have more.
    float i = floor(index_cell(here)), row = floor(i / x_size.x), high = 128.0 * floor(x_size.x / 128.0);
    float column = (i - row * high) - row * (x_size.x - high);
    if (column < 0.0) // the quotient was rounded up
        return vec2(column + x_size.x, row - 1.0);
    return column < x_size.x ? vec2(column, row) : vec2(column - x_size.x, row + 1.0);
#endif
}

VALUE kernel(vec2 here)
{
    vec2 cell = place(here);
#ifdef WRAP
    bool known = cell == cell && all(lessThan(abs(cell), vec2(16777216.0)));
    return x_cell(known ? cell : vec2(-1.0));
#else
    return x_cell(cell == cell ? clamp(cell, vec2(-1.0), x_size) : vec2(-1.0));
#endif
}
