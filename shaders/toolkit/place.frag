#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
#ifdef GL_ARB_gpu_shader5
#extension GL_ARB_gpu_shader5 : enable
#else // compilers may take it that no value is NaN
#define precise
#endif
// The extreme of 4 x 4 cells of x, and its place. Lines in front define values, which of two is further, and whether x
// holds candidates of the pass before, with their places: src/toolkit/reduce/reduce_kernels.c.
uniform SAMPLER x;
uniform vec2 origin; // corner of the input, in texels of x
uniform vec2 size;   // texels of the input, across and up
OUTPUT

struct candidate {
    VALUE value;
    vec2 place; // column and row of the value
};

// The first of equal values counts, row by row: it may be in the block to the right. NaN, the only
// value that differs from itself, is beyond all.
candidate further(candidate a, candidate b)
{
    precise bool above = BEYOND(b.value, a.value) || (b.value != b.value && a.value == a.value);
    precise bool equal = b.value == a.value || (b.value != b.value && a.value != a.value);
    bool first = b.place.y < a.place.y || (b.place.y == a.place.y && b.place.x < a.place.x);
    if (above || (equal && first))
        return b;
    return a;
}

// A coordinate beyond the edge is pulled onto it: to look at a cell twice changes nothing.
candidate term(vec2 place)
{
    vec2 here = min(place, size - 0.5);
    CELL cell = texture2DRect(x, origin + here);
#ifdef PLACE_OF
    return candidate(VALUE_OF(cell), PLACE_OF(cell));
#else
    return candidate(VALUE_OF(cell), here - 0.5);
#endif
}

candidate row(vec2 place)
{
    return further(further(term(place), term(place + vec2(1.0, 0.0))),
                   further(term(place + vec2(2.0, 0.0)), term(place + vec2(3.0, 0.0))));
}

void main()
{
    vec2 place = 4.0 * (gl_FragCoord.xy - 0.5) + 0.5;
    candidate found = further(further(row(place), row(place + vec2(0.0, 1.0))),
                              further(row(place + vec2(0.0, 2.0)), row(place + vec2(0.0, 3.0))));
    joined = CELL_OF(found.value, found.place);
}
