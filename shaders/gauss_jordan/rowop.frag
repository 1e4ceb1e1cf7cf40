#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// A row less its element in column k times row k, which is divided already.
uniform sampler2DRect a;
uniform vec2 k; // centre of element (k, k)

void main()
{
    vec4 factor = texture2DRect(a, vec2(k.x, gl_FragCoord.y));
    vec4 above = texture2DRect(a, vec2(gl_FragCoord.x, k.y));
    gl_FragColor = texture2DRect(a, gl_FragCoord.xy) - factor * above;
}
