#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// rowop.frag with the factors computed before, one for each row: row k is as it was.
uniform sampler2DRect a;
uniform sampler2DRect factors;
uniform vec2 k; // centre of element (k, k), in texels

void main()
{
    vec4 factor = texture2DRect(factors, vec2(0.5, gl_FragCoord.y));
    vec4 above = texture2DRect(a, vec2(gl_FragCoord.x, k.y));
    gl_FragColor = texture2DRect(a, gl_FragCoord.xy) - factor * above;
}
