#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Adds 2 x 2 texels of x as a tree two deep; texels beyond the edge count as zero.
uniform sampler2DRect x;
uniform vec2 origin; // corner of the input, in texels of x
uniform vec2 size;   // texels of the input, across and up

// A coordinate beyond the edge is pulled onto it and the value dropped: guards are never read.
vec4 term(vec2 place)
{
    vec4 value = texture2DRect(x, origin + min(place, size - 0.5));
    return place.x < size.x && place.y < size.y ? value : vec4(0.0);
}

vec4 row(vec2 place)
{
    return term(place) + term(place + vec2(1.0, 0.0));
}

void main()
{
    vec2 place = 2.0 * (gl_FragCoord.xy - 0.5) + 0.5;
    gl_FragColor = row(place) + row(place + vec2(0.0, 1.0));
}
