# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""Programs of Debian that call FFTW, one row each, with the results that are compared."""
import glob
import os
import re
import subprocess

import files
from ways import PYTHON, Failure, Row, floats, json_lists

F32, F64 = 1e-5, 1e-12  # bounds of results that are single transforms or few of them
SIZES = ('cif64', 'cob60', 'cof17x8', 'rof100', 'rib100', 'rof8x12', 'kof16f', 'kib15h', 'kof12e10x9o01', 'kif5e00x4o11')


def wisdom_of(program):
    """It plans everything that it is asked for; what it wrote it reads again, and text that is no wisdom of this library's is refused."""
    def results(way):
        planned = way.call(program, '-v', '-m', '-n', '-T', '2', '-o', 'plans', *SIZES)
        way.call(program, '-m', '-n', '-T', '2', '-w', 'plans', '-o', 'again', *SIZES)
        with open(way.path('plans'), encoding='utf-8') as first, open(way.path('again'), encoding='utf-8') as second:
            texts = first.read(), second.read()
        if way.name != 'fftw' and (texts[0] != texts[1] or '"ulpfft_wisdom"' not in texts[0]):
            raise Failure('wisdom that was read back is other wisdom')
        with open(way.path('foreign'), 'w', encoding='utf-8') as file:
            file.write('{"ulpfft_wisdom": 1, "plans": []}' if way.name == 'fftw' else '(fftw-3.3.10 fftw_wisdom #x0 #x1 #x2 #x3\n)\n')
        refused = way.call(program, '-n', '-w', 'foreign', 'cif8', status=1)
        way.call(program, '-v', '-e', 'cif8')  # without -n: the system's wisdom is asked for
        return {'planned': planned, 'refused': refused}
    return results


def script(name):
    return lambda way: json_lists(way.call(PYTHON, os.path.join(way.programs, name)))


def bart_fft(way):
    """Bart's own phantom, made without transforms that are under test."""
    for words in (('phantom', '-k', '-s', '4', '-x', '48', 'clean'), ('noise', '-s', '7', '-n', '25', 'clean', 'noisy')):
        subprocess.run(['bart', *words], cwd=way.here, check=True)
    way.call('bart', 'fft', '-iu', '3', 'noisy', 'coils')
    way.call('bart', 'fft', '7', 'coils', 'back')
    return {name: floats(way.path(name + '.cfl')) for name in ('coils', 'back')}


def bart_pics(way):
    """Calibration and iterations, from the same k-space and with the same sensitivities' rank."""
    for words in (('phantom', '-k', '-s', '4', '-x', '48', 'clean'), ('noise', '-s', '7', '-n', '25', 'clean', 'noisy')):
        subprocess.run(['bart', *words], cwd=way.here, check=True)
    way.call('bart', 'ecalib', '-m1', 'noisy', 'sensitivities')
    way.call('bart', 'pics', '-l2', '-r', '0.01', '-i', '20', 'noisy', 'sensitivities', 'image')
    return {name: floats(way.path(name + '.cfl')) for name in ('sensitivities', 'image')}


def ismrmrd(way):
    """The files are alike but for the numbers: HDF5 places them by their sizes."""
    def numbers():  # what is larger is no number of a scan or of an image
        return [x if abs(x) < 8 else 0.0 for x in floats(way.path('scan.h5'))]
    way.call('ismrmrd_generate_cartesian_shepp_logan', '-m', '64', '-c', '4', '-o', 'scan.h5')
    scan = numbers()
    way.call('ismrmrd_recon_cartesian_2d', 'scan.h5')
    return {'scan': scan, 'image': numbers()}


def minimodem(way):
    sent = 'ulpfft and FFTW hear the same.\n'
    way.call('minimodem', '--tx', '1200', '-f', 'sound.wav', text=sent)
    heard = way.call('minimodem', '--rx', '1200', '-f', 'sound.wav')
    if sent not in heard:
        raise Failure(f'sent {sent!r}, heard {heard!r}')
    return {'heard': sent, 'confidence': [float(number) for number in re.findall(r'confidence=([\d.]+)', heard)]}


def spectrogram(way):
    files.write_sound(way.path('sound.wav'))
    way.call('sndfile-spectrogram', '--dyn-range=100', 'sound.wav', '320', '240', 'picture.png')
    return {'picture': files.numbers_of_picture(way.path('picture.png'))}


def tone_mapped(way):
    image = way.here + '/mapped.pfs'
    way.call('sh', '-c', f'pfstmo_fattal02 > {image}', text=files.bright_image())
    with open(image, 'rb') as mapped:
        return {'fattal': files.numbers_of_bright_image(mapped.read())}


def tone_mapped_f32(way):
    image = way.here + '/mapped.pfs'
    way.call('sh', '-c', f'pfstmo_durand02 > {image}', text=files.bright_image())
    with open(image, 'rb') as mapped:
        return {'durand': files.numbers_of_bright_image(mapped.read())}


def mrtrix(way):
    """Its threads plan without a lock, which ends it now and then on FFTW: there it has one."""
    files.write_volume(way.path('in.mif'))
    words = ('-quiet', '-force', '-nthreads', '0' if way.name == 'fftw' else '4', 'in.mif')
    way.call('mrfilter', *words, 'fft', 'spectrum.mif', '-magnitude')
    way.call('mrdegibbs', *words, 'degibbs.mif')
    return {name: files.numbers_of_volume(way.path(name + '.mif')) for name in ('spectrum', 'degibbs')}


def wsjtx(way):
    """Messages in noise. Each is decoded, at the same time and frequency, with the signal-to-noise ratio that was asked for."""
    way.call('ft8sim', 'K1ABC W9XYZ EN37', '1500', '0', '0.1', '1.0', '3', '-10')
    decoded = way.call('jt9', '--ft8', '-p', '15', '-m', '2', *(f'000000_00000{i}.wav' for i in (1, 2, 3)))
    lines = [line.split() for line in decoded.split('\n') if 'K1ABC W9XYZ EN37' in line]
    if len(lines) != 3 or any(abs(int(words[1]) + 10) > 1 for words in lines):
        raise Failure(f'decoded {decoded!r}')
    return {'times and frequencies': [float(word) for words in lines for word in words[2:4]]}


def octave(way):
    """Its own tests of transforms, and a few results."""
    own = [path for name in ('corefcn/fft', 'dldfcn/fftw') for path in glob.glob(f'/usr/share/octave/*/etc/tests/libinterp/{name}*.cc-tst')]
    names = [*own, 'fftconv', 'fftfilt', 'fftshift', 'filter2', 'freqz', 'periodogram']
    code = ''.join(f"[n, total] = test ('{name}', 'quiet'); printf ('%d of %d %s\\n', n, total, '{name}');" for name in names)
    code += ("rand ('twister', 3); x = rand (12, 10, 5); y = fftn (x); printf ('RESULTS'); printf (' %.17g', real (y), imag (y)); "
             "printf ('\\nRESULTS'); printf (' %.9g', real (ifft (single (x), [], 2))); printf ('\\n');")
    told, wide, narrow = way.call('octave-cli', '--norc', '--eval', code).split('\nRESULTS')
    passed = re.findall(r'^(\d+) of (\d+) ', told, re.MULTILINE)
    if len(passed) != len(names) or any(n != total for n, total in passed):
        raise Failure(told)
    narrow = narrow.split('\n')[0]
    return {'tests': told, 'fftn': [float(word) for word in wide.split()], 'ifft of f32': [float(word) for word in narrow.split()]}


LAMMPS = '''units real
atom_style charge
lattice diamond 6.0
region box block 0 3 0 3 0 3
create_box 2 box
create_atoms 1 box basis 5 2 basis 6 2 basis 7 2 basis 8 2
mass 1 22.99
mass 2 35.45
set type 1 charge 1.0
set type 2 charge -1.0
displace_atoms all random 0.1 0.1 0.1 4711 units box
pair_style lj/cut/coul/long 6.0
pair_coeff * * 0.1 2.5
kspace_style pppm 1.0e-5
thermo_style custom step pe elong press
thermo_modify format float %.12g
thermo 5
fix 1 all nve
run 10
'''


def lammps(way):
    """Energies of ions, whose far forces are a mesh's."""
    told = way.call('lmp', '-log', 'none', text=LAMMPS)
    rows = re.findall(r'^ +\d+ +(\S+) +(\S+) +(\S+)\s*$', told, re.MULTILINE)
    return {name: [float(row[i]) for row in rows] for i, name in enumerate(('energy', 'far energy', 'pressure'))}


def gromacs(way):
    """A box of water with PME, ten steps on one thread."""
    with open(way.path('topol.top'), 'w', encoding='utf-8') as file:
        file.write('#include "oplsaa.ff/forcefield.itp"\n#include "oplsaa.ff/spc.itp"\n[ system ]\nwater\n[ molecules ]\n')
    with open(way.path('run.mdp'), 'w', encoding='utf-8') as file:
        file.write('integrator = md\nnsteps = 10\ndt = 0.0005\ncoulombtype = PME\nrcoulomb = 0.8\nrvdw = 0.8\nrlist = 0.8\n'
                   'fourierspacing = 0.1\nnstenergy = 5\nnstcalcenergy = 5\ncutoff-scheme = Verlet\n')
    for words in (('solvate', '-cs', 'spc216.gro', '-box', '1.9', '1.9', '1.9', '-o', 'box.gro', '-p', 'topol.top'),
                  ('grompp', '-f', 'run.mdp', '-c', 'box.gro', '-p', 'topol.top', '-o', 'run.tpr', '-maxwarn', '5')):
        subprocess.run(['gmx', '-quiet', *words], cwd=way.here, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    way.call('gmx', '-quiet', 'mdrun', '-s', 'run.tpr', '-ntmpi', '1', '-ntomp', '1', '-reprod', '-g', 'run.log', '-notunepme',
             OMP_NUM_THREADS='1')
    with open(way.path('run.log'), encoding='utf-8') as file:
        rows = re.findall(r'LJ \(SR\) +Coulomb \(SR\) +Coul\. recip\. +Potential.*\n(.*)', file.read())
    return {name: [float(row.split()[i]) for row in rows] for i, name in ((2, 'far energy'), (3, 'energy'))}


CP2K = '''&GLOBAL
  PROJECT water
  RUN_TYPE ENERGY
  PREFERRED_FFT_LIBRARY FFTW3
  FFTW_PLAN_TYPE MEASURE
&END
&FORCE_EVAL
  METHOD Quickstep
  &DFT
    BASIS_SET_FILE_NAME BASIS_SET
    POTENTIAL_FILE_NAME GTH_POTENTIALS
    &MGRID
      CUTOFF 120
    &END
    &SCF
      SCF_GUESS ATOMIC
      EPS_SCF 1.0E-6
      MAX_SCF 20
    &END
    &XC
      &XC_FUNCTIONAL PADE
      &END
    &END
  &END
  &SUBSYS
    &CELL
      ABC 6.0 6.0 6.0
    &END
    &COORD
      O 0.0 0.0 0.0
      H 0.757 0.586 0.0
      H -0.757 0.586 0.0
    &END
    &KIND H
      BASIS_SET DZVP-GTH-PADE
      POTENTIAL GTH-PADE-q1
    &END
    &KIND O
      BASIS_SET DZVP-GTH-PADE
      POTENTIAL GTH-PADE-q6
    &END
  &END
&END
'''


def cp2k(way):
    """The energy of a molecule of water, step by step of its iteration."""
    with open(way.path('water.inp'), 'w', encoding='utf-8') as file:
        file.write(CP2K)
    told = way.call('cp2k', '-i', 'water.inp', CP2K_DATA_DIR='/usr/share/cp2k')
    return {'energies': [float(number) for number in re.findall(r'(?:Total energy:|\[a\.u\.\]:?|\(a\.u\.\):) +(-\d+\.\d+)', told)]}


def raw_therapee(way):
    """A picture with noise taken out, on threads of OpenMP."""
    files.write_picture(way.path('in.png'))
    with open(way.path('denoise.pp3'), 'w', encoding='utf-8') as file:
        file.write('[Version]\nVersion=346\n[Directional Pyramid Denoising]\nEnabled=true\nEnhance=false\nMedian=false\nLuma=60\n'
                   'Ldetail=50\nChroma=30\nMethod=Lab\nLMethod=SLI\nCMethod=MAN\nSMethod=shal\nRedchro=0\nBluechro=0\nGamma=1.7\n')
    way.call('rawtherapee-cli', '-q', '-o', 'out.png', '-p', 'denoise.pp3', '-n', '-b16', '-a', '-Y', '-c', 'in.png', HOME=way.here)
    return {'picture': files.numbers_of_picture(way.path('out.png'))}


def rows():
    return [
        Row('fftw-wisdom', 'libfftw3-bin', ['fftw-wisdom'], ('f64',), 0, wisdom_of('fftw-wisdom'), counts='plans'),
        Row('fftwf-wisdom', 'libfftw3-bin', ['fftwf-wisdom'], ('f32',), 0, wisdom_of('fftwf-wisdom'), counts='plans'),
        Row('pyfftw', 'python3-pyfftw', ['module:pyfftw'], ('f32', 'f64'), F64, script('script_pyfftw.py')),
        Row('cvxopt', 'python3-cvxopt', ['module:cvxopt.fftw'], ('f64',), F64, script('script_cvxopt.py')),
        Row('bart fft', 'bart', ['bart'], ('f32',), F32, bart_fft),
        Row('bart pics', 'bart', ['bart'], ('f32',), 1e-4, bart_pics),
        Row('ismrmrd', 'ismrmrd-tools', ['ismrmrd_recon_cartesian_2d'], ('f32',), F32, ismrmrd),
        Row('minimodem', 'minimodem', ['minimodem'], ('f32',), 1e-3, minimodem),
        Row('sndfile-spectrogram', 'sndfile-tools', ['sndfile-spectrogram'], ('f64',), 1 / 255, spectrogram),
        Row('pfstmo fattal', 'pfstmo', ['pfstmo_fattal02'], ('f64',), F32, tone_mapped),
        Row('pfstmo durand', 'pfstmo', ['pfstmo_durand02'], ('f32',), F32, tone_mapped_f32),
        Row('mrtrix3', 'mrtrix3', ['mrfilter', 'mrdegibbs'], ('f64',), F32, mrtrix),
        Row('wsjtx', 'wsjtx', ['ft8sim', 'jt9'], ('f32',), 1e-6, wsjtx),
        Row('octave', 'octave', ['octave-cli'], ('f32', 'f64'), F64, octave, full=True),
        Row('lammps', 'lammps', ['lmp'], ('f64',), 1e-9, lammps, full=True),
        Row('gromacs', 'gromacs', ['gmx'], ('f32',), 1e-5, gromacs, full=True),
        Row('cp2k', 'cp2k', ['cp2k'], ('f64',), 1e-9, cp2k, full=True),
        Row('rawtherapee', 'rawtherapee', ['rawtherapee-cli'], ('f32',), 1e-3, raw_therapee, full=True),
    ]
