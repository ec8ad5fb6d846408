# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""The conversions and transforms of a shared library, by its C interface."""
import array
import ctypes


class Layout(ctypes.Structure):
    _fields_ = [('size', ctypes.c_size_t)] + [(name, ctypes.c_int64) for name in ('rows', 'row_bytes', 'scale_row_bytes', 'data_bytes', 'scale_bytes')]


class Conversion(ctypes.Structure):
    _fields_ = [('size', ctypes.c_size_t), ('storage', ctypes.c_char_p), ('real_type', ctypes.c_char_p)] + [
        (name, ctypes.c_int64) for name in ('rows', 'reals', 'code_row_bytes', 'scale_row_bytes', 'real_row_stride')] + [
        ('rounding', ctypes.c_int), ('seed', ctypes.c_uint64), ('index', ctypes.c_uint64)]


class ContextOptions(ctypes.Structure):
    _fields_ = [('size', ctypes.c_size_t), ('target', ctypes.c_char_p), ('threads', ctypes.c_int), ('parallel_for', ctypes.c_void_p),
                ('parallel_user', ctypes.c_void_p)]


class Target(ctypes.Structure):
    _fields_ = [('size', ctypes.c_size_t), ('backend', ctypes.c_char_p), ('name', ctypes.c_char_p), ('available', ctypes.c_int), ('is_default', ctypes.c_int),
                ('reason', ctypes.c_char_p), ('has_fma', ctypes.c_int), ('lanes_f32', ctypes.c_int), ('lanes_f64', ctypes.c_int), ('codelets', ctypes.c_size_t)]


TYPES = {'f32': 'f', 'f64': 'd'}


class Library:
    def __init__(self, path):
        self.dll = ctypes.CDLL(path)
        self.dll.ulpfft_last_error.restype = ctypes.c_char_p
        self.dll.ulpfft_target_count.restype = ctypes.c_size_t
        self.dll.ulpfft_target_get.argtypes = [ctypes.c_size_t, ctypes.c_void_p]
        self.contexts = {}  # of every target that runs here
        for i in range(self.dll.ulpfft_target_count()):
            target = Target(size=ctypes.sizeof(Target))
            self.check(self.dll.ulpfft_target_get(i, ctypes.byref(target)))
            if target.available:
                context = ctypes.c_void_p()
                options = ContextOptions(size=ctypes.sizeof(ContextOptions), target=target.name, threads=1)
                self.check(self.dll.ulpfft_context_create(ctypes.byref(options), ctypes.byref(context)))
                self.contexts[target.name.decode()] = context

    def check(self, status):
        if status != 0:
            raise RuntimeError('the library says: ' + self.dll.ulpfft_last_error().decode())

    def layout(self, storage, rows, reals):
        layout = Layout(size=ctypes.sizeof(Layout))
        self.check(self.dll.ulpfft_format_layout(storage.encode(), 2, (ctypes.c_int64 * 2)(rows, reals), ctypes.byref(layout)))
        return layout

    def conversion(self, storage, real_type, rows, reals, rounding=0):
        return Conversion(size=ctypes.sizeof(Conversion), storage=storage.encode(), real_type=real_type.encode(), rows=rows, reals=reals, rounding=rounding)

    def encode(self, target, storage, real_type, numbers, rows=1, rounding=0):
        """Bytes of the codes, bytes of the scales, how many saturated."""
        reals = array.array(TYPES[real_type], numbers)
        layout = self.layout(storage, rows, len(reals) // rows)
        codes = ctypes.create_string_buffer(layout.data_bytes)
        scales = ctypes.create_string_buffer(layout.scale_bytes) if layout.scale_bytes else None
        saturated = ctypes.c_int64(-1)
        job = self.conversion(storage, real_type, rows, len(reals) // rows, rounding)
        self.check(self.dll.ulpfft_encode(self.contexts[target], ctypes.byref(job), ctypes.c_void_p(reals.buffer_info()[0]), codes, scales, ctypes.byref(saturated)))
        return codes.raw, scales.raw if scales else b'', saturated.value

    def decode(self, target, storage, real_type, codes, scales, count, rows=1):
        reals = array.array(TYPES[real_type], bytes(array.array(TYPES[real_type]).itemsize * count))
        job = self.conversion(storage, real_type, rows, count // rows)
        held = ctypes.create_string_buffer(codes, len(codes))
        held_scales = ctypes.create_string_buffer(scales, len(scales)) if scales else None
        self.check(self.dll.ulpfft_decode(self.contexts[target], ctypes.byref(job), held, held_scales, ctypes.c_void_p(reals.buffer_info()[0])))
        return reals.tolist()

    def transform(self, target, problem, recipe, real_type, numbers):
        """Interleaved reals transformed by the plan of a problem text and a recipe, or the sentence that refuses it."""
        plan = ctypes.c_void_p()
        if self.dll.ulpfft_plan_from_recipe(self.contexts[target], problem.encode(), recipe.encode(), ctypes.byref(plan)) != 0:
            return self.dll.ulpfft_last_error().decode()
        source = array.array(TYPES[real_type], numbers)
        result = array.array(TYPES[real_type], bytes(source.itemsize * len(source)))
        try:
            self.check(self.dll.ulpfft_execute(plan, ctypes.c_void_p(source.buffer_info()[0]), ctypes.c_void_p(result.buffer_info()[0])))
        finally:
            self.dll.ulpfft_plan_destroy(plan)
        return result.tolist()


def pack(codes, bits):
    """The bytes of a row: a little-endian bit stream."""
    text = ''.join(format(code, f'0{bits}b') for code in reversed(codes))
    return int(text, 2).to_bytes((len(codes) * bits + 7) // 8, 'little')


def unpack(data, bits, count):
    text = format(int.from_bytes(data, 'little'), f'0{8 * len(data)}b')[::-1]
    return [int(text[i * bits:(i + 1) * bits][::-1], 2) for i in range(count)]
