#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// branched.frag where each row of the matrix is a square of texels.
// After paper 2, 'Matrix-row to texture quad mapping', which prints no program.
uniform sampler2DRect a;
uniform vec2 k;       // centre of element (k, k), in texels
uniform vec2 origin;  // corner of the first square
uniform float square; // texels of a square, each way

vec2 corner_of(vec2 texel)
{
    return origin + square * floor((texel - origin) / square);
}

void main()
{
    vec2 here = corner_of(gl_FragCoord.xy), eliminating = corner_of(k);
    if (here == eliminating)
        discard;
    vec4 factor = texture2DRect(a, here + (k - eliminating));
    vec4 above = texture2DRect(a, eliminating + (gl_FragCoord.xy - here));
    gl_FragColor = texture2DRect(a, gl_FragCoord.xy) - factor * above;
}
