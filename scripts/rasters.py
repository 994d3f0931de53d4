"""The matrix of scripts/rasters: files of heights as other programs write them, with their values. Each case writes one file and returns
the values that a `raster` node must give: an array with NaN for missing cells, or None if the file must be refused."""

import itertools
import os
import struct
import zlib

import numpy as np

ROWS, COLUMNS = 29, 37
SPARSE = 512


def ramp(dtype, rows=ROWS, columns=COLUMNS):
    """Heights that use what the type can hold, without being smooth."""
    y, x = np.mgrid[0:rows, 0:columns]
    wave = np.sin(x * 0.37) * np.cos(y * 0.23) * 900 + 7 * x - 5 * y
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        return (wave * 0.25).astype(dtype)
    info = np.iinfo(dtype)
    if dtype.kind == "u":
        wave = wave - wave.min()
    scale = min(1.0, 0.9 * float(info.max) / float(np.abs(wave).max()))
    return (wave * scale).astype(dtype)


def heights(array):
    """The values of stored numbers: unsigned integers of 8 and 16 bits are mapped to 0 to 1."""
    if array.dtype == bool:
        return array.astype(np.float32)
    if array.dtype.kind == "u" and array.dtype.itemsize <= 2:
        return (array.astype(np.float64) / np.iinfo(array.dtype).max).astype(np.float32)
    return array.astype(np.float64).astype(np.float32)


def gdal(folder):
    """GeoTIFFs by GDAL, against what GDAL reads."""
    import rasterio

    def write(name, array, reads=None, bands=1, **options):
        path = os.path.join(folder, name)
        profile = dict(driver="GTiff", height=array.shape[0], width=array.shape[1], count=bands, dtype=array.dtype.name)
        with rasterio.open(path, "w", **profile, **options) as file:
            for band in range(bands):
                file.write(array if band == 0 else np.zeros_like(array), band + 1)
        with rasterio.open(path) as file:
            stored = file.read(1)
        return path, heights(stored) if reads is None else reads(stored)

    types = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float32", "float64"]
    compressions = ["NONE", "LZW", "DEFLATE", "PACKBITS", "ZSTD"]
    layouts = [
        ("rows", {}),
        ("strip", {"BLOCKYSIZE": ROWS}),
        ("strips", {"BLOCKYSIZE": 4}),
        ("tiles", {"TILED": "YES", "BLOCKXSIZE": 16, "BLOCKYSIZE": 16}),
        ("wide", {"TILED": "YES", "BLOCKXSIZE": 64, "BLOCKYSIZE": 32}),
    ]
    for kind, compression, (layout, cut), order, big in itertools.product(types, compressions, layouts, ["LITTLE", "BIG"], ["NO", "YES"]):
        predictors = ["1", "2", "3"] if compression not in ("NONE", "PACKBITS") else ["1"]
        for predictor in predictors:
            if predictor == "3" and not kind.startswith("float"):
                continue
            for bands, interleave in [(1, "PIXEL"), (3, "PIXEL"), (3, "BAND")]:
                # The whole product is of single bands; several are tried with tiles and strips of the smaller half.
                if bands > 1 and (big == "YES" or layout in ("rows", "wide")):
                    continue
                options = dict(cut, COMPRESS=compression, ENDIANNESS=order, BIGTIFF=big, INTERLEAVE=interleave)
                if predictor != "1":
                    options["PREDICTOR"] = predictor
                name = f"gdal-{kind}-{compression}-{layout}-{order}-{big}-{predictor}-{bands}{interleave}.tif"
                yield name, lambda name=name, kind=kind, bands=bands, options=options: write(name, ramp(kind), bands=bands, **options)
    for bits in [1, 2, 3, 4, 5, 7, 9, 10, 12, 15]:
        for compression, layout in itertools.product(["NONE", "LZW", "DEFLATE"], [{}, layouts[3][1]]):
            dtype = "uint8" if bits <= 8 else "uint16"
            array = (ramp("uint16") % (1 << bits)).astype(dtype)
            name = f"gdal-nbits{bits}-{compression}-{len(layout)}.tif"
            reads = lambda stored, bits=bits: (stored.astype(np.float64) / ((1 << bits) - 1)).astype(np.float32)
            yield name, lambda name=name, array=array, reads=reads, layout=layout, bits=bits, compression=compression: write(
                name, array, reads, NBITS=bits, COMPRESS=compression, **layout
            )
    for predictor, layout in itertools.product(["1", "3"], [{}, layouts[3][1]]):
        name = f"gdal-half-{predictor}-{len(layout)}.tif"
        yield name, lambda name=name, predictor=predictor, layout=layout: write(
            name, ramp("float32"), NBITS=16, COMPRESS="DEFLATE", **({"PREDICTOR": predictor} if predictor != "1" else {}), **layout
        )
    for kind, nodata in [("int16", -9999), ("float32", -9999), ("float32", float("nan")), ("float64", -3.4e38), ("uint8", 0), ("uint16", 65535), ("int32", -2**31)]:
        array = ramp(kind)
        array[3:6, 4:9] = nodata
        hole = lambda stored, nodata=nodata: np.where(stored != stored if nodata != nodata else stored == np.array(nodata, stored.dtype), np.nan, heights(stored))
        for compression, layout in itertools.product(["NONE", "LZW"], [{}, layouts[3][1]]):
            name = f"gdal-nodata-{kind}-{nodata}-{compression}-{len(layout)}.tif"
            yield name, lambda name=name, array=array, hole=hole, nodata=nodata, compression=compression, layout=layout: write(
                name, array, hole, nodata=nodata, COMPRESS=compression, **layout
            )

    def scaled(name, kind, nodata):
        array = ramp(kind)
        path = os.path.join(folder, name)
        with rasterio.open(path, "w", driver="GTiff", height=ROWS, width=COLUMNS, count=1, dtype=kind, nodata=nodata) as file:
            file.write(array, 1)
            file.scales, file.offsets = (0.1,), (-400.0,)
        value = (array.astype(np.float64) * 0.1 - 400.0).astype(np.float32)
        return path, value if nodata is None else np.where(array == nodata, np.nan, value)

    for kind, nodata in [("int16", None), ("uint16", None), ("uint8", None), ("float32", None), ("uint16", int(ramp("uint16")[2, 2]))]:
        name = f"gdal-scale-{kind}-{nodata}.tif"
        yield name, lambda name=name, kind=kind, nodata=nodata: scaled(name, kind, nodata)

    def sparse(name, kind, nodata, options):
        path = os.path.join(folder, name)
        array = ramp(kind, 64, 64)
        with rasterio.open(path, "w", driver="GTiff", height=SPARSE, width=SPARSE, count=1, dtype=kind, nodata=nodata, SPARSE_OK=True, **options) as file:
            file.write(array, 1, window=((64, 128), (128, 192)))
        with rasterio.open(path) as file:
            stored = file.read(1)
        return path, heights(stored) if nodata is None else np.where(stored == nodata, np.nan, heights(stored))

    for kind, nodata, compression, tiled in itertools.product(["int16", "float32", "uint8"], [None, 7], ["NONE", "LZW", "DEFLATE"], ["YES", "NO"]):
        options = {"COMPRESS": compression, "TILED": tiled, "BLOCKYSIZE": 64}
        if tiled == "YES":
            options["BLOCKXSIZE"] = 64
        name = f"gdal-sparse-{kind}-{nodata}-{compression}-{tiled}.tif"
        yield name, lambda name=name, kind=kind, nodata=nodata, options=options: sparse(name, kind, nodata, options)

    def masked(name):
        path = os.path.join(folder, name)
        array, mask = ramp("int16"), np.full((ROWS, COLUMNS), 255, np.uint8)
        mask[5:9, 10:14] = 0
        with rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True), rasterio.open(path, "w", driver="GTiff", height=ROWS, width=COLUMNS, count=1, dtype="int16") as file:
            file.write(array, 1)
            file.write_mask(mask)
        return path, np.where(mask == 0, np.nan, heights(array))

    yield "gdal-mask.tif", lambda: masked("gdal-mask.tif")
    for kind, photometric in itertools.product(["uint8", "uint16", "int16", "float32"], ["MINISWHITE", "MINISBLACK"]):
        white = photometric == "MINISWHITE" and kind.startswith("u")
        reads = (lambda stored: heights(np.iinfo(stored.dtype).max - stored)) if white else heights
        name = f"gdal-{photometric}-{kind}.tif"
        yield name, lambda name=name, kind=kind, reads=reads, photometric=photometric: write(name, ramp(kind), reads, PHOTOMETRIC=photometric)
    for compression in ["JPEG", "LERC", "LZMA", "WEBP"]:
        name = f"gdal-refused-{compression}.tif"
        kind = "uint8" if compression in ("JPEG", "WEBP") else "float32"
        bands = 3 if compression == "WEBP" else 1
        yield name, lambda name=name, kind=kind, bands=bands, compression=compression: (write(name, ramp(kind), bands=bands, COMPRESS=compression)[0], None)
    for kind in ["complex64"]:
        yield f"gdal-refused-{kind}.tif", lambda kind=kind: (write(f"gdal-refused-{kind}.tif", np.zeros((ROWS, COLUMNS), kind), reads=lambda _: None)[0], None)

    def cog(name, kind, compression):
        path = os.path.join(folder, name)
        array = ramp(kind, 700, 600)
        with rasterio.open(path, "w", driver="COG", height=700, width=600, count=1, dtype=kind, COMPRESS=compression, BLOCKSIZE=256) as file:
            file.write(array, 1)
        return path, heights(array)

    for kind, compression in itertools.product(["int16", "float32"], ["LZW", "DEFLATE", "ZSTD"]):
        name = f"gdal-cog-{kind}-{compression}.tif"
        yield name, lambda name=name, kind=kind, compression=compression: cog(name, kind, compression)

    def ascii_grid(name, kind, nodata):
        path = os.path.join(folder, name)
        array = ramp(kind)
        array[1, 2] = -77
        from rasterio.shutil import copy
        from rasterio.io import MemoryFile
        from rasterio.transform import from_origin

        with MemoryFile() as memory:
            with memory.open(driver="GTiff", height=ROWS, width=COLUMNS, count=1, dtype=kind, nodata=nodata, transform=from_origin(100, 900, 30, 30)) as file:
                file.write(array, 1)
            with memory.open() as file:
                copy(file, path, driver="AAIGrid", DECIMAL_PRECISION=9)
        value = heights(array)
        return path, value if nodata is None else np.where(array == nodata, np.nan, value)

    for kind, nodata in itertools.product(["int16", "float32"], [None, -77]):
        name = f"gdal-{kind}-{nodata}.asc"
        yield name, lambda name=name, kind=kind, nodata=nodata: ascii_grid(name, kind, nodata)

    def srtm(name, edge):
        path = os.path.join(folder, name)
        array = ramp("int16", edge, edge)
        array[4, 7] = -32768
        array.astype(">i2").tofile(path)
        with rasterio.open(path) as file:
            stored = file.read(1)
        return path, np.where(stored == -32768, np.nan, heights(stored))

    yield "N47E008.hgt", lambda: srtm("N47E008.hgt", 1201)


def tifffile_cases(folder):
    """TIFFs by tifffile, against the array that was written."""
    import tifffile

    def write(name, array, expected, **options):
        path = os.path.join(folder, name)
        tifffile.imwrite(path, array, **options)
        return path, expected

    types = ["uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float16", "float32", "float64"]
    for kind, compression, order, tile, big in itertools.product(
        types, [None, "lzw", "zlib", "adobe_deflate", "packbits", "zstd"], "<>", [None, (16, 16), (32, 48)], [False, True]
    ):
        for predictor in [False, True]:
            # tifffile has no predictor for integers of 64 bits.
            if predictor and (compression in (None, "packbits") or kind in ("uint64", "int64")):
                continue
            array = ramp(kind)
            name = f"tifffile-{kind}-{compression}-{'little' if order == '<' else 'big'}-{tile}-{big}-{predictor}.tif".replace(" ", "")
            options = dict(compression=compression, byteorder=order, tile=tile, bigtiff=big, predictor=predictor, photometric="minisblack")
            yield name, lambda name=name, array=array, options=options: write(name, array, heights(array), **options)
    for kind, planar, tile in itertools.product(["uint8", "float32"], ["contig", "separate"], [None, (16, 16)]):
        array = np.stack([ramp(kind), ramp(kind) // 2, ramp(kind) // 3], axis=-1 if planar == "contig" else 0)
        name = f"tifffile-rgb-{kind}-{planar}-{tile}.tif".replace(" ", "")
        options = dict(photometric="rgb", planarconfig=planar, tile=tile, compression="lzw")
        yield name, lambda name=name, array=array, kind=kind, options=options: write(name, array, heights(ramp(kind)), **options)
    for rows in [1, 2, 5, ROWS]:
        name = f"tifffile-rows{rows}.tif"
        yield name, lambda name=name, rows=rows: write(name, ramp("float32"), heights(ramp("float32")), rowsperstrip=rows, compression="lzw")
    bits = ramp("uint8") % 2 == 1
    yield "tifffile-bool.tif", lambda: write("tifffile-bool.tif", bits, heights(bits), photometric="minisblack")
    yield "tifffile-pages.tif", lambda: write("tifffile-pages.tif", np.stack([ramp("int16"), -ramp("int16")]), heights(ramp("int16")), photometric="minisblack")


def pillow(folder):
    """PNGs and TIFFs by Pillow, and PNGs made by hand of each kind that the format has."""
    from PIL import Image

    def write(name, image, expected, **options):
        path = os.path.join(folder, name)
        image.save(path, **options)
        return path, expected

    grey = ramp("uint8")
    luma = lambda array: np.rint(array[..., :3].astype(np.float64) @ [0.2126, 0.7152, 0.0722])
    colour = np.stack([grey, grey[::-1], grey[:, ::-1], np.full_like(grey, 200)], axis=-1)
    yield "pillow-L.png", lambda: write("pillow-L.png", Image.fromarray(grey), heights(grey))
    yield "pillow-LA.png", lambda: write("pillow-LA.png", Image.fromarray(colour[..., [0, 3]], "LA"), heights(grey))
    yield "pillow-1.png", lambda: write("pillow-1.png", Image.fromarray(grey > 90), heights(grey > 90))
    yield "pillow-I16.png", lambda: write("pillow-I16.png", Image.fromarray(ramp("uint16")), heights(ramp("uint16")))
    for mode, channels in [("RGB", 3), ("RGBA", 4)]:
        array = np.ascontiguousarray(colour[..., :channels])
        # A luminance may be rounded to either step.
        yield f"pillow-{mode}.png", lambda mode=mode, array=array: (
            *write(f"pillow-{mode}.png", Image.fromarray(array, mode), heights(luma(array).astype(np.uint8))), {"within": 1.01 / 255}
        )
    indexed = Image.fromarray(grey // 16, "P")
    table = [(17 * i, 255 - 16 * i, 3 * i) for i in range(16)]
    indexed.putpalette([byte for entry in table for byte in entry])
    for bits in [4, 8]:
        expected = heights(luma(np.array(table, np.uint8)[grey // 16]).astype(np.uint8))
        yield f"pillow-P{bits}.png", lambda bits=bits, expected=expected: write(f"pillow-P{bits}.png", indexed, expected, bits=bits)
    for mode, array in [("L", grey), ("I;16", ramp("uint16")), ("F", ramp("float32")), ("I", ramp("int32"))]:
        for compression in [None, "tiff_lzw", "tiff_adobe_deflate", "packbits"]:
            name = f"pillow-{mode.replace(';', '')}-{compression}.tif"
            yield name, lambda name=name, array=array, compression=compression: write(name, Image.fromarray(array), heights(array), compression=compression)
    yield "pillow-1.tif", lambda: write("pillow-1.tif", Image.fromarray(grey > 90), heights(grey > 90))
    for compression in ["group3", "group4"]:
        yield f"pillow-refused-{compression}.tif", lambda compression=compression: write(f"pillow-refused-{compression}.tif", Image.fromarray(grey > 90), None, compression=compression)

    def png(name, bits, interlaced, filters):
        """A grey PNG with a given bit depth, written here: Pillow supports neither all depths nor interlacing."""
        array = ramp("uint16") & ((1 << bits) - 1)

        def packed(rows):
            out = b""
            for i, row in enumerate(rows):
                if bits == 16:
                    line = row.astype(">u2").tobytes()
                else:
                    padded = np.concatenate([row, np.zeros(-len(row) % (8 // bits), row.dtype)]).reshape(-1, 8 // bits)
                    line = bytes(sum(int(v) << (8 - bits * (k + 1)) for k, v in enumerate(group)) for group in padded)
                if filters and i % 2:
                    step = max(1, bits // 8)
                    line = bytes([1]) + bytes((byte - (line[k - step] if k >= step else 0)) & 255 for k, byte in enumerate(line))
                else:
                    line = bytes([0]) + line
                out += line
            return out

        passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        pieces = [array[y::dy, x::dx] for x, y, dx, dy in passes] if interlaced else [array]
        data = b"".join(packed(piece) for piece in pieces if piece.size)
        chunk = lambda kind, body: struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        header = struct.pack(">IIBBBBB", COLUMNS, ROWS, bits, 0, 0, 0, int(interlaced))
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b""))
        return path, (array.astype(np.float64) / ((1 << bits) - 1)).astype(np.float32)

    for bits, interlaced, filters in itertools.product([1, 2, 4, 8, 16], [False, True], [False, True]):
        name = f"hand-{bits}-{interlaced}-{filters}.png"
        yield name, lambda name=name, bits=bits, interlaced=interlaced, filters=filters: png(name, bits, interlaced, filters)

    def tile(name, encoding, lowest, step):
        steps = np.round((ramp("float64") - lowest) / step).astype(np.int64)
        rgb = np.stack([steps >> 16 & 255, steps >> 8 & 255, steps & 255], axis=-1).astype(np.uint8)
        path, _ = write(name, Image.fromarray(rgb), None)
        return path, (lowest + steps * step).astype(np.float32), {"encoding": encoding}

    yield "terrarium.png", lambda: tile("terrarium.png", "terrarium", -32768.0, 1 / 256)
    yield "mapbox.png", lambda: tile("mapbox.png", "mapbox_rgb", -10000.0, 0.1)


def openexr(folder):
    """EXRs by OpenEXR: compressions, types, channels, windows, tiles, parts."""
    import OpenEXR

    compressions = {
        name: getattr(OpenEXR, f"{name}_COMPRESSION") for name in ["NO", "RLE", "ZIPS", "ZIP", "PIZ", "PXR24"]
    }
    types = {"half": np.float16, "float": np.float32, "uint": np.uint32}

    def write(name, channels, expected, header=None, parts=None):
        path = os.path.join(folder, name)
        base = {"compression": OpenEXR.ZIP_COMPRESSION, "type": OpenEXR.scanlineimage}
        if parts is None:
            OpenEXR.File({**base, **(header or {})}, channels).write(path)
        else:
            OpenEXR.File([OpenEXR.Part({**base, **(header or {}), "name": part}, held) for part, held in parts]).write(path)
        return path, expected

    for (kind, dtype), (compression, number) in itertools.product(types.items(), compressions.items()):
        array = ramp(dtype)
        name = f"exr-{kind}-{compression}.exr"
        if compression == "PXR24" and kind == "float":
            continue
        yield name, lambda name=name, array=array, number=number: write(name, {"Y": array}, heights(array), {"compression": number})
    one, two, ones = ramp("float32"), -ramp("float32"), np.ones((ROWS, COLUMNS), np.float32)
    for name, channels, expected in [
        ("Y", {"Y": one}, one),
        ("Z", {"Z": one}, one),
        ("height", {"height": one}, one),
        ("YA", {"A": ones, "Y": one}, one),
        ("RA", {"A": ones, "R": one}, one),
        ("RGBsame", {"R": one, "G": one, "B": one}, one),
        ("RGBother", {"R": one, "G": two, "B": two}, one),
        ("RGBA", {"R": one, "G": one, "B": one, "A": ones}, one),
        ("RYA", {"R": two, "Y": one, "A": ones}, one),
        ("layerR", {"layer.R": one, "layer.G": two, "layer.A": ones}, one),
        ("layerY", {"height.Y": one, "A": ones}, one),
        ("refused-GB", {"G": one, "B": two}, None),
        ("refused-A", {"A": ones}, None),
    ]:
        held = {key: value.copy() for key, value in channels.items()}
        yield f"exr-{name}.exr", lambda name=name, held=held, expected=expected: write(f"exr-{name}.exr", held, expected)
    beauty = {"R": two, "G": two, "B": two, "A": ones}
    for name, parts in [
        ("second", [("beauty", beauty), ("height", {"Y": one})]),
        ("first", [("height", {"Y": one}), ("beauty", beauty)]),
    ]:
        yield f"exr-part-{name}.exr", lambda name=name, parts=parts: write(f"exr-part-{name}.exr", None, one, parts=parts)
    window = {
        "dataWindow": (np.array([5, 3], np.int32), np.array([4 + COLUMNS, 2 + ROWS], np.int32)),
        "displayWindow": (np.array([0, 0], np.int32), np.array([99, 79], np.int32)),
    }
    yield "exr-window.exr", lambda: write("exr-window.exr", {"Y": one.copy()}, one, window)
    tiled = {"type": OpenEXR.tiledimage, "tiles": OpenEXR.TileDescription() if hasattr(OpenEXR, "TileDescription") else None}
    if tiled["tiles"] is not None:
        yield "exr-tiles.exr", lambda: write("exr-tiles.exr", {"Y": one.copy()}, one, tiled)


def numpy_cases(folder):
    """Arrays by NumPy, and raw files of each encoding."""

    def write(name, array, expected, **more):
        path = os.path.join(folder, name)
        np.save(path, array)
        return (path, expected, more) if more else (path, expected)

    kinds = ["u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8"]
    for kind, order, layout in itertools.product(kinds, "<>", "CF"):
        if kind.endswith("1") and order == ">":
            continue
        array = np.array(ramp(kind).astype(order + kind), order=layout)
        name = f"numpy-{kind}-{'little' if order == '<' else 'big'}-{layout}.npy"
        yield name, lambda name=name, array=array, kind=kind: write(name, array, heights(array.astype(kind)))
    bits = ramp("u1") % 2 == 1
    one = ramp("f4")
    yield "numpy-bool.npy", lambda: write("numpy-bool.npy", bits, heights(bits))
    yield "numpy-band.npy", lambda: write("numpy-band.npy", one[None], one)
    yield "numpy-last.npy", lambda: write("numpy-last.npy", one[..., None], one)
    holes = one.copy()
    holes[2, 3] = np.nan
    yield "numpy-nan.npy", lambda: write("numpy-nan.npy", holes, holes)
    yield "numpy-refused-1.npy", lambda: write("numpy-refused-1.npy", one[0], None)
    yield "numpy-refused-3.npy", lambda: write("numpy-refused-3.npy", np.stack([one, one]), None)
    yield "numpy-refused-complex.npy", lambda: write("numpy-refused-complex.npy", one.astype("c8"), None)
    yield "numpy-refused-fields.npy", lambda: write("numpy-refused-fields.npy", np.zeros((4, 4), [("a", "f4"), ("b", "f4")]), None)

    def raw(name, array, encoding, square):
        path = os.path.join(folder, name)
        array.tofile(path)
        return path, heights(array.astype(array.dtype.newbyteorder("="))), {"encoding": encoding} | ({} if square else {"columns": array.shape[1]})

    for kind, order, square in itertools.product(["u1", "i1", "u2", "i2", "u4", "i4", "f4", "f8"], "<>", [True, False]):
        word = {"u": "uint", "i": "int", "f": "float"}[kind[0]] + str(8 * int(kind[1]))
        word += "" if kind[1] == "1" else "_le" if order == "<" else "_be"
        if kind[1] == "1" and order == ">":
            continue
        array = ramp(kind, ROWS, ROWS if square else COLUMNS).astype(order + kind)
        name = f"raw-{word}-{square}.raw"
        yield name, lambda name=name, array=array, word=word, square=square: raw(name, array, word, square)
    big = ramp("u2", ROWS, ROWS).astype(">u2")
    yield "big.r16", lambda: raw("big.r16", big, "uint16_be", True)
    wide = ramp("f4").astype("<f4")
    yield "wide.r32", lambda: raw("wide.r32", wide, "file", False)


SOURCES = {"GDAL": gdal, "tifffile": tifffile_cases, "Pillow": pillow, "OpenEXR": openexr, "NumPy": numpy_cases}
