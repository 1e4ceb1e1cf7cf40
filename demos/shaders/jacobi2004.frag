// SPDX-License-Identifier: MIT
// Jacobi's method for a symmetric matrix of nine bands, a shader as they were written in 2004.
//@ input x=zeros
//@ input rhs=(hypot(x - 65, y - 65) < 9)
//@ input dd=(6.01 + sin((x + 1) / 16) - sin((x - 1) / 16))
//@ input ll=(-1 - sin(x / 16))
//@ input lu=(-1 + sin(x / 16))
//@ input ld=(-0.5)
//@ input dl=(-0.5)
//@ set weight=0.9
//@ size 129x129
//@ steps 400
//@ check jacobi2004.c
#version 120
#extension GL_ARB_texture_rectangle : require
#define AT(array, way) texture2DRect(array, gl_FragCoord.xy + way).x
#define PAIR(band, way) (AT(band, 0.0) * AT(x, way) + AT(band, -way) * AT(x, -way))
uniform sampler2DRect x, rhs, dd, ll, lu, ld, dl;
uniform float weight;
void main()
{
    float sum = PAIR(ll, vec2(-1, -1)) + PAIR(ld, vec2(0, -1)) + PAIR(lu, vec2(1, -1))
              + PAIR(dl, vec2(-1, 0)), rest = AT(rhs, 0.0) - sum;
    gl_FragColor = vec4((1.0 - weight) * AT(x, 0.0) + weight * rest / AT(dd, 0.0));
}
