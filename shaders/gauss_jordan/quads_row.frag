#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// quads_divide.frag into a texture as large as one square.
// After paper 2, 'Matrix-row to texture quad mapping', which prints no program.
uniform sampler2DRect a; // texture with row k
uniform vec2 k;          // centre of element (k, k), in texels
uniform vec2 origin;     // corner of the first square
uniform float square;    // texels of a square, each way

void main()
{
    vec2 corner = origin + square * floor((k - origin) / square);
    gl_FragColor = texture2DRect(a, corner + gl_FragCoord.xy) / texture2DRect(a, k);
}
