#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// divide.frag where row k is a square of texels.
// After paper 2, 'Matrix-row to texture quad mapping', which prints no program.
uniform sampler2DRect a;
uniform vec2 k; // centre of element (k, k), in texels

void main()
{
    gl_FragColor = texture2DRect(a, gl_FragCoord.xy) / texture2DRect(a, k);
}
