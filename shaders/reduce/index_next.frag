#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
#ifdef GL_ARB_gpu_shader5
#extension GL_ARB_gpu_shader5 : enable
#else // compilers may take it that no value is NaN
#define precise
#endif
// The largest of 4 x 4 candidates, the results of the pass before.
uniform sampler2DRect x;
uniform vec2 origin; // corner of the input, in texels of x
uniform vec2 size;   // texels of the input, across and up

// Candidates are (magnitude, column, row). If they are equal, the first counts, row by row: it may be in
// the block to the right. NaN, the only value that differs from itself, is larger than all.
vec3 larger(vec3 a, vec3 b)
{
    precise bool above = b.x > a.x || (b.x != b.x && a.x == a.x);
    precise bool equal = b.x == a.x || (b.x != b.x && a.x != a.x);
    bool first = b.z < a.z || (b.z == a.z && b.y < a.y);
    return above || (equal && first) ? b : a;
}

// A coordinate beyond the edge is pulled onto it and the value gives way to a magnitude below all.
vec3 term(vec2 place)
{
    vec3 value = texture2DRect(x, origin + min(place, size - 0.5)).rgb;
    return place.x < size.x && place.y < size.y ? value : vec3(-1.0, 0.0, 0.0);
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
