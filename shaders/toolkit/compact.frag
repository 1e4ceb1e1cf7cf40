// SPDX-License-Identifier: MIT
// Copies the n-th kept cell of x to output cell n, counted row by row; 0 after the last. Running
// sums increase, so bisection finds the cell. A line before this text defines the type of
// a value: src/toolkit/reduce/gather.c.
vec2 place(int i, int w)
{
    return vec2(i % w, i / w);
}

VALUE kernel(vec2 here)
{
    int w = int(kept_size.x), low = 0, high = w * int(kept_size.y) - 1;
    uint wanted = uint(here.y) * uint(size.x) + uint(here.x) + 1u;
    if (kept_cell(place(high, w)) < wanted)
        return VALUE(0);
    for (int k = 0; k < 31 && low < high; k++) { // fewer than 2^31 cells
        int middle = low + (high - low) / 2;
        if (kept_cell(place(middle, w)) < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return x_cell(place(low, w));
}
