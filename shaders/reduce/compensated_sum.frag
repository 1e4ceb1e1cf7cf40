#version 130
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
#extension GL_ARB_gpu_shader5 : require
// Adds 4 x 4 texels of x, one value each, as a tree four deep of pairs: r is the sum, g its
// rounding error.
uniform sampler2DRect x;
uniform vec2 origin; // corner of the input, in texels of x
uniform vec2 size;   // texels of the input, across and up

// Knuth: the sum of two floats and its rounding error, exactly. Without `precise` an
// optimiser would replace the error by 0.
vec2 add(vec2 a, vec2 b)
{
    precise float sum = a.x + b.x;
    precise float part = sum - a.x;
    precise float loss = (a.y + b.y) + ((a.x - (sum - part)) + (b.x - part));
    return vec2(sum, loss);
}

// A coordinate beyond the edge is pulled onto it and the value dropped: guards are never read.
vec2 term(vec2 place)
{
    float value = texture2DRect(x, origin + min(place, size - 0.5)).r;
    return place.x < size.x && place.y < size.y ? vec2(value, 0.0) : vec2(0.0);
}

vec2 row(vec2 place)
{
    return add(add(term(place), term(place + vec2(1.0, 0.0))),
               add(term(place + vec2(2.0, 0.0)), term(place + vec2(3.0, 0.0))));
}

void main()
{
    vec2 place = 4.0 * (gl_FragCoord.xy - 0.5) + 0.5;
    vec2 all = add(add(row(place), row(place + vec2(0.0, 1.0))),
                   add(row(place + vec2(0.0, 2.0)), row(place + vec2(0.0, 3.0))));
    gl_FragColor = vec4(all, 0.0, 0.0);
}
