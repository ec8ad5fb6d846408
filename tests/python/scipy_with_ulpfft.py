# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
"""A plugin of pytest: scipy.fft is served by ulpfft, which `--pyargs scipy.fft.tests` then tests."""
import ulpfft


def pytest_configure(config):
    """Before any test is collected."""
    ulpfft.install()


def pytest_unconfigure(config):
    """Says who served."""
    print('\nserved:', {engine: sum(calls.values()) for engine, calls in ulpfft.used().items()})
