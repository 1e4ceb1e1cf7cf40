#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
#ifdef GL_ARB_gpu_shader5
#extension GL_ARB_gpu_shader5 : enable
#else // compilers may take it that no value is NaN
#define precise
#endif
// The largest magnitude of 4 x 4 texels of x; texels beyond the edge count as zero. max() may drop a
// NaN, so the shader carries it itself: NaN is the only value that differs from itself.
uniform sampler2DRect x;
uniform vec2 origin; // corner of the input, in texels of x
uniform vec2 size;   // texels of the input, across and up

vec4 larger(vec4 a, vec4 b)
{
    precise bvec4 above = bvec4(b.r > a.r || b.r != b.r, b.g > a.g || b.g != b.g, b.b > a.b || b.b != b.b,
                                b.a > a.a || b.a != b.a);
    return vec4(above.r ? b.r : a.r, above.g ? b.g : a.g, above.b ? b.b : a.b, above.a ? b.a : a.a);
}

// A coordinate beyond the edge is pulled onto it and the value dropped: guards are never read.
vec4 term(vec2 place)
{
    vec4 value = texture2DRect(x, origin + min(place, size - 0.5));
    return place.x < size.x && place.y < size.y ? abs(value) : vec4(0.0);
}

vec4 row(vec2 place)
{
    return larger(larger(term(place), term(place + vec2(1.0, 0.0))),
                  larger(term(place + vec2(2.0, 0.0)), term(place + vec2(3.0, 0.0))));
}

void main()
{
    vec2 place = 4.0 * (gl_FragCoord.xy - 0.5) + 0.5;
    gl_FragColor = larger(larger(row(place), row(place + vec2(0.0, 1.0))),
                          larger(row(place + vec2(0.0, 2.0)), row(place + vec2(0.0, 3.0))));
}
