"""Distributions and spectra of arrays."""

from ._orogen import Distribution, Spectrum, isotropy, spectrum

__all__ = ["Distribution", "Spectrum", "isotropy", "spectrum"]
