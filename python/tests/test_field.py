"""Fields as arrays."""

import numpy as np
import orogen as og


def hills() -> og.Noise:
    return og.simplex(wavelength=300.0).fractal(octaves=8, gain=0.5)


def test_a_field_is_an_array_of_rows_and_columns() -> None:
    field = og.Engine("cpu").field(hills(), og.Region.tile(3, 5, 128))
    assert field.shape == (128, 128) and field.dtype == np.float32 and field.flags.c_contiguous
    assert field.std() > 0.05
    low, high = hills().range()
    assert low <= field.min() and field.max() <= high
