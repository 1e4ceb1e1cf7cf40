#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Adds 4 x 4 integers of 64 bits, the lower word and the upper. A line in front makes integers of cells of x:
// src/toolkit/reduce/reduce_kernels.c.
uniform SAMPLER x;
uniform vec2 origin; // corner of the input, in texels of x
uniform vec2 size;   // texels of the input, across and up
OUTPUT

// The carry: the lower words have wrapped around if their sum is below one of them.
uvec2 add(uvec2 a, uvec2 b)
{
    uint lower = a.x + b.x;
    return uvec2(lower, a.y + b.y + (lower < a.x ? 1u : 0u));
}

// A coordinate beyond the edge is moved onto it and the value dropped: nothing outside is ever
// read.
uvec2 term(vec2 place)
{
    uvec2 value = WORDS_OF(texture2DRect(x, origin + min(place, size - 0.5)));
    return place.x < size.x && place.y < size.y ? value : uvec2(0u);
}

uvec2 row(vec2 place)
{
    return add(add(term(place), term(place + vec2(1.0, 0.0))),
               add(term(place + vec2(2.0, 0.0)), term(place + vec2(3.0, 0.0))));
}

void main()
{
    vec2 place = 4.0 * (gl_FragCoord.xy - 0.5) + 0.5;
    joined = uvec4(add(add(row(place), row(place + vec2(0.0, 1.0))),
                       add(row(place + vec2(0.0, 2.0)), row(place + vec2(0.0, 3.0)))), 0u, 0u);
}
