# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Number formats by their definition (genfft/formats/README.md), and random ones. Shares nothing with the library or the generator.

All values of a format are exact in a Python float; what lies between two of them, too, except below the smallest of f64.
"""
import bisect
import fractions
import math

SPECIALS = ('ieee', 'fn', 'fnuz', 'p3109', 'none')
RULES = ('floor', 'ceil', 'rceil', 'even', 'fit')


class Format:
    """An element or integer format. `values`: what encoding yields, ascending; of floats without sign."""

    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.name, self.bits = descriptor['name'], descriptor['bits']
        self.is_integer = descriptor['kind'] == 'integer'
        self.signed = descriptor.get('signed', True)
        self.first = 0  # code of values[0]
        if self.is_integer:
            self.offset, self.step = descriptor.get('offset', 0), math.ldexp(1.0, -descriptor['fraction'])
            low, high = (-(1 << self.bits - 1), (1 << self.bits - 1) - 1) if self.signed else (0, (1 << self.bits) - 1)
            while descriptor['range'] == 'symmetric' and high - self.offset < self.offset - low:
                low += 1
            self.first = low
            self.values = [self.integer_value(code) for code in range(low, high + 1)]
            self.beyond, self.before = self.integer_value(high + 1), self.integer_value(low - 1)
        else:
            self.exponent, self.mantissa, self.bias = descriptor['exponent'], descriptor['mantissa'], descriptor['bias']
            self.special, self.zero = descriptor['special'], descriptor.get('zero', True)
            self.magnitudes = 1 << self.exponent + self.mantissa
            reserved = {'ieee': 1 << self.mantissa, 'fn': 1, 'fnuz': 0, 'p3109': 1, 'none': 0}[self.special]
            self.values = [self.float_value(code) for code in range(self.magnitudes - reserved)]
            self.beyond = self.exact_value(len(self.values))  # where the exponent would go on, beyond f64 perhaps
        self.largest = self.values[-1]

    def integer_value(self, code):
        return (code - self.offset) * self.step

    def exact_value(self, magnitude):
        e, m = magnitude >> self.mantissa, magnitude & (1 << self.mantissa) - 1
        if e == 0 and self.zero:
            return m * fractions.Fraction(2) ** (1 - self.bias - self.mantissa)
        return ((1 << self.mantissa) + m) * fractions.Fraction(2) ** (e - self.bias - self.mantissa)

    def float_value(self, magnitude):
        return float(self.exact_value(magnitude))

    def value(self, code):
        if self.is_integer:
            return self.integer_value(code - (1 << self.bits) if self.signed and code >> self.bits - 1 else code)
        negative, magnitude = self.signed and code >= self.magnitudes, code % self.magnitudes
        if negative and magnitude == 0 and self.special in ('fnuz', 'p3109'):
            return math.nan
        if magnitude >= len(self.values):
            infinity = self.special == 'p3109' or self.special == 'ieee' and magnitude == len(self.values)
            return (-math.inf if negative else math.inf) if infinity else math.nan
        return -self.float_value(magnitude) if negative else self.float_value(magnitude)

    def code_at(self, index, negative=False):
        """Of values[index], with a sign where the format has one."""
        if self.is_integer:
            return self.first + index & (1 << self.bits) - 1
        sign = negative and self.signed and (index > 0 or self.special not in ('fnuz', 'p3109'))
        return index | (self.magnitudes if sign else 0)

    def nan_code(self):
        if self.is_integer:
            return self.encode(0.0)[0]
        quiet = (1 << self.exponent) - 1 << self.mantissa | (1 << self.mantissa >> 1)
        return {'ieee': quiet, 'fn': self.magnitudes - 1, 'fnuz': self.magnitudes, 'p3109': self.magnitudes, 'none': self.magnitudes - 1}[self.special]

    def overflow_code(self, negative):
        """What a number beyond the largest becomes without saturation."""
        if self.is_integer or self.special == 'none':
            return self.code_at(len(self.values) - 1, negative)
        return self.magnitudes if self.special == 'fnuz' else self.code_at(len(self.values), negative)

    def encode(self, x):
        """(code, whether x lay beyond) of a finite number: to nearest, ties to the even code, saturating."""
        negative = math.copysign(1.0, x) < 0
        if not self.is_integer:
            if negative and not self.signed:
                return 0, x != 0
            x = abs(x)
        exact = fractions.Fraction(x)
        above = bisect.bisect_right(self.values, x)
        if above == 0 and not self.is_integer:
            return self.code_at(0, negative), False
        low = self.values[above - 1] if above else self.before
        high = self.values[above] if above < len(self.values) else self.beyond
        index = above - 1
        if x != low:
            twice, middle = 2 * exact, fractions.Fraction(low) + fractions.Fraction(high)
            index += twice > middle or twice == middle and (self.first + index) % 2 != 0
        beyond = index < 0 or index >= len(self.values)
        return self.code_at(min(max(index, 0), len(self.values) - 1), negative), beyond

    def probes(self):
        """Numbers with the codes they become, and whether they lie beyond: every value, every middle between two, and what lies beside it."""
        def with_neighbours(low, high, inner, outer, inner_even, beyond):
            exact = (fractions.Fraction(low) + fractions.Fraction(high)) / 2
            try:
                middle = float(exact)
            except OverflowError:
                return
            if fractions.Fraction(middle) != exact:
                return  # not a number of f64
            out = math.inf if high > low else -math.inf
            yield middle, inner if inner_even else outer, beyond and not inner_even
            yield math.nextafter(middle, -out), inner, False
            yield math.nextafter(middle, out), outer, beyond
        count = len(self.values)
        for i, value in enumerate(self.values):
            yield value, i, False
            high, outer = (self.values[i + 1], i + 1) if i + 1 < count else (self.beyond, i)
            yield from with_neighbours(value, high, i, outer, (self.first + i) % 2 == 0, i + 1 == count)
        if self.is_integer:
            yield from with_neighbours(self.values[0], self.before, 0, 0, self.first % 2 == 0, True)


def floor_log2(x):
    return math.frexp(x)[1] - 1


def scale_exponent(element, rule, amax):
    """Golden section 3, in exact arithmetic; before it is clamped to what the scale's format holds."""
    a, largest, emax = fractions.Fraction(amax), fractions.Fraction(element.largest), floor_log2(element.largest)

    def least(fits):
        e = floor_log2(amax) - emax - 3
        while not fits(fractions.Fraction(2) ** e):
            e += 1
        return e
    if rule == 'floor':
        return floor_log2(amax) - emax
    if rule == 'ceil':
        return floor_log2(amax) + (a != fractions.Fraction(2) ** floor_log2(amax)) - emax
    if rule == 'rceil':
        return least(lambda power: a <= largest * power)
    if rule == 'even':
        places = emax + element.descriptor['fraction'] if element.is_integer else element.mantissa
        step = fractions.Fraction(2) ** (floor_log2(amax) - places)
        rounded = (a / step + fractions.Fraction(1, 2)).__floor__() * step
        return floor_log2(amax) + (rounded >= fractions.Fraction(2) ** (floor_log2(amax) + 1)) - emax
    middle = (largest + fractions.Fraction(element.beyond)) / 2
    even = (element.first + len(element.values) - 1) % 2 == 0
    return least(lambda power: a < middle * power or even and a == middle * power)


def encode_block(element, rule, reals):
    """Scale code of e8m0, and codes. The reals are finite."""
    amax = max(abs(x) for x in reals)
    if amax == 0:
        return 0, [element.encode(x)[0] for x in reals]
    e = min(max(scale_exponent(element, rule, amax), -127), 127)
    return e + 127, [element.encode(math.ldexp(x, -e))[0] for x in reals]


# ---- Random descriptors ----------------------------------------------------------------------------------------------------------


def compute_of(highest, lowest_step):
    return 'f32' if highest <= 127 and lowest_step >= -149 else 'f64'


def random_lopsided_integer(random, name):
    """One that mx schemes take and whose lowest value lies beyond the largest: -8 to 7."""
    while True:
        descriptor = random_integer(random, name)
        if descriptor['signed'] and descriptor['bits'] < 12 and descriptor['range'] == 'whole' and descriptor['offset'] == 0 and descriptor['expect']['largest'] >= 1:
            return descriptor


def random_integer(random, name):
    bits, signed = random.randint(3, 16), random.random() < 0.5
    half = 1 << bits - 1
    offset = (random.choice([0, 0, 0.5, random.randint(-half, half - 2) / 2]) if signed else random.choice([half, half - 0.5, random.randint(0, 2 * half - 2) / 2]))
    descriptor = {'name': name, 'source': 'random', 'kind': 'integer', 'bits': bits, 'signed': signed, 'fraction': random.randint(-20, 20),
                  'offset': offset, 'range': random.choice(['whole', 'symmetric']), 'compute': 'f32'}
    exact = Format(descriptor)
    return descriptor | {'expect': {'largest': exact.largest, 'lowest': exact.values[0], 'step': exact.step}}


def random_float(random, name, special, wild):
    """Of any split; `wild`: with any bias that f64 holds, else with 1 in the middle of the range."""
    signed = special in ('fnuz', 'p3109') or random.random() < 0.85
    zero = signed or random.random() < 0.5
    least = 2 if special == 'ieee' else 1
    bits = random.randint(max(3, least + (special == 'ieee') + signed), 16)
    rest = bits - signed
    exponent = random.randint(least, min(rest - (special == 'ieee'), 11))
    mantissa = rest - exponent
    top = (1 << exponent) - 1
    lowest_bias = max(-1000, top - 1023)  # the largest binade is at most that of f64
    bias = random.randint(lowest_bias, 1075 - mantissa) if wild else max((1 << exponent - 1) - 1, lowest_bias)
    descriptor = {'name': name, 'source': 'random', 'kind': 'element', 'bits': bits, 'signed': signed, 'zero': zero, 'exponent': exponent,
                  'mantissa': mantissa, 'bias': bias, 'special': special, 'overflow': 'saturate'}
    exact = Format(descriptor)
    lowest = (1 if zero else 0) - bias
    expect = {'largest': exact.largest, 'smallest_normal': math.ldexp(1.0, lowest)}
    if zero and mantissa > 0:
        expect['smallest_subnormal'] = math.ldexp(1.0, lowest - mantissa)
    return descriptor | {'compute': compute_of(floor_log2(exact.largest), lowest - mantissa), 'expect': expect}


def random_block(random, element, name):
    """Over an element format that can be in blocks, else None."""
    descriptor = element.descriptor
    if not element.signed or element.is_integer and element.offset != 0:
        return None
    length = random.choice([0, 2, 4, 8, 16, 32, 64])
    return {'name': name, 'source': 'random', 'kind': 'block', 'element': descriptor['name'], 'scale': 'e8m0', 'length': length, 'rule': random.choice(RULES),
            'expect': {'bits_per_value': element.bits + (8 / length if length else 0)}}


def refused_descriptors(random, count):
    """Floats whose largest value, or smallest step, f64 does not hold."""
    for i in range(count):
        exponent, mantissa = random.randint(2, 8), random.randint(1, 7)
        bias = random.choice([-1100, (1 << exponent) - 1 - 1024, 1076 - mantissa, 1100])
        yield {'name': f'refused{i}', 'source': 'random', 'kind': 'element', 'bits': 1 + exponent + mantissa, 'exponent': exponent, 'mantissa': mantissa,
               'bias': bias, 'special': 'none', 'compute': 'f64', 'overflow': 'saturate', 'expect': {'largest': 1, 'smallest_normal': 1, 'smallest_subnormal': 1}}
