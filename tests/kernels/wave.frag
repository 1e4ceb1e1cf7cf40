// SPDX-License-Identifier: MIT
/* Two states, u and its change v, of one type.
 * A line of the head may follow a comment like this one. */
//@ state u v
//@ outside zero
//@ input u=impulse
//@ input v=zeros
//@ set c=0.25
//@ steps 20

void kernel(vec2 here)
{
    float bent = u_at(-1.0, 0.0) + u_at(1.0, 0.0) + u_at(0.0, -1.0) + u_at(0.0, 1.0) -
                 4.0 * u_at(0.0, 0.0);
    out1 = v_at(0.0, 0.0) + c * bent;
    out0 = u_at(0.0, 0.0) + out1;
}
