#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""PTX of kernels to C, so that a processor executes what the library ships.

    ptx_to_c.py INPUT OUTPUT [KERNEL...]

Each kernel, or each that is named, becomes a function that one thread of a block executes up to its next barrier. Registers are fields of
its state; the function is entered again behind the barrier. Accesses go through the functions of ptx_machine.h, which check them. PTX
that is not known here ends the translation with a sentence: nothing is left out or approximated.
"""
import re
import sys

C_TYPES = {'pred': 'uint8_t', 'f32': 'float', 'f64': 'double'}
BITS = {'pred': 8, 'f32': 32, 'f64': 64}
for width in (8, 16, 32, 64):
    for sign in 'bus':
        BITS[f'{sign}{width}'] = width
        C_TYPES[f'{sign}{width}'] = f'{"" if sign == "s" else "u"}int{width}_t'
WIDER = {'u16': 'u32', 's16': 's32', 'u32': 'u64', 's32': 's64'}
ORDERED = {'eq': '==', 'lt': '<', 'le': '<=', 'gt': '>', 'ge': '>=', 'lo': '<', 'ls': '<=', 'hi': '>', 'hs': '>='}
UNORDERED = {'neu': '==', 'ltu': '>=', 'leu': '>', 'gtu': '<=', 'geu': '<'}  # what must not hold
OPERATORS = {'add': '+', 'sub': '-', 'mul': '*', 'and': '&', 'or': '|', 'xor': '^'}


def is_real(kind):
    return kind in ('f32', 'f64')


def split(arguments):
    """At commas outside of brackets."""
    return [part.strip() for part in re.split(r',(?![^{\[]*[}\]])', arguments)]


class Kernel:
    def __init__(self, match):
        self.name, parameters, directives, self.body = match.groups()
        self.parameter, size = re.search(r'(\w+_param_0)\[(\d+)\]', parameters).groups()
        self.parameter_bytes = int(size)
        self.threads = int(re.search(r'\.maxntid (\d+)', directives)[1])
        self.barriers = 0

    # ---- operands

    def register(self, text):
        match = re.fullmatch(r'%([a-z]+)(\d+)', text)
        return f's->{match[1]}[{match[2]}]' if match else None

    def read(self, text, kind):
        """A C expression of the type."""
        if text.startswith('!'):
            return '!' + self.read(text[1:], kind)
        if text == '%tid.x':
            return 'thread'
        if match := re.fullmatch(r'%ctaid\.([xyz])', text):
            return f'b->id[{"xyz".index(match[1])}]'
        if name := self.register(text):
            return f'as_{kind}({name})' if is_real(kind) else f'(({C_TYPES[kind]}){name})'
        if match := re.fullmatch(r'0[fF]([0-9A-Fa-f]{8})', text):
            return f'as_f32(0x{match[1]}u)'
        if match := re.fullmatch(r'0[dD]([0-9A-Fa-f]{16})', text):
            return f'as_f64(0x{match[1]}ull)'
        if text == self.parameter:
            return '(uint64_t)(uintptr_t)b->parameters'
        if re.fullmatch(r'_Z\w*shared\w*', text):
            return '0ull'  # shared memory begins there
        if re.fullmatch(r'-?(\d+|0x[0-9a-fA-F]+)', text):
            return f'(({C_TYPES[kind]}){text}ll)'
        return self.refuse(f'the operand {text}')

    def write(self, text, kind, value):
        name = self.register(text) or self.refuse(f'the result {text}')
        return f'{name} = of_{kind}({value});' if is_real(kind) else f'{name} = ({C_TYPES[kind]})({value});'

    def refuse(self, what):
        sys.exit(f'{self.name} has {what}, which ptx_to_c.py does not know: add it there.')

    def address(self, text):
        match = re.fullmatch(r'\[([%\w$]+)(?:\+(-?\d+))?\]', text) or self.refuse(f'the address {text}')
        return f'{self.read(match[1], "u64" if match[1] == self.parameter else self.address_kind(match[1]))} + ({match[2] or 0}ll)'

    def address_kind(self, text):
        return 'u32' if re.fullmatch(r'%r\d+', text) else 'u64'

    # ---- instructions

    def moved(self, parts, a):
        kind = parts[-1]
        if a[0].startswith('{'):
            half = BITS[kind] // 2
            low, high = split(a[0][1:-1])
            halves = [(low, 't_'), (high, f't_ >> {half}')]
            return f'{{ uint64_t t_ = {self.read(a[1], kind)}; ' + ' '.join(
                self.write(name, f'u{half}', value) for name, value in halves if name != '_') + ' }'
        if a[1].startswith('{'):
            half = BITS[kind] // 2
            low, high = (self.read(part, f'u{half}') for part in split(a[1][1:-1]))
            return self.write(a[0], kind, f'(uint64_t){low} | (uint64_t){high} << {half}')
        return self.write(a[0], kind, self.read(a[1], kind))

    def accessed(self, parts, a):
        kind, stores = parts[-1], parts[0] == 'st'
        space = parts[1] if parts[1] in ('shared', 'param') else 'global'  # generic addresses of kernels are global; they are checked
        data, where = (a[1], a[0]) if stores else (a[0], a[1])
        names = split(data[1:-1]) if data.startswith('{') else [data]
        width = BITS[kind] // 8
        if len(names) != (2 if 'v2' in parts else 1):
            self.refuse('.'.join(parts))
        code = f'{{ char* m_ = (char*)(uintptr_t)({self.address(where)}); '
        if space != 'param':
            code = (f'{{ char* m_ = b->{space}_at(b, thread, (uint{32 if space == "shared" else 64}_t)({self.address(where)}), '
                    f'{width * len(names)}, {int(stores)}); ')
        for i, name in enumerate(names):
            value = f'{C_TYPES[kind]} v_'
            if stores:
                code += f'{{ {value} = {self.read(name, kind)}; memcpy(m_ + {i * width}, &v_, {width}); }} '
            else:
                code += f'{{ {value}; memcpy(&v_, m_ + {i * width}, {width}); {self.write(name, kind, "v_")} }} '
        return code + '}'

    def computed(self, parts, a):
        name, kind = parts[0], parts[-1]
        if kind in ('f16x2', 'bf16x2') and parts[:-1] == ['fma', 'rn']:
            return self.write(a[0], 'u32', f'fma_{kind}({", ".join(self.read(text, "u32") for text in a[1:])})')
        x = [self.read(text, kind) for text in a[1:]]
        if is_real(kind):
            if 'rn' not in parts or 'ftz' in parts:
                self.refuse('.'.join(parts))
            return self.write(a[0], kind, f'fma{"f" if kind == "f32" else ""}({", ".join(x)})' if name == 'fma'
                              else f'{x[0]} {OPERATORS[name]} {x[1]}')
        return self.write(a[0], kind, f'{x[0]} {OPERATORS[name]} {x[1]}')

    def multiplied(self, parts, a):
        """Of integers; mad adds."""
        mode, kind = parts[1], parts[-1]
        into = WIDER[kind] if mode == 'wide' else kind
        wide = f'{"unsigned " if kind[0] == "u" else ""}__int128'
        product = f'(({wide}){self.read(a[1], kind)} * ({wide}){self.read(a[2], kind)})'
        if mode == 'hi':
            product = f'({product} >> {BITS[kind]})'
        elif mode not in ('lo', 'wide'):
            self.refuse('.'.join(parts))
        return self.write(a[0], into, product + (f' + {self.read(a[3], into)}' if parts[0] == 'mad' else ''))

    def shifted(self, parts, a):
        kind = parts[-1]
        x, by = self.read(a[1], kind), self.read(a[2], 'u32')
        far = f'({x} < 0 ? -1 : 0)' if kind[0] == 's' and parts[0] == 'shr' else '0'
        return self.write(a[0], kind, f'{by} >= {BITS[kind]} ? {far} : ({x} {"<<" if parts[0] == "shl" else ">>"} {by})')

    def compared(self, parts, a):
        if len(parts) != 3:
            self.refuse('.'.join(parts))
        how, kind = parts[1:]
        x, y = self.read(a[1], kind), self.read(a[2], kind)
        if how in ('nan', 'num'):
            value = f'({x} != {x} || {y} != {y}) == {int(how == "nan")}'
        elif how in UNORDERED:
            value = f'!({x} {UNORDERED[how]} {y})'
        elif how == 'ne':
            value = f'{x} < {y} || {x} > {y}'
        else:
            value = f'{x} {ORDERED[how]} {y}' if how in ORDERED else self.refuse('.'.join(parts))
        return self.write(a[0], 'pred', value)

    def selected(self, parts, a):
        kind = parts[-1]
        return self.write(a[0], kind, f'{self.read(a[3], "pred")} ? {self.read(a[1], kind)} : {self.read(a[2], kind)}')

    def converted(self, parts, a):
        to, of, how = parts[-2], parts[-1], parts[1:-2]
        if to in ('f16x2', 'bf16x2') and how == ['rn']:
            high, low = (f'to_{to[:-2]}({self.read(text, "f32")})' for text in a[1:3])
            return self.write(a[0], 'u32', f'(uint32_t){high} << 16 | {low}')
        if to in ('f16', 'bf16') and of == 'f32' and how == ['rn']:
            return self.write(a[0], 'u16', f'to_{to}({self.read(a[1], of)})')
        if (to, of, how) == ('f32', 'f16', []):
            return self.write(a[0], to, f'from_f16({self.read(a[1], "u16")})')
        if (to, of) == ('f32', 'f64') and how in (['rn'], ['rz']):
            return self.write(a[0], to, f'{how[0]}_f32({self.read(a[1], of)})')
        integers = to[0] in 'us' and of[0] in 'us'
        if how or not (integers or (to, of) == ('f64', 'f32')):
            self.refuse('.'.join(parts))
        return self.write(a[0], to, self.read(a[1], of))

    def of_bits(self, parts, a):
        if '.'.join(parts) not in ('bfi.b32', 'prmt.b32', 'dp2a.lo.u32.u32'):
            self.refuse('.'.join(parts))
        return self.write(a[0], 'u32', f'{parts[0]}({", ".join(self.read(text, "u32") for text in a[1:])})')

    def of_one(self, parts, a):
        kind = parts[-1]
        form = {'neg': '-({})', 'abs': 'fabs({})', 'not': '!{}' if kind == 'pred' else '~{}'}[parts[0]]
        if 'ftz' in parts or (parts[0] == 'abs' and not is_real(kind)):
            self.refuse('.'.join(parts))
        return self.write(a[0], kind, form.format(self.read(a[1], kind)))

    def least_or_most(self, parts, a):
        kind = parts[-1]
        x, y = self.read(a[1], kind), self.read(a[2], kind)
        if is_real(kind):
            return self.write(a[0], kind, f'f{parts[0]}({x}, {y})') if len(parts) == 2 else self.refuse('.'.join(parts))
        return self.write(a[0], kind, f'{x} {"<" if parts[0] == "min" else ">"} {y} ? {x} : {y}')

    def counted(self, parts, a):
        at = 1 if parts[0] == 'atom' else 0
        if parts[1:] != ['global', 'add', 'u64']:
            self.refuse('.'.join(parts))
        return (f'{{ char* m_ = b->global_at(b, thread, {self.address(a[at])}, 8, 1); uint64_t v_; memcpy(&v_, m_, 8); '
                f'v_ += {self.read(a[at + 1], "u64")}; memcpy(m_, &v_, 8); }}')

    def pointer(self, parts, a):
        return self.write(a[0], 'u64', self.read(a[1], 'u64')) if parts[-1] == 'u64' else self.refuse('.'.join(parts))

    def instruction(self, text):
        operation, _, arguments = text.partition(' ')
        parts = operation.split('.')
        if operation in ('bra', 'bra.uni'):
            return f'goto {arguments.strip().replace("$", "")};'
        if operation == 'ret':
            return 'return 0;'
        handler = INSTRUCTIONS.get(parts[0]) or self.refuse(f'the instruction {operation}')
        if parts[0] in ('mul', 'mad') and not is_real(parts[-1]):
            handler = Kernel.multiplied
        return handler(self, parts, split(arguments))

    def statement(self, text):
        match = re.match(r'@(!?)(%p\d+)\s+(.*)$', text)
        if match:
            if match[3].startswith('bar'):
                self.refuse('a barrier under a condition')
            return f'if ({match[1]}{self.register(match[2])}) {self.instruction(match[3])}'
        if text == 'bar.sync 0':
            self.barriers += 1
            return f's->at = {self.barriers}; return {self.barriers}; case {self.barriers}:;'
        return self.instruction(text)

    def translated(self):
        body = re.sub(r'//.*', '', self.body)
        fields = [f'uint{BITS[kind]}_t {name}[{count}];' for kind, name, count in re.findall(r'\.reg \.(\w+)\s+%([a-z]+)<(\d+)>;', body)]
        body = re.sub(r'\.(reg|pragma)[^;]*;', '', body)
        body = re.sub(r'^\s*(\$\w+):', r'LABEL \1;', body, flags=re.MULTILINE)
        lines = []
        for text in body.replace('\n', ' ').split(';'):
            text = ' '.join(text.split())
            if text.startswith('LABEL'):
                lines.append(text.split()[1].replace('$', '') + ':;')
            elif text:
                lines.append(self.statement(text))
        state = f'struct State_{self.name}'
        return '\n'.join([f'{state} {{ uint32_t at; {" ".join(fields)} }};',
                          f'static int run_{self.name}(void* state, Block* b, uint32_t thread) {{', f'{state}* s = state;',
                          'switch (s->at) { case 0:;', *lines, '}', 'return 0;', '}', ''])

    def row(self):
        return f'{{"{self.name}", run_{self.name}, sizeof(struct State_{self.name}), {self.parameter_bytes}, {self.threads}}},'


INSTRUCTIONS = {'mov': Kernel.moved, 'ld': Kernel.accessed, 'st': Kernel.accessed, 'cvta': Kernel.pointer, 'mul': Kernel.computed,
                'mad': Kernel.multiplied, 'shl': Kernel.shifted, 'shr': Kernel.shifted, 'setp': Kernel.compared, 'selp': Kernel.selected,
                'cvt': Kernel.converted, 'bfi': Kernel.of_bits, 'prmt': Kernel.of_bits, 'dp2a': Kernel.of_bits, 'neg': Kernel.of_one,
                'abs': Kernel.of_one, 'not': Kernel.of_one, 'min': Kernel.least_or_most, 'max': Kernel.least_or_most,
                'atom': Kernel.counted, 'red': Kernel.counted,
                **dict.fromkeys(('add', 'sub', 'fma', 'and', 'or', 'xor'), Kernel.computed)}
ENTRY = re.compile(r'\.visible \.entry (\w+)\((.*?)\)(.*?)\n\{(.*?)\n\}', re.DOTALL)


def translate(text, wanted=()):
    kernels = [Kernel(match) for match in ENTRY.finditer(text) if not wanted or match[1] in wanted]
    bodies = [kernel.translated() for kernel in kernels]
    table = ['const PtxKernel ptx_kernels[] = {', *(kernel.row() for kernel in kernels), '{0, 0, 0, 0, 0}};', '']
    return '#include "ptx_machine.h"\n' + '\n'.join(bodies + table)


if __name__ == '__main__':
    with open(sys.argv[1], encoding='utf-8') as source:
        translated = translate(source.read(), sys.argv[3:])
    with open(sys.argv[2], 'w', encoding='utf-8') as target:
        target.write(translated)
