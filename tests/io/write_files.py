# SPDX-License-Identifier: MIT
"""Writes files by SciPy and NumPy into the folder FOLDER, and for each a line of FOLDER/list: its
name, and what SciPy or NumPy reads of it, as ROWS x COLUMNS: VALUES, or words of a refusal.
Ends with 77 where they are not there."""
import os
import sys

try:
    import numpy
    import scipy.io
    import scipy.sparse
except ImportError as reason:
    print(reason)
    sys.exit(77)

os.chdir(sys.argv[1])
random = numpy.random.RandomState(1)
lines = []


def note(name, a):
    if not isinstance(a, str):
        a = numpy.atleast_2d(numpy.asarray(a)).astype('f8')
        a = '%d x %d:' % a.shape + ''.join(' %.17g' % v for v in a.ravel())
    lines.append(name + ': ' + a)


def market(name, a, words=None, **options):
    name += '.mtx'
    try:
        scipy.io.mmwrite(name, a, **options)
    except (TypeError, ValueError):
        return  # this SciPy does not write such a matrix
    back = scipy.io.mmread(name)
    back = back.toarray() if scipy.sparse.issparse(back) else back
    if words is None and options.get('precision', 0) >= 17:
        dense = a.toarray() if scipy.sparse.issparse(a) else a
        assert (back == dense).all(), name
    note(name, words or back)


def array(name, a, words=None):
    numpy.save(name + '.npy', a)
    note(name + '.npy', words or a.reshape(a.shape[0], -1) if words or a.ndim > 2 else a)


# Matrices: their kind, then sizes
for n in 1, 2, 7:
    full = random.randn(n, n) * 10.0 ** random.randint(-30, 30, (n, n))
    few = scipy.sparse.random(n, n, 0.4, random_state=random).toarray()
    whole = random.randint(-1000, 1000, (n, n))
    kinds = {'full': full, 'few': few, 'symmetric': full + full.T, 'skew': full - full.T,
             'few_symmetric': few + few.T, 'few_skew': few - few.T, 'whole': whole,
             'whole_symmetric': whole + whole.T, 'whole_skew': whole - whole.T,
             'unsigned': abs(whole).astype('u8'), 'unsigned_2': abs(whole + whole.T).astype('u2'),
             'bytes': (whole % 100).astype('i1'), 'single': full.astype('f4'),
             'zeros': numpy.zeros((n, n)), 'wide': random.randn(n, n + 2),
             'tall': random.randn(n + 3, n), 'fortran': numpy.asfortranarray(full)}
    for kind, a in kinds.items():
        for form in 'coo', 'csr', 'csc', 'dense':
            name = '%s_%s_%d' % (kind, form, n)
            b = a if form == 'dense' else scipy.sparse.coo_matrix(a).asformat(form)
            market(name, b)
            market(name + '_17', b, precision=17, comment='of random numbers\n\n second line')
            market(name + '_3', b, precision=3)
            if a.shape[0] == a.shape[1]:
                market(name + '_general', b, symmetry='general')
twice = scipy.sparse.coo_matrix(([1.5, 2.5, -1.0, 3.0], ([0, 0, 1, 1], [1, 1, 0, 1])), shape=(2, 2))
market('twice', twice)
with open('entries.mtx', 'w') as file:
    file.write('%%MatrixMarket matrix coordinate real symmetric\n2 2 4\n1 1 1\n2 1 2\n2 1 3\n2 2 4\n')
note('entries.mtx', scipy.io.mmread('entries.mtx').toarray())
with open('upper.mtx', 'w') as file:
    file.write('%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n1 2 2\n2 2 4\n')
note('upper.mtx', scipy.io.mmread('upper.mtx').toarray())
finite = 'is not a finite decimal number'
market('nan', numpy.array([[numpy.nan, 1.0], [2.0, 3.0]]), finite)
market('inf', scipy.sparse.coo_matrix([[1.0, numpy.inf], [2.0, 3.0]]), finite)
market('complex', numpy.array([[1j, 1.0], [2.0, 3.0]]), "header word 4 is 'complex'")
market('pattern', twice, "header word 4 is 'pattern'", field='pattern')

# Arrays: type, byte order, order of elements, shape
for kind in '?bBhHiIlLqQefd':
    for shape in (1,), (5,), (1, 1), (3, 4), (5, 1), (2, 3, 1), (2, 3, 2), (3, 1, 4):
        a = (random.randint(0, 120, shape) - (0 if kind in '?BHILQ' else 60)).astype(kind)
        a = a / numpy.array(3, kind) if kind in 'efd' else a
        for order in 'CF':
            for swap in '<', '>':
                b = numpy.asarray(a.astype(a.dtype.newbyteorder(swap)), order=order)
                array('%s%s_%s_%d' % (ord(kind), swap, order, len(lines)), b)
array('cut', numpy.arange(24.0).reshape(4, 6)[::2, 1::2])
array('turned', numpy.arange(6.0).reshape(2, 3).T)
array('most', numpy.array([2 ** 53, -2 ** 53]))
array('odd', numpy.array([0.1, -0.0, 5e-324, 1e308]))
array('beyond', numpy.array([2 ** 53 + 2]), 'at most 2^53 is exact in a double')
array('complex64', numpy.ones((2, 2), 'F'), 'complex numbers (save a.real and a.imag apart)')
array('complex128', numpy.ones((2, 2), 'D'), 'complex numbers (save a.real and a.imag apart)')
array('long', numpy.ones((2, 2), 'g'), 'floats of more than 8 bytes')
array('object', numpy.array([1, None]), "Python's objects")
array('fields', numpy.zeros(2, [('a', 'f8'), ('b', 'i4')]), 'an array with fields')
array('text', numpy.array(['1', '2']), 'text (save')
array('bytes', numpy.array([b'1', b'2']), 'text (save')
array('days', numpy.zeros(2, 'M8[D]'), 'times (save')
array('spans', numpy.zeros(2, 'm8[s]'), 'times (save')
array('raw', numpy.zeros(2, 'V3'), 'raw bytes (save')
array('none', numpy.zeros((0, 3)), 'an axis of length 0')
numpy.savez('two.npz', a=full, b=few)
note('two.npz', 'a zip or NumPy archive')
scipy.sparse.save_npz('sparse.npz', twice)
note('sparse.npz', 'a zip or NumPy archive')
with open('list', 'w') as file:
    file.write('\n'.join(lines) + '\n')
