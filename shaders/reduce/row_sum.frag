#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Adds 16 texels of a row of x as a tree four deep; texels beyond the row's end count as zero. A row's sum depends on
// no other row, so that parts of a grid sum as the whole does.
uniform sampler2DRect x;
uniform vec2 origin; // corner of the input, in texels of x
uniform vec2 size;   // texels of the input, across and up

// A coordinate beyond the end is pulled onto it and the value dropped: guards are never read.
vec4 term(vec2 place)
{
    vec4 value = texture2DRect(x, origin + min(place, size - 0.5));
    return place.x < size.x ? value : vec4(0.0);
}

vec4 four(vec2 place)
{
    return (term(place) + term(place + vec2(1.0, 0.0))) +
           (term(place + vec2(2.0, 0.0)) + term(place + vec2(3.0, 0.0)));
}

void main()
{
    vec2 place = vec2(16.0 * (gl_FragCoord.x - 0.5) + 0.5, gl_FragCoord.y);
    gl_FragColor = (four(place) + four(place + vec2(4.0, 0.0))) +
                   (four(place + vec2(8.0, 0.0)) + four(place + vec2(12.0, 0.0)));
}
