#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// change.frag for doubles as pairs of floats, high and low, one pair a texel or two: near the end of an iteration the
// high parts are equal or neighbours, their difference is exact, and only floats are left.
uniform sampler2DRect after;
uniform sampler2DRect before;
uniform sampler2DRect scale; // D / (w ||b||), in the layout of x
uniform vec2 origin;         // corner of x's domain, in texels

void main()
{
    vec2 here = origin + gl_FragCoord.xy;
    vec4 change = texture2DRect(after, here) - texture2DRect(before, here);
    vec4 factor = texture2DRect(scale, here);
    gl_FragColor = vec4(factor.r * (change.r + change.g), factor.b * (change.b + change.a), 0.0, 0.0);
}
