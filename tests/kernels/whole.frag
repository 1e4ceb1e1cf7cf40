// SPDX-License-Identifier: MIT
//@ input f=gradient
//@ set n=3
//@ set shift=1,0
//@ set list=1,2,3
#version 120
#extension GL_ARB_texture_rectangle : require
uniform sampler2DRect x, f;
uniform int n;
uniform vec2 shift;
uniform float list[3];

void main()
{
    vec2 here = gl_FragCoord.xy;
    gl_FragColor = vec4(float(n) * texture2DRect(x, here + shift).x +
                        list[1] * texture2DRect(f, here).x);
}
