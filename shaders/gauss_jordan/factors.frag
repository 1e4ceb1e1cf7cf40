#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// What row k is multiplied with and subtracted from a row: the row's element k by the pivot.
uniform sampler2DRect a;
uniform vec2 k; // where element (k, k) stands

void main()
{
    gl_FragColor = texture2DRect(a, vec2(k.x, gl_FragCoord.y)) / texture2DRect(a, k);
}
