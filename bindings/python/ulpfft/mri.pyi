# SPDX-License-Identifier: BSD-3-Clause OR Apache-2.0
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__: list[str]

class Sweep(dict[str, list[Any]]):
    def plot(self, axes: Any = None) -> Any: ...

def reconstruct(kspace: ArrayLike, storage: str = 'f64') -> NDArray[np.float64]: ...
def sweep(kspace: ArrayLike, storages: Sequence[str] | None = None) -> Sweep: ...
def choose(kspace: ArrayLike, psnr: float | None = None, ssim: float | None = None) -> dict[str, Any]: ...
