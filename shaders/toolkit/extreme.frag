#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
#ifdef GL_ARB_gpu_shader5
#extension GL_ARB_gpu_shader5 : enable
#else // compilers may take it that no value is NaN
#define precise
#endif
// The extreme of 4 x 4 cells of x. Lines in front define values and which of two is further: reduce_kernels.c.
uniform SAMPLER x;
uniform vec2 origin; // corner of the input, in texels of x
uniform vec2 size;   // texels of the input, across and up
OUTPUT

// NaN, the only value that differs from itself, is beyond all.
VALUE further(VALUE a, VALUE b)
{
    precise bool beyond = BEYOND(b, a) || b != b;
    return beyond ? b : a;
}

// A coordinate beyond the edge is pulled onto it: to look at a cell twice changes nothing.
VALUE term(vec2 place)
{
    return VALUE_OF(texture2DRect(x, origin + min(place, size - 0.5)));
}

VALUE row(vec2 place)
{
    return further(further(term(place), term(place + vec2(1.0, 0.0))),
                   further(term(place + vec2(2.0, 0.0)), term(place + vec2(3.0, 0.0))));
}

void main()
{
    vec2 place = 4.0 * (gl_FragCoord.xy - 0.5) + 0.5;
    joined = CELL_OF(further(further(row(place), row(place + vec2(0.0, 1.0))),
                             further(row(place + vec2(0.0, 2.0)), row(place + vec2(0.0, 3.0)))), vec2(0.0));
}
