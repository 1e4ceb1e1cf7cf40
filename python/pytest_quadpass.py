# SPDX-License-Identifier: MIT
"""Fixtures for pytest: `gl`, an OpenGL context without a screen on a driver that was proven, and
`judge`, which compares a kernel file with a function of numpy. docs/ci.md explains both."""

import contextlib
import ctypes
import functools
import inspect
import os
import random
import re
from ctypes import CFUNCTYPE, POINTER, byref, c_char_p, c_double, c_int, c_void_p, cast
from itertools import takewhile
from types import SimpleNamespace

import pytest

try:
    import moderngl
except ImportError:
    moderngl = None

SONAME = 1  # SOVERSION of the Makefile
GL_ERRORS = ("INVALID_ENUM", "INVALID_VALUE", "INVALID_OPERATION", "STACK_OVERFLOW",
             "STACK_UNDERFLOW", "OUT_OF_MEMORY", "INVALID_FRAMEBUFFER_OPERATION", "CONTEXT_LOST")

# Structs of include/quadpass, which tests/python compares with C's. Those that the library alone
# makes end where nothing more is read.
STRUCTS = """
qp_device: s renderer vendor version
qp_proof: s name computes, i status, 1024c sentence
qp_kernel_input: s name, i type channels reach
qp_kernel_number: s name, i type elements
qp_pass_number: s name, 4d value, D list
qp_kernel_desc: s name body, 2s fragment vertex, 9qp_kernel_input input, 17qp_kernel_number number,
    i outputs output_type output_channels, 2s compute, i group_x group_y, b fast, p sweep launch
qp_kernel_file_array: 64c name, s from, i made, b has_outside, i outside, d outside_value
qp_kernel_file_number: 64c name, i values, 64d value
qp_kernel_file_head: 8qp_kernel_file_array array, i arrays, 16qp_kernel_file_number number,
    i numbers, b has_outside, i outside, d outside_value, 256c state, i states steps width height,
    b has_seed, q seed
qp_kernel_file: s path text, b is_short, qp_kernel_desc desc, qp_kernel_file_head head
qp_kernel_array: i width height channels outside, d value, D values
qp_kernel_grid: i width height channels, 8qp_kernel_array input, p number user
qp_record: p variant, i width height systems iterations, 6d seconds, d gflops, 3d cost,
    d error tolerance, i verdict, 512c reason
qp_check_desc: p make, i problems width height iterations pingpong target, 7i parts, s no_device,
    p interrupt on_case user
"""
TALLY = 1 << 14  # bytes, more than a struct qp_tally has
PASS, FAIL = 1, 2
COUNTS = (1, 1, 2, 3, 4, 1, 1, 2, 3, 4)  # values of a number by enum qp_number_type


def structs():
    kinds = dict(s=c_char_p, i=c_int, d=c_double, b=ctypes.c_bool, p=c_void_p, c=ctypes.c_char,
                 q=ctypes.c_ulonglong, D=POINTER(c_double))
    for name, members in re.findall(r"(\w+): ((?:.|\n    )*)", STRUCTS):
        fields = []
        for kind, *names in map(str.split, members.split(",")):
            count, kind = re.match(r"(\d*)(\w+)", kind).groups()
            fields += [(n, kinds[kind] * int(count) if count else kinds[kind]) for n in names]
        kinds[name] = type(name, (ctypes.Structure,), {"_fields_": fields})
    return SimpleNamespace(**kinds)


C = structs()
Reference = CFUNCTYPE(c_double, POINTER(C.qp_kernel_grid), POINTER(POINTER(c_double)))
Make = CFUNCTYPE(c_int, c_void_p, c_int, c_int, c_int, c_int, c_void_p)
OnCase = CFUNCTYPE(None, c_void_p, POINTER(C.qp_record))


# ---- The library, and the device

class Missing(Exception):
    """No device, or no library."""


class Opened:
    """The library with a context of its own, whose driver is proven."""

    def __init__(self):
        name = os.environ.get("QUADPASS_LIBRARY", f"libquadpass.so.{SONAME}")
        try:
            self.library = ctypes.CDLL(name)
        except OSError as error:
            raise Missing(f"{error}; install Quadpass, or name its libquadpass.so.{SONAME} by "
                          "QUADPASS_LIBRARY") from None
        self.library.qp_error.restype = c_char_p
        self.library.qp_context_device.restype = POINTER(C.qp_device)
        self.library.qp_trial_problem.argtypes = (c_void_p, c_int, c_int, C.q, c_void_p)
        self.context, proofs, wrong = c_void_p(), (C.qp_proof * 12)(), c_int(-1)
        if self.library.qp_context_create(None, byref(self.context)) != 0:
            raise Missing(self.error())
        if self.library.qp_prove(self.context, proofs, len(proofs), byref(wrong)) != 0:
            raise RuntimeError(self.error())
        if wrong.value >= 0:
            raise RuntimeError(proofs[wrong.value].sentence.decode())
        facts = self.library.qp_context_device(self.context).contents
        self.renderer, self.version = facts.renderer.decode(), facts.version.decode()
        self.find = ctypes.CDLL("libEGL.so.1").eglGetProcAddress
        self.find.restype, self.find.argtypes = c_void_p, (c_char_p,)

    def error(self):
        return self.library.qp_error().decode()

    def function(self, name, result, *arguments):
        """A function of OpenGL for the context that is current, such as
        gl.function("glIsEnabled", ctypes.c_ubyte, ctypes.c_uint)."""
        return CFUNCTYPE(result, *arguments)(self.find(name.encode()))

    def take_errors(self):
        get = self.function("glGetError", ctypes.c_uint)
        codes = takewhile(lambda code: code != 0, (get() for _ in GL_ERRORS))
        return ["GL_" + GL_ERRORS[code - 0x500] for code in codes]


@functools.lru_cache(maxsize=None)
def opened():
    """The device of this process, or None and the reason."""
    try:
        return Opened(), None
    except (Missing, RuntimeError) as reason:
        return None, reason


def need(config):
    device, reason = opened()
    if isinstance(reason, RuntimeError):
        pytest.fail(f"this driver computes wrong: {reason}", pytrace=False)
    if reason is not None:
        (pytest.fail if config.getoption("--gl-required") else pytest.skip)(f"no OpenGL: {reason}")
    return device


def moderngl_context(device):
    """A context of moderngl's own on the device that is proven."""
    made = moderngl.create_context(standalone=True, backend="egl", libgl="libGL.so.1",
                                   libegl="libEGL.so.1")
    if made.info["GL_RENDERER"] != device.renderer:
        pytest.fail(f"moderngl takes {made.info['GL_RENDERER']}, and {device.renderer} is proven; "
                    "choose the same by QUADPASS_DEVICE", pytrace=False)
    return made


# ---- pytest

def pytest_addoption(parser):
    group = parser.getgroup("quadpass")
    group.addoption("--gl-required", action="store_true", help="without OpenGL tests fail")
    group.addoption("--gl-seed", type=int, metavar="N", help="seed of judge's sizes and inputs")


def pytest_report_collectionfinish(items):
    if not any({"gl", "judge"} & set(getattr(item, "fixturenames", ())) for item in items):
        return []
    device, reason = opened()
    return [f"gl: none; {reason}" if device is None else
            f"gl: {device.renderer}, OpenGL {device.version}; its driver is proven"]


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if call.when == "call" and "gl" in getattr(item, "funcargs", {}):
        errors = opened()[0].take_errors()
        if errors and report.passed:
            report.outcome = "failed"
            report.longrepr = f"OpenGL reports {', '.join(errors)} after {item.nodeid}"


@pytest.fixture(scope="session")
def _gl(pytestconfig):
    device = need(pytestconfig)
    made = moderngl_context(device) if moderngl else None
    yield made or device
    if made:
        made.release()


@pytest.fixture
def gl(_gl):
    """A context of moderngl, or without it an object with renderer, version and function(): one
    for all tests. Its driver is proven; an error of OpenGL fails the test."""
    with _gl if moderngl else contextlib.nullcontext():
        opened()[0].take_errors()
        yield _gl


# ---- The judge

def shape_of(array):
    return (array.height, array.width, array.channels)[:3 if array.channels > 1 else 2]


class Trial:
    """A kernel file with a function that says what its outputs are."""

    def __init__(self, device, file, reference):
        self.device, self.desc, self.reference = device, file.contents.desc, reference
        self.raised, self.stop, self.worst, self.cases, self.seed = None, c_int(0), None, 0, 0
        self.callbacks = Reference(self.refer), Make(self.make), OnCase(self.note)
        self.trial, self.variant = c_void_p(), c_void_p()
        if device.library.qp_trial_from_file(file, self.callbacks[0], None, byref(self.trial),
                                             byref(self.variant)) != 0:
            pytest.fail(device.error(), pytrace=False)

    def arguments(self, grid):
        import numpy
        named = {}
        for array, entry in zip(grid.input, takewhile(lambda e: e.name, self.desc.input)):
            values = numpy.ctypeslib.as_array(array.values, shape_of(array))
            values.flags.writeable = False
            named[entry.name.decode()] = values
        for k, entry in enumerate(takewhile(lambda e: e.name, self.desc.number)):
            value = cast(grid.number, POINTER(C.qp_pass_number))[k]
            values = value.list[:entry.elements] or value.value[:COUNTS[entry.type]]
            named[entry.name.decode()] = values[0] if len(values) == 1 else numpy.array(values)
        return named

    def answer(self, grid, output):
        __tracebackhide__ = True
        import numpy
        named, takes = self.arguments(grid), inspect.signature(self.reference).parameters
        if all(p.kind != p.VAR_KEYWORD for p in takes.values()):
            named = {name: value for name, value in named.items() if name in takes}
        answer, outputs = self.reference(**named), max(1, self.desc.outputs)
        answer = answer if outputs > 1 else (answer,)
        shapes = [numpy.shape(values) for values in answer]
        if shapes != outputs * [shape_of(grid)]:
            raise ValueError(f"the reference returns arrays of shapes {shapes}, and the kernel's "
                             f"are {outputs * [shape_of(grid)]}")
        for k, values in enumerate(answer):
            numpy.ctypeslib.as_array(output[k], shape_of(grid))[...] = values

    def refer(self, grid, output):
        __tracebackhide__ = True
        try:
            if self.raised is None:
                self.answer(grid.contents, output)
        except BaseException as error:  # nothing may pass through C
            self.raised, self.stop.value = error, 1
        return 0.0

    def make(self, _user, _number, width, height, _systems, out):
        return self.device.library.qp_trial_problem(self.trial, width, height, self.seed, out)

    def note(self, _user, record):
        self.cases += 1
        if record.contents.verdict != PASS and self.worst is None:
            self.worst = C.qp_record.from_buffer_copy(record.contents)

    def check(self, size):
        """The verdict and the worst case at this size, or with None at the usual awkward ones."""
        __tracebackhide__ = True
        tally, (width, height) = ctypes.create_string_buffer(TALLY), size or (0, 0)
        make, note, stop = (cast(p, c_void_p) for p in (*self.callbacks[1:], byref(self.stop)))
        desc = C.qp_check_desc(make=make, on_case=note, width=width, height=height, interrupt=stop)
        status = self.device.library.qp_check(self.device.context, byref(self.variant), 1,
                                              byref(desc), tally)
        if self.raised is not None:
            raise self.raised
        if status != 0:
            pytest.fail(self.device.error(), pytrace=False)
        return (self.device.library.qp_tally_verdict(tally),
                self.worst or C.qp_record.from_buffer_copy(tally))


def fresh_sizes(draw):
    """A wide size, a high one, and any, which no kernel can have learned."""
    pairs = [(round(2 ** draw.uniform(low, 10)), round(2 ** draw.uniform(0, 7)))
             for low in (8.1, 8.1, 0)]
    return [pairs[0], pairs[1][::-1], pairs[2]]


@pytest.fixture
def judge(pytestconfig, request):
    """judge("heat.frag", reference=f) compares a kernel file beside the test with f, a function of
    numpy's arrays and of numbers, by their names in the kernel; a wrong kernel fails the test."""
    device = need(pytestconfig)

    def run(path, reference, size=None):
        __tracebackhide__ = True
        file, library = POINTER(C.qp_kernel_file)(), device.library
        given = pytestconfig.getoption("--gl-seed")
        seed = random.randrange(10 ** 6) if given is None else given
        name = os.path.relpath(request.path.parent / path)
        if library.qp_kernel_read(name.encode(), byref(file)) != 0:
            pytest.fail(device.error(), pytrace=False)
        request.addfinalizer(lambda: library.qp_kernel_file_destroy(byref(file)))
        trial, head = Trial(device, file, reference), file.contents.head
        request.addfinalizer(lambda: library.qp_trial_destroy(byref(trial.trial)))
        trial.seed = head.seed if head.has_seed and given is None else seed
        own = size or ((head.width, head.height) if head.width else None)
        for at in [own] if own else [None, *fresh_sizes(random.Random(seed))]:
            verdict, worst = trial.check(at)
            if verdict != PASS and (verdict == FAIL or at == own):
                place = f"at {worst.width}x{worst.height} after {worst.iterations} step(s): "
                pytest.fail(f"{name}: {place if verdict == FAIL else ''}{worst.reason.decode()} "
                            f"(--gl-seed {seed} repeats it)", pytrace=False)
        return SimpleNamespace(cases=trial.cases, error=worst.error, tolerance=worst.tolerance)

    return run
