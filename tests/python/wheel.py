# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""A wheel of the package out of an extension module that is built already, as `pip wheel .` makes it from nothing.

    wheel.py SOURCE MODULE FOLDER    writes FOLDER/ulpfft-VERSION-TAG.whl and prints its name
"""
import base64
import hashlib
import pathlib
import re
import sys
import sysconfig
import zipfile


def tag_of(module):
    """python-abi-platform, by the name of the module."""
    version = f'cp{sys.version_info.major}{sys.version_info.minor}'
    abi = 'abi3' if module.name.endswith('.abi3.so') else version + ('t' if sysconfig.get_config_var('Py_GIL_DISABLED') else '')
    return f'{version}-{abi}-{sysconfig.get_platform().replace("-", "_").replace(".", "_")}'


def make_wheel(source, module, folder):
    """The path of the wheel."""
    version = re.search(r"version: '([^']+)'", (source / 'meson.build').read_text()).group(1)
    files = {f'ulpfft/{path.name}': path.read_bytes() for path in sorted((source / 'bindings/python/ulpfft').iterdir()) if path.is_file()}
    files[f'ulpfft/{module.name}'] = module.read_bytes()
    info = f'ulpfft-{version}.dist-info'
    files[f'{info}/METADATA'] = f'Metadata-Version: 2.1\nName: ulpfft\nVersion: {version}\nRequires-Dist: numpy\n'.encode()
    files[f'{info}/WHEEL'] = f'Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: false\nTag: {tag_of(module)}\n'.encode()
    record = []
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b'=').decode()
        record.append(f'{name},sha256={digest},{len(content)}')
    files[f'{info}/RECORD'] = '\n'.join([*record, f'{info}/RECORD,,', '']).encode()
    path = folder / f'ulpfft-{version}-{tag_of(module)}.whl'
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


if __name__ == '__main__':
    print(make_wheel(*(pathlib.Path(argument).resolve() for argument in sys.argv[1:])))
