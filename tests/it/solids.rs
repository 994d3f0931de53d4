//! Surfaces of volumes as meshes: closed, oriented, on their level, independent of the requested part of the world.

use crate::support::cpu;
use orogen::mesh::{solid, surface};
use orogen::node::Perlin;
use orogen::{Noise, Region};
use std::collections::BTreeMap;

/// Every edge that does not lie along the region's borders belongs to two triangles, once in each direction: the surface is
/// closed and turned the same way everywhere.
fn assert_closed(mesh: &orogen::mesh::Mesh, region: &Region, what: &str) {
    let mut edges: BTreeMap<[u32; 2], i32> = BTreeMap::new();
    for [a, b, c] in &mesh.triangles {
        assert!(a != b && b != c && c != a, "{what}: a triangle without area");
        for edge in [[*a, *b], [*b, *c], [*c, *a]] {
            *edges.entry(edge).or_default() += 1;
        }
    }
    // Polygons lack cells on all sides in the first layer of cells, and are left to the next chunk in the last.
    let inner = |i: u32| {
        let [east, up, south] = mesh.positions[i as usize];
        [east, south, up].into_iter().zip(region.size).all(|(at, size)| {
            let at = f64::from(at) / region.step();
            at > 1.0 + 1e-3 && at < f64::from(size) - 2.0 - 1e-3
        })
    };
    for ([a, b], count) in &edges {
        let back = edges.get(&[*b, *a]).copied().unwrap_or(0);
        assert!(*count == 1 && back <= 1, "{what}: edge {a} {b} has {count} triangles on one side and {back} on the other");
        assert!(back == 1 || !(inner(*a) && inner(*b)), "{what}: edge {a} {b} has no opposite");
    }
}

#[test]
fn meshes_of_any_volume_are_closed_and_oriented() {
    let perlin = Noise::perlin(Perlin { dimensions: 3, wavelength: 16.0, seed: 2, ..Default::default() });
    let region = Region { origin: [-5, 7, 3], size: [40, 32, 24], spacing: 1.5, ..Region::plane(1, 1) };
    assert_closed(&surface(&cpu(), &perlin, &region, 0.05).expect("a surface"), &region, "perlin at 0.05");
    // White noise: every configuration of a cell next to every other, many times.
    for seed in 0..3 {
        let white = Noise::white(orogen::node::White { dimensions: 3, wavelength: 1.0, seed, ..Default::default() });
        let region = Region { size: [40, 40, 40], origin: [i64::from(seed as u32) * 977, -3, 1 << 40], ..Region::plane(1, 1) };
        for at in [-0.6, 0.0, 0.3] {
            let mesh = surface(&cpu(), &white, &region, at).expect("a surface");
            assert!(mesh.triangles.len() > 10_000, "{} triangles", mesh.triangles.len());
            assert_closed(&mesh, &region, &format!("white noise, seed {seed}, at {at}"));
        }
    }
}

#[test]
fn meshes_are_closed_lie_on_their_level_and_face_outward() {
    // A ball of radius 8 and caves in it.
    let ball = Noise::radius(orogen::node::Radius { centre: [12.0, 13.0, 14.0], axes: [1.0; 3], unit: 1.0 }).scale_offset(-1.0, 8.0);
    let caves = Noise::perlin(Perlin { dimensions: 3, wavelength: 9.0, ..Default::default() }).scale_offset(4.0, 0.0);
    let density = ball.clone().add(caves);
    let region = Region { size: [52, 52, 56], spacing: 0.5, ..Region::plane(1, 1) };
    let mesh = surface(&cpu(), &density, &region, 0.0).expect("a surface");
    assert!(mesh.triangles.len() > 2000);
    assert_closed(&mesh, &region, "a ball with caves");
    let plain = surface(&cpu(), &ball, &region, 0.0).expect("a ball");
    let volume: f64 = plain
        .triangles
        .iter()
        .map(|t| {
            let [a, b, c] = t.map(|i| plain.positions[i as usize].map(f64::from));
            (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6.0
        })
        .sum();
    let expected = 4.0 / 3.0 * std::f64::consts::PI * 512.0;
    assert!((volume / expected - 1.0).abs() < 0.02, "{volume} of {expected}");
    for (position, normal) in plain.positions.iter().zip(&plain.normals) {
        // y is up: the world's z.
        let out = [position[0] - 12.0, position[1] - 14.0, position[2] - 13.0];
        let radius = (out[0] * out[0] + out[1] * out[1] + out[2] * out[2]).sqrt();
        assert!((radius - 8.0).abs() < 0.1, "radius {radius}");
        assert!((0..3).all(|a| (out[a] / radius - normal[a]).abs() < 1e-3));
    }
    let glb = mesh.glb().expect("glTF");
    let word = |at: usize| u32::from_le_bytes(glb[at..at + 4].try_into().expect("four"));
    assert_eq!((&glb[..4], word(4), word(8) as usize, &glb[16..20]), (&b"glTF"[..], 2, glb.len(), &b"JSON"[..]));
    let json: serde_json::Value = serde_json::from_slice(&glb[20..20 + word(12) as usize]).expect("JSON");
    assert_eq!(json["accessors"][0]["count"].as_u64(), Some(mesh.positions.len() as u64));
    assert_eq!(json["accessors"][2]["count"].as_u64(), Some(3 * mesh.triangles.len() as u64));
    let obj = mesh.obj();
    assert_eq!(obj.lines().filter(|l| l.starts_with("f ")).count(), mesh.triangles.len());
    // All rock, or all air: nothing to draw, and no error.
    let nothing = surface(&cpu(), &ball, &region, 100.0).expect("a mesh of nothing");
    assert!(nothing.positions.is_empty() && nothing.normals.is_empty() && nothing.triangles.is_empty());
    assert!(nothing.glb().is_err_and(|told| told.to_string().contains("allowed")));
    assert!(surface(&cpu(), &ball, &Region::plane(8, 8), 0.0).is_err());
}

#[test]
fn meshes_of_chunks_close_what_is_closed_in_the_world() {
    let caves = Noise::perlin(Perlin { dimensions: 3, wavelength: 9.0, ..Default::default() }).scale_offset(4.0, 0.0);
    let square = |axis| Noise::coordinate(orogen::node::Coordinate { axis, ..Default::default() }).abs().power(2.0);
    use orogen::node::Axis::{X, Y, Z};
    // A ball of radius 20 with holes, far inside four chunks of 16 cells along each axis.
    let density = square(X).add(square(Y)).add(square(Z)).scale_offset(-0.05, 20.0).add(caves);
    let chunks = (-2..2).flat_map(|z| (-2..2).flat_map(move |y| (-2..2).map(move |x| [x, y, z])));
    let (mut edges, mut triangles, mut empty): (BTreeMap<[[u64; 3]; 2], usize>, usize, usize) = (BTreeMap::new(), 0, 0);
    for at in chunks {
        let region = orogen::mesh::chunk(at, 16);
        let mesh = surface(&cpu(), &density, &region, 0.0).expect("a mesh");
        (triangles, empty) = (triangles + mesh.triangles.len(), empty + usize::from(mesh.triangles.is_empty()));
        // The position of a vertex in the world, bit for bit.
        let place = |i: u32| {
            let position = mesh.positions[i as usize];
            [0, 1, 2].map(|axis| (mesh.anchor[axis] + f64::from(position[axis])).to_bits())
        };
        for [a, b, c] in &mesh.triangles {
            for [from, to] in [[*a, *b], [*b, *c], [*c, *a]] {
                let mut edge = [place(from), place(to)];
                edge.sort_unstable();
                *edges.entry(edge).or_default() += 1;
            }
        }
    }
    assert!(triangles > 5000 && empty > 0, "{triangles} triangles, {empty} chunks without any");
    let open = edges.values().filter(|count| *count % 2 == 1).count();
    assert_eq!(open, 0, "open edges of {}", edges.len());
}

/// The volume inside a mesh, as its triangles face.
fn volume(mesh: &orogen::mesh::Mesh) -> f64 {
    let corners = |triangle: &[u32; 3]| triangle.map(|i| mesh.positions[i as usize].map(f64::from));
    let part = |[a, b, c]: [[f64; 3]; 3]| {
        (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6.0
    };
    mesh.triangles.iter().map(corners).map(part).sum()
}

/// Every edge is as often in one direction as in the other, by where its ends lie: walls have vertices of their own.
fn assert_watertight(mesh: &orogen::mesh::Mesh, what: &str) {
    let mut edges: BTreeMap<[[u32; 3]; 2], i32> = BTreeMap::new();
    let place = |i: u32| mesh.positions[i as usize].map(|x| (x + 0.0).to_bits());
    for [a, b, c] in &mesh.triangles {
        for [from, to] in [[*a, *b], [*b, *c], [*c, *a]] {
            *edges.entry([place(from), place(to)]).or_default() += 1;
        }
    }
    let open = edges.iter().filter(|([from, to], count)| edges.get(&[*to, *from]) != Some(count)).count();
    assert_eq!(open, 0, "{what}: open edges of {}", edges.len());
    let mut used: Vec<u32> = mesh.triangles.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    assert_eq!(used.len(), mesh.positions.len(), "{what}: vertices that no triangle has");
}

#[test]
fn what_is_solid_in_a_region_is_closed_by_flat_walls() {
    // All rock: a box, with its corners.
    let box_of = Region { origin: [3, -4, 5], size: [5, 4, 3], spacing: 2.0, ..Region::plane(1, 1) };
    let block = solid(&cpu(), &Noise::constant(1.0), &box_of, 0.0).expect("a block");
    assert_watertight(&block, "a block");
    assert!((volume(&block) - 8.0 * 6.0 * 4.0).abs() < 1e-9, "{}", volume(&block));
    for corner in [[0.0, 0.0, 0.0], [8.0, 4.0, 6.0]] {
        assert_eq!(block.positions.iter().filter(|position| **position == corner).count(), 3, "one for each wall");
    }
    for triangle in &block.triangles {
        let [a, b, c] = triangle.map(|i| block.positions[i as usize]);
        let normals = triangle.map(|i| block.normals[i as usize]);
        let [u, v] = [b, c].map(|p| [p[0] - a[0], p[1] - a[1], p[2] - a[2]]);
        let across = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
        let length = across.iter().map(|x| x * x).sum::<f32>().sqrt();
        assert!(length > 0.0 && normals.iter().all(|normal| *normal == across.map(|x| x / length)), "{normals:?} of {across:?}");
    }
    // Half a ball, cut through its middle.
    let ball = Noise::radius(orogen::node::Radius { axes: [1.0; 3], ..Default::default() }).scale_offset(-1.0, 8.0);
    let half = Region { origin: [-20, -20, 0], size: [41, 41, 21], spacing: 0.5, ..Region::plane(1, 1) };
    let dome = solid(&cpu(), &ball, &half, 0.0).expect("half a ball");
    assert_watertight(&dome, "half a ball");
    let expected = 2.0 / 3.0 * std::f64::consts::PI * 512.0;
    assert!((volume(&dome) / expected - 1.0).abs() < 0.02, "{} of {expected}", volume(&dome));
    let floor: Vec<usize> =
        (0..dome.positions.len()).filter(|&i| dome.positions[i][1] == 0.0 && dome.normals[i] == [0.0, -1.0, 0.0]).collect();
    assert!(floor.len() > 500, "{} vertices of the floor", floor.len());
    // Caves and white noise, whose walls have every configuration; inside it is the surface.
    let perlin = Noise::perlin(Perlin { dimensions: 3, wavelength: 9.0, ..Default::default() });
    let white = Noise::white(orogen::node::White { dimensions: 3, wavelength: 1.0, ..Default::default() });
    for (noise, at) in [(&perlin, 0.0), (&perlin, 0.2), (&white, -0.6), (&white, 0.0), (&white, 0.5)] {
        let region = Region { origin: [-7, 1, 9], size: [24, 20, 22], ..Region::plane(1, 1) };
        let what = format!("{} at {at}", if std::ptr::eq(noise, &raw const white) { "white" } else { "perlin" });
        let [open, closed] = [surface, solid].map(|made| made(&cpu(), noise, &region, at).expect("a mesh"));
        assert_watertight(&closed, &what);
        assert!(closed.triangles.len() > open.triangles.len() && volume(&closed) > 0.0, "{what}");
        let inside = |position: &&[f32; 3]| position.iter().zip([24.0, 22.0, 20.0]).all(|(x, size)| *x > 1.0 && *x < size - 2.0);
        let sorted = |mesh: &orogen::mesh::Mesh| {
            let mut all: Vec<[u32; 3]> = mesh.positions.iter().filter(inside).map(|position| position.map(f32::to_bits)).collect();
            all.sort_unstable();
            all
        };
        assert_eq!(sorted(&closed), sorted(&open), "{what}");
    }
    assert!(solid(&cpu(), &ball, &half, 100.0).expect("nothing").positions.is_empty());
    assert!(solid(&cpu(), &ball, &Region::plane(8, 8), 0.0).is_err());
    for at in [f64::NAN, f64::INFINITY] {
        let told = surface(&cpu(), &ball, &half, at).expect_err("no level").to_string();
        assert!(told.contains("a finite number"), "{told}");
    }
}
