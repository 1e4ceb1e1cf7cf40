#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// Column k: the factors for row k, which is divided already; 0 in row k itself, so that it stays as it is.
uniform sampler2DRect a;
uniform vec2 k; // centre of element (k, k), in texels

void main()
{
    vec4 factor = texture2DRect(a, vec2(k.x, gl_FragCoord.y));
    gl_FragColor = gl_FragCoord.y == k.y ? vec4(0.0) : factor;
}
