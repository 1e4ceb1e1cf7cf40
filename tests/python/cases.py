# SPDX-License-Identifier: MIT
"""Cases of test_plugin.c, which says how each must end."""
import ctypes

import numpy
import pytest

HEAT = """//@ outside clamp
//@ set rate=0.2
float kernel(vec2 here)
{
    float old = x_at(0.0, 0.0);
    float around = x_at(-1.0, 0.0) + x_at(1.0, 0.0) + x_at(0.0, -1.0) + x_at(0.0, 1.0);
    return old + rate * (around - 4.0 * old);
}
"""
MIXED = """//@ state u v
//@ input f=(x * y)
//@ set weight=0.5,0.25
//@ schedule span=1,2
//@ size 9x7
//@ seed 5
void kernel(vec2 here)
{
    out0 = vec4(v_at(0.0, 0.0).yxwz + span * f_at(0.0, 0.0));
    out1 = vec4(weight.x * u_at(0.0, 0.0) - weight.y);
}
"""


def heat(x, rate):
    p = numpy.pad(x, 1, mode="edge")
    return x + rate * (p[1:-1, :-2] + p[1:-1, 2:] + p[:-2, 1:-1] + p[2:, 1:-1] - 4 * x)


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(text, old="", new=""):
        assert old in text
        (tmp_path / "heat.frag").write_text(text.replace(old, new) if old else text)
        return tmp_path / "heat.frag"
    return write


def test_right(kernel, judge):
    assert judge(kernel(HEAT), reference=heat).cases == 11 * 3 + 3 * 3
    assert judge(kernel(HEAT), heat, size=(5, 4)).cases == 3


def test_mixed(kernel, judge):
    def mixed(u, v, weight, span, **others):
        f = others["f"]
        assert u.shape == (7, 9, 4) and f.shape == (7, 9) and f[6, 4] * 2.0 ** 13 % 35 == 0
        assert span in (1, 2) and not u.flags.writeable
        return v[:, :, [1, 0, 3, 2]] + span * f[:, :, None], weight[0] * u - weight[1]
    assert judge(kernel(MIXED), mixed).cases == 2


def test_gl(kernel, gl, judge):
    judge(kernel(HEAT), heat, size=(5, 4))
    if hasattr(gl, "buffer"):
        assert gl.buffer(b"four").read() == b"four" and gl.version_code >= 330
    else:
        assert gl.function("glIsEnabled", ctypes.c_ubyte, ctypes.c_uint)(0x0BE2) == 0


def test_wrong(kernel, judge):
    judge(kernel(HEAT, "- 4.0", "- 4.001"), heat)


def test_no_compile(kernel, judge):
    judge(kernel(HEAT, "return old", "return odd"), heat)


def test_no_head(kernel, judge):
    judge(kernel(HEAT, "set rate", "set ratio"), heat)


def test_copy(kernel, judge):
    judge(kernel(HEAT, "rate * (", "0.0 * (rate + "), lambda x: x)


def test_raises(kernel, judge):
    judge(kernel(HEAT), lambda x: x / nothing)


def test_shape(kernel, judge):
    judge(kernel(HEAT), lambda x: x[1:])


def test_gl_error(gl):
    find = ctypes.CDLL("libEGL.so.1").eglGetProcAddress
    find.restype = ctypes.c_void_p
    ctypes.CFUNCTYPE(None, ctypes.c_uint)(find(b"glEnable"))(0x12345)


def test_after_error(gl):
    assert gl is not None
