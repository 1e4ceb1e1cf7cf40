#version 120
// SPDX-License-Identifier: MIT
#extension GL_ARB_texture_rectangle : require
// The residual of an iterate, from the step that followed it: r = D (after - before) / (w ||b||), which
// is (b - A before) / ||b||. One elementwise shader serves every layout of x.
uniform sampler2DRect after;
uniform sampler2DRect before;
uniform sampler2DRect scale; // D / (w ||b||), in the layout of x
uniform vec2 origin;         // corner of x's domain, in texels

void main()
{
    vec2 here = origin + gl_FragCoord.xy;
    gl_FragColor = texture2DRect(scale, here) * (texture2DRect(after, here) - texture2DRect(before, here));
}
