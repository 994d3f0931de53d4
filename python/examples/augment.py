"""Augmentation of images by noise: batches of clouds over pictures, by seed, the same on every machine.

python examples/augment.py
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import orogen as og

SIZE = 64


class Clouds:
    """Lays clouds over batches of images (n, rows, columns), from 0 to 1. Image k of a batch has the clouds of `seed + k`."""

    def __init__(self, engine: og.Engine, *, cover: float = 0.5, octaves: int = 5) -> None:
        cloud = og.simplex(dimensions=3, wavelength=40.0).fractal(octaves=octaves)
        # From clear sky to cloud over a fifth of the range.
        self.mask = engine.prepare(cloud.smoothstep(low=0.4 - cover, high=0.6 - cover))

    def __call__(self, images: NDArray[np.float32], seed: int) -> NDArray[np.float32]:
        count, rows, columns = images.shape
        # A seed is a place along z, a thousand waves from the next one: nothing is compiled or lowered for it.
        masks = np.empty((count, rows, columns), np.float32)
        for k, mask in enumerate(masks):
            region = og.Region.plane(columns, rows).replace(anchor=(0.0, 0.0, 40_000.0 * (seed + k)))
            self.mask.field(region, out=mask)
        return images * (1 - masks) + masks


def main() -> None:
    clouds = Clouds(og.Engine("cpu"))
    images = np.zeros((32, SIZE, SIZE), np.float32)
    batch = clouds(images, seed=1000)
    print(f"a batch of {len(batch)}: {100 * batch.mean():.0f} % cloud, {batch.min():.2f} to {batch.max():.2f}")
    assert np.array_equal(clouds(images[5:6], seed=1005)[0], batch[5]), "an image's clouds do not depend on its batch"
    print("image 5 by itself has the same clouds, bit for bit")


if __name__ == "__main__":
    main()
