//! Surfaces of volumes: no vertex without a triangle, one set of axes, one rule for what is solid, in reused memory, of samples.

use crate::support::{Random, Scratch, cpu, expect, path, run};
use orogen::mesh::{Mesh, Surfaces, chunk, coarser_chunk, solid, surface};
use orogen::node::{Axis, Coordinate, Perlin, Radius, Simplex, White};
use orogen::{Noise, Region};
use std::collections::{BTreeMap, BTreeSet};

fn caves() -> Noise {
    Noise::simplex(Simplex { dimensions: 3, wavelength: 24.0, ..Default::default() })
}

fn ground(height: f64) -> Noise {
    Noise::coordinate(Coordinate { axis: Axis::Z, ..Default::default() }).scale_offset(-1.0, height)
}

/// A vertex in the world, z up.
fn in_world(mesh: &Mesh, vertex: usize) -> [f64; 3] {
    let [east, up, south] = [0, 1, 2].map(|axis| mesh.anchor[axis] + f64::from(mesh.positions[vertex][axis]));
    [east, south, up]
}

/// Checks a mesh. Every vertex is in a triangle and has a normal of length 1, and every triangle has three vertices. Every edge
/// has a triangle on either side, except at the mesh's border. Returns the edges with a triangle on one side only.
fn check(mesh: &Mesh, what: &str) -> Vec<[u32; 2]> {
    assert_eq!(mesh.positions.len(), mesh.normals.len(), "{what}");
    let mut used = vec![false; mesh.positions.len()];
    let mut edges: BTreeMap<[u32; 2], u32> = BTreeMap::new();
    for &[a, b, c] in &mesh.triangles {
        assert!(a != b && b != c && c != a, "{what}: a triangle of two vertices");
        for edge in [[a, b], [b, c], [c, a]] {
            used[edge[0] as usize] = true;
            *edges.entry(edge).or_default() += 1;
        }
    }
    assert_eq!(used.iter().filter(|used| !**used).count(), 0, "{what}: vertices in no triangle");
    assert!(edges.values().all(|&count| count == 1), "{what}: an edge with two triangles on one side");
    for normal in &mesh.normals {
        let length = normal.iter().map(|c| c * c).sum::<f32>().sqrt();
        assert!((length - 1.0).abs() < 1e-5, "{what}: a normal of {normal:?}");
    }
    edges.keys().filter(|[a, b]| !edges.contains_key(&[*b, *a])).copied().collect()
}

#[test]
fn every_vertex_has_a_triangle_and_a_chunk_without_any_is_empty() {
    for (x, noise) in [(0, caves()), (3, Noise::white(White { dimensions: 3, wavelength: 1.0, ..Default::default() }))] {
        for cells in [1, 2, 5, 32] {
            let region = chunk([x, -1, 2], cells);
            check(&surface(&cpu(), &noise, &region, 0.0).expect("a mesh"), &format!("{cells} cells"));
            check(&solid(&cpu(), &noise, &region, 0.0).expect("a mesh"), &format!("{cells} cells with walls"));
        }
    }
    let mut with = 0;
    for z in 0..160 {
        let height = f64::from(z) / 4.0;
        let mesh = surface(&cpu(), &ground(height), &chunk([0, 0, 0], 32), 0.0).expect("a mesh");
        check(&mesh, &format!("ground at {height}"));
        assert!(!mesh.triangles.is_empty() || mesh.positions.is_empty() && mesh.normals.is_empty(), "ground at {height}");
        with += u32::from(!mesh.triangles.is_empty());
        // Chunks have each height once.
        let above = surface(&cpu(), &ground(height), &chunk([0, 0, 1], 32), 0.0).expect("a mesh");
        assert_eq!(mesh.triangles.len() + above.triangles.len(), 2 * 32 * 32, "ground at {height}");
    }
    assert_eq!(with, 128, "heights in the chunk");
}

#[test]
fn positions_and_anchor_have_the_same_axes() {
    let rock = caves();
    let prepared = cpu().prepare(&rock).expect("a valid noise");
    let region = Region { spacing: 0.5, ..chunk([1, 2, 3], 32) };
    for mesh in [surface(&cpu(), &rock, &region, 0.1), solid(&cpu(), &rock, &region, 0.1)].map(|mesh| mesh.expect("a mesh")) {
        assert_eq!(mesh.anchor, [16.0, 48.0, 32.0]);
        let inner = (0..mesh.positions.len()).filter(|&i| mesh.positions[i].iter().all(|x| (0.5..15.5).contains(x)));
        let off = inner.map(|i| (prepared.value(in_world(&mesh, i)).expect("a value") - 0.1).abs());
        let (most, count) = off.fold((0.0_f64, 0), |(most, count), off| (most.max(off), count + 1));
        assert!(most < 0.02 && count > 500, "{most} off the surface, of {count}");
        // Files keep their axes: glTF and OBJ y up, PLY z up in the world.
        let obj = mesh.obj();
        assert!(obj.starts_with("# x is east, y up, z south; vertices are relative to [16.0, 48.0, 32.0]\n"), "{obj:.100}");
        let glb = String::from_utf8_lossy(&mesh.glb().expect("glTF")).into_owned();
        assert!(glb.contains("\"translation\":[16.0,48.0,32.0]"));
        let ply = mesh.ply();
        let data = ply.windows(11).position(|w| w == b"end_header\n").expect("a header") + 11;
        for i in 0..mesh.positions.len() {
            let place = [0, 1, 2].map(|axis| f64::from_le_bytes(ply[data + 36 * i + 8 * axis..][..8].try_into().expect("eight")));
            assert_eq!(place, in_world(&mesh, i));
        }
    }
}

/// Densities of exactly the level are solid, and only those of less are not.
#[test]
fn densities_from_the_level_on_are_solid() {
    let step = caves().threshold(0.0, 0.0, 1.0);
    let region = Region { size: [20; 3], ..Region::plane(1, 1) };
    let count = |at: f64| surface(&cpu(), &step, &region, at).expect("a mesh").triangles.len();
    assert!(count(1.0) > 500 && count(1.0) == count(0.5) && count(1.0) == count(1e-9), "{} and {}", count(1.0), count(0.5));
    assert_eq!([count(0.0), count(1.0 + 1e-9), count(-1.0)], [0; 3], "all is solid, or nothing");
    check(&surface(&cpu(), &step, &region, 1.0).expect("a mesh"), "densities of 0 and 1 at 1");
    // As walls have it: all is solid, so all of the region is.
    let all = solid(&cpu(), &step, &region, 0.0).expect("a mesh");
    let extent = all.positions.iter().flatten().fold([f32::MAX, f32::MIN], |[lo, hi], &x| [lo.min(x), hi.max(x)]);
    assert_eq!(extent, [0.0, 19.0]);
    assert!(solid(&cpu(), &step, &region, 1.5).expect("a mesh").positions.is_empty());
    // Ground up to exactly a sample.
    let flat = surface(&cpu(), &ground(7.0), &region, 0.0).expect("a mesh");
    assert!(flat.positions.iter().all(|position| position[1] == 7.0) && flat.normals.iter().all(|normal| *normal == [0.0, 1.0, 0.0]));
}

/// Many samples of these balls lie at exactly the level. No two vertices are at one place, so that programs which join such
/// vertices keep a closed mesh, and no triangle is without area.
#[test]
fn samples_at_the_level_leave_no_triangle_without_area() {
    for (radius, inside) in [(5.0, 1.0), (10.0, 1.0), (5.0, -1.0), (10.0, -1.0)] {
        let ball = Noise::radius(Radius { axes: [1.0; 3], ..Default::default() }).scale_offset(-inside, inside * radius);
        let region = Region { origin: [-13; 3], size: [26; 3], ..Region::plane(1, 1) };
        let mesh = surface(&cpu(), &ball, &region, 0.0).expect("a mesh");
        assert!(mesh.triangles.len() > 500 && check(&mesh, "a ball").is_empty());
        let places: BTreeSet<[u32; 3]> = mesh.positions.iter().map(|position| position.map(f32::to_bits)).collect();
        assert_eq!(places.len(), mesh.positions.len(), "{radius}: vertices at one place");
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|i| glam::Vec3::from(mesh.positions[i as usize]));
            assert!((b - a).cross(c - a).length() > 1e-8, "{radius}: a triangle without area");
        }
    }
}

#[test]
fn the_command_says_truly_why_there_is_no_surface() {
    let scratch = Scratch::new("volume-at");
    let text =
        "output = \"t\"\n[node.b]\nkind = \"simplex\"\ndimensions = 3\nwavelength = 12.0\n[node.t]\nkind = \"threshold\"\nof = \"b\"\n";
    let (recipe, out) = (scratch.file("r.toml", text), scratch.0.join("v.obj"));
    let volume = |flags: &[&str]| {
        let all = [&["volume", path(&recipe), "-o", path(&out), "--size", "24,24,24", "--backend", "cpu"], flags].concat();
        run(&all, "")
    };
    expect(&volume(&["--at", "1"]), 0, &[]);
    let all = "all is solid: the densities there are 0 to 1, nowhere less than 0; allowed: --at above 0 and up to 1";
    expect(&volume(&["--at", "0"]), 65, &[all]);
    expect(&volume(&[]), 65, &[all]);
    expect(&volume(&["--at", "0", "--walls"]), 0, &[]);
    expect(&volume(&["--at", "1.5"]), 65, &["nothing is solid: the densities there are 0 to 1, nowhere 1.5 or more"]);
    expect(&volume(&["--at", "1.5", "--walls"]), 65, &["nothing is solid"]);
    // A surface that touches the outermost cells alone.
    let text = "output = \"g\"\n[node.z]\nkind = \"coordinate\"\naxis = \"z\"\n[node.g]\nkind = \"scale_offset\"\nof = \"z\"\nscale = -1.0\noffset = 22.5\n";
    let ground = scratch.file("g.toml", text);
    let output = run(&["volume", path(&ground), "-o", path(&out), "--size", "24,24,24", "--backend", "cpu"], "");
    expect(&output, 65, &["the surface at 0 passes only through the outermost cells; allowed: a larger --size, or --walls"]);
}

#[test]
fn surfaces_in_reused_memory_are_those_made_anew() {
    let mut random = Random(11);
    let (mut surfaces, mut mesh) = (Surfaces::new(), Mesh::default());
    let white = Noise::white(White { dimensions: 3, wavelength: 1.0, ..Default::default() });
    let noises =
        [caves(), ground(5.3), white, Noise::perlin(Perlin { dimensions: 3, wavelength: 5.0, ..Default::default() }), Noise::constant(1.0)];
    let prepared = noises.each_ref().map(|noise| cpu().prepare(noise).expect("a valid noise"));
    for round in 0..60 {
        let size = [0; 3].map(|_| 2 + (random.bits() % 20) as u32);
        let region = Region { size, origin: [round, -3 * round, 2], spacing: 0.75, ..Region::plane(1, 1) };
        let (i, at) = ((random.bits() % 5) as usize, random.between(-0.4, 0.4));
        surfaces.of(&prepared[i], &region, at, &mut mesh).expect("a mesh");
        assert_eq!(mesh, surface(&cpu(), &noises[i], &region, at).expect("a mesh"), "noise {i} at {at}, {size:?}");
        // Of samples: the same triangles and vertices.
        let densities = prepared[i].field(&region).expect("samples").values;
        let mut same = Mesh::default();
        surfaces.of_samples(&densities, &region, at, &mut same).expect("a mesh");
        assert_eq!((&same.anchor, &same.positions, &same.triangles), (&mesh.anchor, &mesh.positions, &mesh.triangles));
        check(&same, "of samples");
    }
    let region = chunk([0; 3], 4);
    let before = mesh.clone();
    for (densities, at, told) in [
        (vec![0.0; 5], 0.0, "samples = 5 for a region of [6, 6, 6]"),
        (vec![f32::NAN; 216], 0.0, "sample = NaN"),
        (vec![f32::NEG_INFINITY; 216], 0.0, "sample = -inf"),
        (vec![0.0; 216], f64::NAN, "at = NaN"),
    ] {
        let error = surfaces.of_samples(&densities, &region, at, &mut mesh).expect_err("refused").to_string();
        assert!(error.contains(told) && error.contains("allowed"), "{error}");
    }
    for region in [Region { size: [6, 6, 1], ..region }, Region { spacing: -1.0, ..region }, Region { size: [2, 2, 2000], ..region }] {
        assert!(surfaces.of_samples(&vec![0.0; region.samples() as usize], &region, 0.0, &mut mesh).is_err());
        assert!(surfaces.of(&prepared[0], &region, 0.0, &mut mesh).is_err());
    }
    assert_eq!(mesh, before, "a failed call changed the mesh");
}

/// Normals of samples are those of the noise, but for what a cell is coarse, and the same in every chunk.
#[test]
fn normals_of_samples_are_near_the_noises_and_agree_between_chunks() {
    let ball = Noise::radius(Radius { axes: [1.0; 3], centre: [0.3, -0.2, 0.1], ..Default::default() }).scale_offset(-1.0, 13.7);
    let (mut surfaces, mut seen): (_, BTreeMap<[u64; 3], [u32; 3]>) = (Surfaces::new(), BTreeMap::new());
    let mut shared = 0;
    for at in (-1..1).flat_map(|z| (-1..1).flat_map(move |y| (-1..1).map(move |x| [x, y, z]))) {
        let (region, mut mesh) = (chunk(at, 16), Mesh::default());
        let densities = cpu().field(&ball, &region).expect("samples").values;
        surfaces.of_samples(&densities, &region, 0.0, &mut mesh).expect("a mesh");
        for (i, normal) in mesh.normals.iter().enumerate() {
            let place = in_world(&mesh, i);
            let [x, y, z] = [place[0] - 0.3, place[1] + 0.2, place[2] - 0.1];
            let length = (x * x + y * y + z * z).sqrt();
            let off = [x, z, y].iter().zip(normal).map(|(c, n)| (c / length - f64::from(*n)).powi(2)).sum::<f64>().sqrt();
            assert!(off < 0.1, "{off} at {place:?}");
            let bits = normal.map(|c| (c + 0.0).to_bits());
            let other = seen.insert(place.map(f64::to_bits), bits);
            assert!(other.is_none_or(|other| other == bits), "chunks differ at {place:?}");
            shared += usize::from(other.is_some());
        }
    }
    assert!(shared > 100, "{shared} vertices in two chunks");
}

#[test]
fn coarser_chunks_fill_the_same_part_of_the_world() {
    let rock = caves().scale_offset(1.0, 0.01);
    for level in 0..=4 {
        // A plane, which every level has exactly: from edge to edge in each.
        let fine = chunk([1, -1, 0], 32);
        let coarse = coarser_chunk(&fine, level).expect("a chunk");
        let mesh = surface(&cpu(), &ground(13.25), &coarse, 0.0).expect("a mesh");
        let range = |axis: usize| {
            let all = mesh.positions.iter().map(|p| mesh.anchor[axis] + f64::from(p[axis]));
            all.fold([f64::MAX, f64::MIN], |[lo, hi], x| [lo.min(x), hi.max(x)])
        };
        let step = f64::from(1 << level);
        let ([west, east], [north, south]) = (range(0), range(2));
        // Vertices lie in the middle of cells; the neighbour goes on from there.
        assert_eq!([west, east, north, south], [32.0, 64.0, -32.0, 0.0].map(|edge| edge + step / 2.0), "level {level}");
        let [here, there] = [[1, -1, 0], [2, -1, 0]].map(|at| {
            let region = coarser_chunk(&chunk(at, 32), level).expect("a chunk");
            surface(&cpu(), &rock, &region, 0.0).expect("a mesh")
        });
        let whole = Region { size: [coarse.size[0] * 2 - 2, coarse.size[1], coarse.size[2]], ..coarse };
        let both = surface(&cpu(), &rock, &whole, 0.0).expect("a mesh");
        assert_eq!(here.triangles.len() + there.triangles.len(), both.triangles.len(), "level {level}");
    }
    for (region, levels) in
        [(chunk([1, 0, 0], 33), 1), (chunk([1, 0, 0], 32), 6), (chunk([0; 3], 0), 0), (Region { origin: [3, 0, 0], ..chunk([0; 3], 4) }, 1)]
    {
        let told = coarser_chunk(&region, levels).expect_err("refused").to_string();
        assert!(told.contains(&format!("levels = {levels} for")) && told.contains("allowed"), "{told}");
    }
}
