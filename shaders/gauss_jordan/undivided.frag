#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// A row less its element in column k times row k, which every fragment divides for itself: four
// fetches and a division. rowop.frag, after a pass that divides row k once, has three fetches and
// no division.
// After paper 2, 'Optimize algorithm by precomputation of row division factors', which prints no
// program of the time before.
uniform sampler2DRect a;
uniform vec2 k; // centre of element (k, k), in texels

void main()
{
    vec4 factor = texture2DRect(a, vec2(k.x, gl_FragCoord.y));
    vec4 above = texture2DRect(a, vec2(gl_FragCoord.x, k.y)) / texture2DRect(a, k);
    gl_FragColor = texture2DRect(a, gl_FragCoord.xy) - factor * above;
}
