"""Noises and pipelines as JSON with the samples of their rasters."""

from __future__ import annotations

import base64
import json
import zlib
from typing import Any

import numpy as np

# The pickled or embedded state of a raster: the name of its node, the hash of the samples, the samples.
Heights = list[tuple[str, str, np.ndarray]]
# Bytes packed before Python may interrupt.
_PIECE = 1 << 18


def with_heights(text: str, heights: Heights) -> str:
    """JSON with an additional entry, `heights`: for each raster's node the hash, the shape and the float32 samples (zlib, base64)."""
    if not heights:
        return text
    packed: dict[str, str] = {}
    for _, digest, values in heights:
        if digest not in packed:
            packed[digest] = _packed(values)
    entry = {node: {"sha256": digest, "shape": list(values.shape)} for node, digest, values in heights}
    return json.dumps({**json.loads(text), "heights": {"node": entry, "packed": packed}})


def without_heights(text: str) -> tuple[str, Heights]:
    """The JSON for the library, and the heights embedded in the text."""
    if '"heights"' not in text:
        return text, []
    document: Any = json.loads(text)
    found = document.pop("heights", None) if isinstance(document, dict) else None
    if found is None:
        return text, []
    try:
        values = {digest: _unpacked(data) for digest, data in found["packed"].items()}
        heights = [(node, it["sha256"], values[it["sha256"]].reshape(it["shape"])) for node, it in found["node"].items()]
    except (AttributeError, KeyError, TypeError, ValueError, zlib.error) as reason:
        raise ValueError(f"the entry 'heights' cannot be read: {reason}") from reason
    return json.dumps(document), heights


def _packed(values: np.ndarray) -> str:
    pack = zlib.compressobj(1)
    data = np.ascontiguousarray(values, "<f4").reshape(-1).view(np.uint8)
    parts = [pack.compress(data[first : first + _PIECE].data) for first in range(0, len(data), _PIECE)]
    return base64.b64encode(b"".join([*parts, pack.flush()])).decode("ascii")


def _unpacked(data: str) -> np.ndarray:
    return np.frombuffer(zlib.decompress(base64.b64decode(data, validate=True)), "<f4").astype(np.float32)
