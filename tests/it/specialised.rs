//! Specialised kernels: other code, the same bits.

use crate::nodes;
use crate::support::{as_it_is, assert_same_bits, cpu, own_gpu, regions};
use orogen::node::{Fractal, Perlin, Simplex};
use orogen::texture::KernelKind;
use orogen::{Engine, Field, Gradient, Noise, Region};

/// Values of a noise on a specialised kernel, and that it is one which computes them.
fn specialised(gpu: &Engine, noise: &Noise, region: &Region, what: &str) -> Field {
    gpu.specialise(noise, KernelKind::field(Gradient::Without)).expect(what);
    let compiled = gpu.compilations();
    let field = gpu.field(noise, region).expect(what);
    assert_eq!(gpu.compilations(), compiled, "{what}: it runs on what was specialised");
    field
}

/// The kernels of all counts and the specialised ones as this adapter is given them: software has more samples to a thread.
#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn kernels_as_the_adapter_is_given_them_give_the_same_bits() {
    let gpu = as_it_is(None);
    for kind in ["simplex", "perlin", "fractal", "warp", "spline", "hill", "mirror"] {
        let noise = nodes::of_kind(kind).remove(0);
        for (place, region) in regions() {
            let what = format!("{kind}, {place}");
            let expected = cpu().field_with_gradient(&noise, &region).expect(&what);
            assert_same_bits(&gpu.field_with_gradient(&noise, &region).expect(&what), &expected, &what);
            assert_same_bits(&specialised(&gpu, &noise, &region, &what), &Field { gradients: None, ..expected }, &what);
        }
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn specialised_kernels_give_the_same_bits() {
    let gpu = own_gpu(None);
    // The last of a kind is the one with most to it; that of the periodic ones takes lavapipe too long.
    let kinds = [
        "simplex",
        "value",
        "perlin",
        "fractal",
        "warp",
        "turbulence",
        "spline",
        "hill",
        "spectral",
        "hexagonal",
        "transform",
        "slice",
        "mirror",
        "quantise",
        "domain",
        "polar",
        "blend",
        "select",
        "worley",
        "open_simplex2",
        "smooth_cells",
        "craters",
        "beds",
        "stamps",
        "fastnoise_lite",
        "curl",
    ];
    let mut all: Vec<(String, Noise)> = Vec::new();
    for kind in kinds {
        all.extend(nodes::of_kind(kind).pop().map(|noise| (kind.to_owned(), noise)));
    }
    all.push(("periodic".to_owned(), nodes::of_kind("periodic").remove(0)));
    let folder = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")).join("recipes");
    let alps = orogen::Recipe::load(folder.join("alps.toml")).expect("alps");
    all.push(("alps".to_owned(), alps.noise().expect("a noise")));
    for (name, noise) in &all {
        for (place, region) in regions() {
            let what = format!("{name}, {place}");
            assert_same_bits(&specialised(&gpu, noise, &region, &what), &cpu().field(noise, &region).expect(&what), &what);
        }
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn numbers_of_specialised_kernels_are_live_and_counts_are_not() {
    let gpu = own_gpu(None);
    let region = Region { origin: [-5, 1000, 0], ..Region::plane(40, 27) };
    let noise = |octaves, wavelength, rotation| {
        Noise::perlin(Perlin { wavelength, ..Default::default() }).fractal(Fractal { octaves, rotation, ..Default::default() })
    };
    let first = noise(3, 37.0, 0.0);
    specialised(&gpu, &first, &region, "first");
    assert_eq!(gpu.compilations(), 1);
    for (octaves, wavelength, rotation, compiled, what) in [
        (3, 11.0, 0.0, 1, "another number"),
        (4, 37.0, 0.0, 2, "another count: the kernel of all counts"),
        (3, 37.0, 30.0, 2, "lattices that do not lie along the axes: likewise"),
        (3, 37.0, 0.0, 2, "the first again"),
    ] {
        let noise = noise(octaves, wavelength, rotation);
        let field = gpu.field(&noise, &region).expect(what);
        assert_same_bits(&field, &cpu().field(&noise, &region).expect(what), what);
        assert_eq!(gpu.compilations(), compiled, "{what}");
    }
}

#[test]
#[cfg_attr(skip_gpu, ignore = "needs a GPU")]
fn tables_that_uniform_memory_does_not_hold_lie_in_storage() {
    let gpu = own_gpu(None);
    let nested = |outer| {
        Noise::simplex(Simplex { wavelength: 50.0, ..Default::default() })
            .fractal(Fractal { octaves: 16, lacunarity: 1.3, ..Default::default() })
            .fractal(Fractal { octaves: outer, lacunarity: 1.2, ..Default::default() })
    };
    let region = Region::plane(24, 9);
    // 256 lattices are the most that uniform memory holds.
    for (outer, compiled) in [(16, 1), (17, 3)] {
        let what = format!("{outer} times 16 octaves");
        let noise = nested(outer);
        assert_same_bits(&gpu.field(&noise, &region).expect(&what), &cpu().field(&noise, &region).expect(&what), &what);
        assert_eq!(gpu.compilations(), compiled, "{what}");
        // More than are repeated: the specialised kernel has loops.
        let field = specialised(&gpu, &noise, &region, &what);
        assert_same_bits(&field, &cpu().field(&noise, &region).expect(&what), &what);
    }
}
