#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Row k divided by its element k.
uniform sampler2DRect a;
uniform vec2 k; // centre of element (k, k)

void main()
{
    vec4 pivot = texture2DRect(a, vec2(k.x, gl_FragCoord.y));
    gl_FragColor = texture2DRect(a, gl_FragCoord.xy) / pivot;
}
