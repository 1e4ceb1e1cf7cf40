#version 130
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
#extension GL_ARB_gpu_shader5 : require
// Adds the products of 4 x 4 texels of x and y, one value each, as a tree four deep of pairs: r is
// the sum, g its rounding error.
uniform sampler2DRect x;
uniform sampler2DRect y;
uniform vec2 origin; // corner of the input, in texels of x
uniform vec2 apart;  // distance from a texel of x to that of y
uniform vec2 size;   // texels of both inputs, across and up

// Knuth: the sum of two floats and its rounding error, exactly. Without `precise` an
// optimiser would replace the error by 0.
vec2 add(vec2 a, vec2 b)
{
    precise float sum = a.x + b.x;
    precise float part = sum - a.x;
    precise float loss = (a.y + b.y) + ((a.x - (sum - part)) + (b.x - part));
    return vec2(sum, loss);
}

// Veltkamp: the upper and the lower twelve bits of a float.
vec2 split(float a)
{
    precise float high = 4097.0 * a;
    precise float upper = high - (high - a);
    precise float lower = a - upper;
    return vec2(upper, lower);
}

// Dekker: a product of two floats and its rounding error, exactly.
vec2 multiply(float a, float b)
{
    vec2 p = split(a), q = split(b);
    precise float product = a * b;
    precise float loss = ((p.x * q.x - product) + p.x * q.y + p.y * q.x) + p.y * q.y;
    return vec2(product, loss);
}

// A coordinate beyond the edge is pulled onto it and the value dropped: guards are never read.
vec2 term(vec2 place)
{
    vec2 here = origin + min(place, size - 0.5);
    vec2 value = multiply(texture2DRect(x, here).r, texture2DRect(y, here + apart).r);
    return place.x < size.x && place.y < size.y ? value : vec2(0.0);
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
