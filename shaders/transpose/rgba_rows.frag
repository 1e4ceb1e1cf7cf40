#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Four values of a row of the answer are one above the other in x, all in the same channel: columns
// 4 X to 4 X + 3 of row Y in rows 4 X to 4 X + 3, texel Y / 4, channel Y % 4.
uniform sampler2DRect x;
uniform vec2 origin; // corner of the answer's domain and of x's, in texels

float pick(vec4 texel, float channel)
{
    vec2 pair = channel < 2.0 ? texel.rg : texel.ba;
    return channel == 0.0 || channel == 2.0 ? pair.r : pair.g;
}

void main()
{
    vec2 place = floor(gl_FragCoord.xy - origin); // (X, Y)
    float column = floor(0.25 * place.y), channel = place.y - 4.0 * column;
    vec2 here = origin + vec2(column, 4.0 * place.x) + 0.5;
    gl_FragColor = vec4(pick(texture2DRect(x, here), channel),
                        pick(texture2DRect(x, here + vec2(0.0, 1.0)), channel),
                        pick(texture2DRect(x, here + vec2(0.0, 2.0)), channel),
                        pick(texture2DRect(x, here + vec2(0.0, 3.0)), channel));
}
