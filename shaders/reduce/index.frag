#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
#ifdef GL_ARB_gpu_shader5
#extension GL_ARB_gpu_shader5 : enable
#else // compilers may take it that no value is NaN
#define precise
#endif
// The largest magnitude of 4 x 4 texels of x, one value each, and its place: r at column g of row
// b.
uniform sampler2DRect x;
uniform vec2 origin; // corner of the input, in texels of x
uniform vec2 size;   // texels of the input, across and up

// Candidates are (magnitude, column, row), a before b, row by row: if they are equal, the first stays.
// NaN, the only value that differs from itself, is larger than all.
vec3 larger(vec3 a, vec3 b)
{
    precise bool above = b.x > a.x || (b.x != b.x && a.x == a.x);
    return above ? b : a;
}

// A coordinate beyond the edge is pulled onto it and the value gives way to a magnitude below all.
vec3 term(vec2 place)
{
    float value = abs(texture2DRect(x, origin + min(place, size - 0.5)).r);
    return vec3(place.x < size.x && place.y < size.y ? value : -1.0, place - 0.5);
}

vec3 row(vec2 place)
{
    return larger(larger(term(place), term(place + vec2(1.0, 0.0))),
                  larger(term(place + vec2(2.0, 0.0)), term(place + vec2(3.0, 0.0))));
}

void main()
{
    vec2 place = 4.0 * (gl_FragCoord.xy - 0.5) + 0.5;
    vec3 best = larger(larger(row(place), row(place + vec2(0.0, 1.0))),
                       larger(row(place + vec2(0.0, 2.0)), row(place + vec2(0.0, 3.0))));
    gl_FragColor = vec4(best, 0.0);
}
