#version 120
#extension GL_ARB_texture_rectangle : require
// The shader of tests/plan/test_faults.c that comes from a file.
uniform sampler2DRect x;
void main()
{
    gl_FragColor = -texture2DRect(x, gl_FragCoord.xy);
}
