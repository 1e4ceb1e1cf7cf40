#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// A dependent fetch: the place to read from is fetched first.
uniform sampler2DRect x;
uniform sampler2DRect u, v;
uniform vec2 origin;

void main()
{
    vec2 here = gl_FragCoord.xy;
    vec2 from = vec2(texture2DRect(u, here).x, texture2DRect(v, here).x);
    gl_FragColor = vec4(texture2DRect(x, origin + from + 0.5).x);
}
