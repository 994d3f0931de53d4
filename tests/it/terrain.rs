//! Heights as triangles: no sample farther from them than allowed, no crack between chunks, files that say the same.

use crate::support::{Scratch, cpu, expect, path, run};
use orogen::mesh::{Mesh, Terrain, terrain, terrain_chunk};
use orogen::node::{Fractal, Simplex};
use orogen::{Layer, Noise, Recipe, Region};
use std::collections::BTreeMap;

fn hills() -> Noise {
    let octave = Noise::simplex(Simplex { wavelength: 90.0, seed: Some(3), ..Default::default() });
    octave.fractal(Fractal { octaves: 5, ..Default::default() }).scale_offset(30.0, 5.0)
}

fn chunk_of(noise: &Noise, at: [i64; 2], cells: u32) -> Layer {
    let region = Region { spacing: 0.5, ..terrain_chunk(at, cells) };
    cpu().field(noise, &region).expect("a field").into()
}

/// The two horizontal coordinates of a vertex in cells, and its height.
fn vertex(mesh: &Mesh, i: u32, step: f64) -> [f64; 3] {
    let [x, up, y] = mesh.positions[i as usize].map(f64::from);
    [x / step, y / step, up]
}

/// Holds the triangles against every sample of a layer but those around it: how far the farthest lies above or below. The triangles cover
/// every sample, once where they do not touch, and are seen from above.
fn farthest(mesh: &Mesh, heights: &Layer) -> f64 {
    let [width, height] = [0, 1].map(|axis| heights.region.size[axis] as usize - 2);
    let stride = heights.region.size[0] as usize;
    let mut away = vec![f64::NAN; width * height];
    let mut area = 0.0;
    for triangle in &mesh.triangles {
        let [a, b, c] = triangle.map(|i| vertex(mesh, i, heights.region.step()));
        let cross = |p: [f64; 3], q: [f64; 3], at: [f64; 2]| (q[0] - p[0]) * (at[1] - p[1]) - (q[1] - p[1]) * (at[0] - p[0]);
        let whole = cross(a, b, [c[0], c[1]]);
        // East to the right and south upwards: what is anticlockwise from above is clockwise here.
        assert!(whole < 0.0, "{a:?} {b:?} {c:?} is seen from below");
        area -= whole / 2.0;
        let ends = |axis: usize| {
            let all = [a[axis], b[axis], c[axis]];
            all.into_iter().fold(f64::INFINITY, f64::min) as usize..=all.into_iter().fold(0.0, f64::max) as usize
        };
        for y in ends(1) {
            for x in ends(0) {
                let at = [x as f64, y as f64];
                let parts = [cross(b, c, at), cross(c, a, at), cross(a, b, at)].map(|part| part / whole);
                if parts.iter().all(|&part| part >= 0.0) {
                    let on = parts[0] * a[2] + parts[1] * b[2] + parts[2] * c[2];
                    let sample = f64::from(heights.values[(y + 1) * stride + x + 1]);
                    away[y * width + x] = f64::max(away[y * width + x], (on - sample).abs());
                }
            }
        }
    }
    assert_eq!(area, ((width - 1) * (height - 1)) as f64, "triangles lie side by side");
    assert!(away.iter().all(|away| !away.is_nan()), "a sample is under no triangle");
    away.into_iter().fold(0.0, f64::max)
}

#[test]
fn no_sample_lies_farther_from_the_triangles_than_allowed() {
    let heights = chunk_of(&hills(), [-3, 7], 100);
    let mut counts = Vec::new();
    for error in [0.0, 0.05, 0.5, 4.0] {
        let mesh = terrain(&heights, &Terrain { error, ..Terrain::default() }).expect("a mesh");
        let found = farthest(&mesh, &heights);
        assert!(found <= error + 1e-9, "{found} for {error}");
        // It takes what it is allowed.
        assert!(found >= error * 0.8, "{found} for {error}: more triangles than needed");
        counts.push(mesh.triangles.len());
        for (position, normal) in mesh.positions.iter().zip(&mesh.normals) {
            let length = normal.iter().map(|c| c * c).sum::<f32>().sqrt();
            assert!((length - 1.0).abs() < 1e-6 && normal[1] > 0.0, "{position:?}: {normal:?}");
        }
    }
    assert_eq!(counts[0], 2 * 100 * 100);
    assert!(counts[1] > 2 * counts[2] && counts[2] > 4 * counts[3], "{counts:?}");
    // Even ground needs two triangles, for any direction of the normals.
    let plane = Noise::coordinate(orogen::node::Coordinate::default()).scale_offset(0.25, 3.0);
    let mesh = terrain(&chunk_of(&plane, [2, 2], 64), &Terrain { error: 1e-3, ..Terrain::default() }).expect("a mesh");
    assert_eq!((mesh.triangles.len(), mesh.positions.len()), (2, 4));
    assert!(mesh.normals.iter().all(|n| (n[0] + 0.25 * n[1]).abs() < 1e-6 && n[2] == 0.0), "{:?}", mesh.normals);
    assert_eq!(mesh.anchor, [64.0, 0.0, 64.0]);
}

/// A vertex in the world, and where its normal points, bit for bit.
type Place = [u64; 6];

/// The number of uses of each edge, from its smaller end to its larger one minus the reverse, and whether it is used twice.
fn edges(meshes: &[Mesh]) -> BTreeMap<[Place; 2], (i32, i32)> {
    let mut edges = BTreeMap::new();
    for mesh in meshes {
        let place = |i: u32| {
            let [east, up, south] = mesh.positions[i as usize].map(f64::from);
            let [nx, ny, nz] = mesh.normals[i as usize].map(f64::from);
            [east + mesh.anchor[0], south + mesh.anchor[2], up + mesh.anchor[1], nx, ny, nz].map(|x| (x + 0.0).to_bits())
        };
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(place);
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let (key, sign) = if from < to { ([from, to], 1) } else { ([to, from], -1) };
                let entry: &mut (i32, i32) = edges.entry(key).or_default();
                *entry = (entry.0 + sign, entry.1 + 1);
            }
        }
    }
    edges
}

#[test]
fn chunks_side_by_side_have_the_same_vertices_along_their_border() {
    for error in [0.0, 0.2, 2.0] {
        let around = (-1..2).flat_map(|y| (-2..1).map(move |x| [x, y]));
        let mesh = |at| terrain(&chunk_of(&hills(), at, 48), &Terrain { error, ..Terrain::default() }).expect("a mesh");
        let meshes: Vec<Mesh> = around.map(mesh).collect();
        let open = edges(&meshes).into_iter().filter(|(_, used)| *used != (0, 2)).collect::<Vec<_>>();
        // Open edges surround all nine.
        let [low, high] = [[-48.0, -24.0], [24.0, 48.0]];
        for ([a, b], used) in &open {
            assert_eq!(used.1, 1, "an edge is used {used:?} times");
            let outside = (0..2).any(|axis| {
                let ends = [a, b].map(|place| f64::from_bits(place[axis]));
                ends[0] == ends[1] && [low[axis], high[axis]].contains(&ends[0])
            });
            assert!(outside, "error {error}: a crack at {:?}", a.map(f64::from_bits));
        }
        assert!(open.len() >= 12, "{} open edges", open.len());
    }
}

#[test]
fn walls_hang_from_the_whole_border_and_are_seen_from_outside() {
    let heights = chunk_of(&hills(), [0, 0], 40);
    for error in [0.0, 0.5] {
        let plain = terrain(&heights, &Terrain { error, skirt: 0.0 }).expect("a mesh");
        let walled = terrain(&heights, &Terrain { error, skirt: 7.0 }).expect("a mesh");
        let border = edges(std::slice::from_ref(&plain)).values().filter(|used| used.1 == 1).count();
        assert_eq!(walled.triangles.len(), plain.triangles.len() + 2 * border);
        assert_eq!(walled.positions[..plain.positions.len()], plain.positions);
        let under = |low: &[f32; 3]| plain.positions.iter().any(|top| (top[0], top[1] - 7.0, top[2]) == (low[0], low[1], low[2]));
        assert_eq!(walled.positions.len(), plain.positions.len() + border);
        assert!(walled.positions[plain.positions.len()..].iter().all(under), "walls hang straight down");
        // The walls close the border; what is open lies below.
        let all = edges(std::slice::from_ref(&walled));
        assert_eq!(all.values().filter(|used| **used != (0, 2)).count(), border);
        for triangle in &walled.triangles[plain.triangles.len()..] {
            let [a, b, c] = triangle.map(|i| walled.positions[i as usize].map(f64::from));
            let normal = |i: usize, j: usize| (b[i] - a[i]) * (c[j] - a[j]) - (b[j] - a[j]) * (c[i] - a[i]);
            // Out of the middle of the chunk, which is 20 units wide.
            let middle = [0, 2].map(|axis| (a[axis] + b[axis] + c[axis]) / 3.0 - 10.0);
            assert!(normal(1, 2) * middle[0] + normal(0, 1) * middle[1] > 0.0, "a wall is seen from inside: {a:?} {b:?} {c:?}");
        }
    }
}

#[test]
fn heights_that_are_none_are_refused() {
    let good = chunk_of(&hills(), [0, 0], 8);
    let told = |heights: &Layer, how: Terrain| terrain(heights, &how).expect_err("refused").to_string();
    let plain = Terrain::default();
    let with = |change: fn(&mut Layer)| {
        let mut heights = good.clone();
        change(&mut heights);
        told(&heights, plain)
    };
    let all = [
        with(|heights| heights.values[30] = f32::NAN),
        with(|heights| heights.values[0] = f32::INFINITY),
        with(|heights| heights.channels = 3),
        with(|heights| heights.values.truncate(5)),
        with(|heights| heights.region.size = [11, 11, 2]),
        with(|heights| heights.region.size = [3, 11, 1]),
        with(|heights| heights.region.spacing = -1.0),
        told(&good, Terrain { error: -1.0, ..plain }),
        told(&good, Terrain { error: f64::NAN, ..plain }),
        told(&good, Terrain { skirt: f64::INFINITY, ..plain }),
    ];
    for text in all {
        assert!(text.contains("allowed"), "{text}");
    }
}

/// The positions of a glTF file, their triangles, and where its node lies.
fn glb(bytes: &[u8]) -> Mesh {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four"));
    let json: serde_json::Value = serde_json::from_slice(&bytes[20..20 + word(12) as usize]).expect("JSON");
    let binary = &bytes[28 + word(12) as usize..];
    let part = |accessor: usize| {
        let view = &json["bufferViews"][json["accessors"][accessor]["bufferView"].as_u64().expect("a view") as usize];
        let [from, length] = ["byteOffset", "byteLength"].map(|key| view[key].as_u64().expect("bytes") as usize);
        binary[from..from + length].as_chunks::<4>().0
    };
    let triples = |accessor| part(accessor).as_chunks::<3>().0;
    let floats = |accessor| triples(accessor).iter().map(|t| t.map(f32::from_le_bytes)).collect();
    let anchor = [0, 1, 2].map(|axis| json["nodes"][0]["translation"][axis].as_f64().expect("a number"));
    let triangles = triples(2).iter().map(|t| t.map(u32::from_le_bytes)).collect();
    Mesh { anchor, positions: floats(0), normals: floats(1), triangles }
}

const RECIPE: &str = r#"output = "worn"
[node.s]
kind = "simplex"
wavelength = 150.0
[node.n]
kind = "fractal"
of = "s"
[node.hills]
kind = "scale_offset"
of = "n"
scale = 80.0
[stage.normals]
kind = "normal"
of = "worn"
[stage.worn]
kind = "thermal"
of = "hills"
iterations = 4
[bake]
tile = 64
tiles = [3, 2]
spacing = 2.0
layers = ["normals"]
"#;

#[test]
fn a_world_as_meshes_is_the_world_and_has_no_cracks_on_any_level() {
    let scratch = Scratch::new("meshes");
    let recipe = scratch.file("r.toml", RECIPE);
    let out = scratch.0.join("out");
    let bake = |out: &std::path::Path, more: &[&str]| {
        run(&[&["bake", path(&recipe), "--out", path(out), "--backend", "cpu", "--tiles", "-1..2,5..7"], more].concat(), "")
    };
    let flags = ["--format", "glb", "--cells", "40", "--levels", "3", "--error", "0.25"];
    expect(&bake(&out, &flags), 0, &[]);
    // The heights by another way.
    let pipeline = Recipe::load(&recipe).expect("a recipe").pipeline;
    let (columns, rows) = (3 * 64_usize, 2 * 64_usize);
    let region = Region { origin: [-64, 5 * 64, 0], spacing: 2.0, ..Region::plane(columns as u32, rows as u32) };
    let world = cpu().layers(&pipeline, &["worn"], &region).expect("layers").remove(0);
    let index: serde_json::Value = serde_json::from_slice(&std::fs::read(out.join("meshes/meshes.json")).expect("a list")).expect("JSON");
    assert_eq!(index["corner"], serde_json::json!([-128.0, 640.0]));
    let listed = index["meshes"].as_array().expect("meshes");
    for level in 0..3_usize {
        let size = [columns.div_ceil(1 << level), rows.div_ceil(1 << level)];
        let mut meshes = Vec::new();
        for entry in listed.iter().filter(|entry| entry["level"] == level) {
            let file = entry["file"].as_str().expect("a name");
            let mesh = glb(&std::fs::read(out.join("meshes").join(file)).unwrap_or_else(|error| panic!("{file}: {error}")));
            assert_eq!(entry["triangles"].as_u64(), Some(mesh.triangles.len() as u64));
            assert_eq!(entry["from"], serde_json::json!([mesh.anchor[0], mesh.anchor[2]]));
            let step = 2.0 * f64::from(1 << level);
            let from = [0, 1].map(|axis| (mesh.anchor[2 * axis] / step) as usize);
            let cells = [0, 1].map(|axis| 40.min(size[axis] - 1 - from[axis]));
            // The samples below the mesh, and a ring around them that nothing reads.
            let at = |x: usize, y: usize| {
                let [x, y] = [from[0] + x, from[1] + y].map(|i| i.saturating_sub(1));
                world.values[(y.min(size[1] - 1) << level) * columns + (x.min(size[0] - 1) << level)]
            };
            let values = (0..cells[1] + 3).flat_map(|y| (0..cells[0] + 3).map(move |x| (x, y))).map(|(x, y)| at(x, y)).collect();
            let region = Region { spacing: step, ..Region::plane(cells[0] as u32 + 3, cells[1] as u32 + 3) };
            let found = farthest(&mesh, &Layer { name: String::new(), region, channels: 1, values });
            let allowed = 0.25 * f64::from(1 << level);
            assert!(found <= allowed + 1e-5, "{file}: {found} of {allowed}");
            meshes.push(mesh);
        }
        let chunks = size.map(|samples| (samples - 1).div_ceil(40));
        assert_eq!(meshes.len(), chunks[0] * chunks[1], "level {level}");
        let ends = size.map(|samples| (samples - 1) as f64 * 2.0 * f64::from(1 << level));
        for ([a, b], used) in edges(&meshes) {
            let outside = (0..2).any(|axis| {
                let [p, q] = [a, b].map(|place| f64::from_bits(place[axis]));
                p == q && (p == 0.0 || p == ends[axis])
            });
            assert!(used == (0, 2) || used.1 == 1 && outside, "level {level}: a crack at {:?}, {used:?}", a.map(f64::from_bits));
        }
    }
    expect(&run(&["check", path(&out), "--backend", "cpu"], ""), 0, &[]);
    // The same heights as PLY, whose third axis points up.
    let ply = scratch.0.join("ply");
    expect(&bake(&ply, &["--format", "ply", "--cells", "40", "--error", "0.25"]), 0, &[]);
    let bytes = std::fs::read(ply.join("meshes/0/x1_y0.ply")).expect("a file");
    let mesh = glb(&std::fs::read(out.join("meshes/0/x1_y0.glb")).expect("a file"));
    let end = bytes.windows(11).position(|w| w == b"end_header\n").expect("a header") + 11;
    let header = std::str::from_utf8(&bytes[..end]).expect("text");
    assert!(header.contains(&format!("element vertex {}\n", mesh.positions.len())), "{header}");
    assert!(header.contains(&format!("element face {}\n", mesh.triangles.len())), "{header}");
    assert_eq!(bytes.len(), end + 36 * mesh.positions.len() + 13 * mesh.triangles.len());
    for (vertex, (position, normal)) in bytes[end..].as_chunks::<36>().0.iter().zip(mesh.positions.iter().zip(&mesh.normals)) {
        let (place, upright) = vertex.split_at(24);
        let [east, up, south] = position.map(f64::from);
        let world = [mesh.anchor[0] + east - 128.0, mesh.anchor[2] + south + 640.0, up];
        assert!(place.as_chunks::<8>().0.iter().map(|&bytes| f64::from_le_bytes(bytes)).eq(world), "{position:?}");
        let [nx, ny, nz] = normal;
        assert!(upright.as_chunks::<4>().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).eq([*nx, *nz, *ny]), "{normal:?}");
    }
    assert!(bytes[end + 36 * mesh.positions.len()..].chunks(13).zip(&mesh.triangles).all(|(face, triangle)| {
        let corner = |k: usize| u32::from_le_bytes(face[1 + 4 * k..][..4].try_into().expect("four"));
        face[0] == 3 && [corner(0), corner(2), corner(1)] == *triangle
    }));
    // Invalid input is refused before anything is made.
    let refused = scratch.0.join("refused");
    for (flags, told) in [
        (["--format", "glb", "--cells", "4"], "8 to 4096"),
        (["--format", "glb", "--levels", "9"], "1 to 7 for 128 samples"),
        (["--format", "glb", "--error", "-1"], "0 to 1e9 world units"),
        (["--format", "glb", "--pixels", "64"], "--format terrarium"),
        (["--format", "cog", "--cells", "64"], "--format glb or ply"),
    ] {
        expect(&bake(&refused, &flags), 2, &[told]);
        assert!(!refused.exists(), "{flags:?}");
    }
}

/// The heights of a mesh along a line of constant x, by where they lie along y; between vertices they go straight.
fn profile(mesh: &Mesh, x: f64) -> Vec<[f64; 2]> {
    let world = mesh.positions.iter().map(|position| [0, 1, 2].map(|axis| mesh.anchor[axis] + f64::from(position[axis])));
    let mut all: Vec<[f64; 2]> = world.filter(|[east, ..]| *east == x).map(|[_, up, south]| [south, up]).collect();
    all.sort_by(|a, b| a[0].total_cmp(&b[0]));
    all
}

fn height(profile: &[[f64; 2]], y: f64) -> f64 {
    let next = profile.partition_point(|[south, _]| *south <= y).clamp(1, profile.len() - 1);
    let ([y0, h0], [y1, h1]) = (profile[next - 1], profile[next]);
    h0 + (h1 - h0) * (y - y0) / (y1 - y0)
}

/// Chunks of every level reach from edge to edge of the same ground, and where two levels meet, skirts as deep as documented close the gap.
#[test]
fn coarser_chunks_have_the_same_ground_and_skirts_close_the_gaps_between_levels() {
    use orogen::mesh::coarser_terrain_chunk;
    let heights = |at: [i64; 2], level: u32| -> Layer {
        let region = coarser_terrain_chunk(&Region { spacing: 0.5, ..terrain_chunk(at, 64) }, level).expect("a chunk");
        cpu().field(&hills(), &region).expect("a field").into()
    };
    let steepest = {
        let fine = cpu().field_with_gradient(&hills(), &Region { spacing: 0.25, ..Region::plane(400, 400) }).expect("a field");
        // Of a part of the world; hills are as steep everywhere.
        1.5 * fine.gradients.expect("gradients").iter().flatten().fold(0.0_f32, |most, slope| most.max(slope.abs()))
    };
    let mut gaps = 0;
    for error in [0.0, 0.2] {
        for level in 0..=6 {
            let made = terrain(&heights([1, -1], level), &Terrain { error, skirt: 0.0 }).expect("a mesh");
            for (axis, edges) in [(0, [32.0, 64.0]), (2, [-32.0, 0.0])] {
                let all = made.positions.iter().map(|position| made.anchor[axis] + f64::from(position[axis]));
                assert_eq!(all.fold([f64::MAX, f64::MIN], |[lo, hi], x| [lo.min(x), hi.max(x)]), edges, "level {level}");
            }
            assert!(error > 0.0 || made.triangles.len() == 2 << (2 * (6 - level)), "level {level}");
            farthest(&made, &heights([1, -1], level));
            // Samples of a level are among those of finer ones; along the border between two, the ground of both begins and ends together.
            for other in 0..=level {
                let beside = terrain(&heights([2, -1], other), &Terrain { error, skirt: 0.0 }).expect("a mesh");
                let (here, there) = (profile(&made, 64.0), profile(&beside, 64.0));
                assert!(here.len() >= 2 && there.len() >= 2);
                assert_eq!((here[0], here[here.len() - 1]), (there[0], there[there.len() - 1]), "levels {level} and {other}");
                let gap = (0..=640).map(|i| -32.0 + f64::from(i) / 20.0).map(|y| (height(&here, y) - height(&there, y)).abs());
                let gap = gap.fold(0.0, f64::max);
                assert!(level != other || gap == 0.0, "levels {level} and {other}: a gap of {gap}");
                gaps += u32::from(gap > 0.0);
                let skirt = f64::from(steepest) * 0.5 * f64::from(1 << level) + 2.0 * error;
                assert!(gap <= skirt, "levels {level} and {other}: a gap of {gap} and a skirt of {skirt}");
                // The walls hang from the border of either mesh.
                for (heights, plain) in [(heights([1, -1], level), &here), (heights([2, -1], other), &there)] {
                    let walled = terrain(&heights, &Terrain { error, skirt }).expect("a mesh");
                    let border = profile(&walled, 64.0);
                    let low = |top: &[f64; 2]| border.iter().any(|[y, h]| *y == top[0] && (h - (top[1] - skirt)).abs() < 1e-3);
                    assert!(border.len() == 2 * plain.len() && plain.iter().all(low), "levels {level} and {other}");
                }
            }
        }
    }
    assert!(gaps > 20, "{gaps} gaps");
    for (at, cells, level) in [([1, 1], 65, 1), ([1, 1], 64, 7), ([3, 1], 6, 2)] {
        let told = coarser_terrain_chunk(&terrain_chunk(at, cells), level).expect_err("refused").to_string();
        assert!(told.contains("levels") && told.contains("allowed"), "{told}");
    }
    assert!(coarser_terrain_chunk(&Region::chunk(1, 1, 64), 1).is_err(), "a region without a ring of samples");
}
