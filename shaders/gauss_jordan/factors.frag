#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Factors of the rows: a row's element k over the pivot. Row k times the factor is then subtracted from the row.
uniform sampler2DRect a;
uniform vec2 k; // centre of element (k, k), in texels

void main()
{
    gl_FragColor = texture2DRect(a, vec2(k.x, gl_FragCoord.y)) / texture2DRect(a, k);
}
