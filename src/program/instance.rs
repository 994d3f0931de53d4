//! Instances of a scope: their positions, and the inputs of their seeds.

use super::seed::Seed;
use crate::frame::{AddressMode, Frame};
use crate::program::Axis;
use crate::program::reach::Reached;
use glam::{DAffine3, DMat3, DVec3};

/// Range of seeded lattice offsets, in cells: a power of two, so that they are exact.
pub(crate) const LATTICE_REACH: f64 = 4096.0;

/// An instance of a scope: the transform of its positions from the world, and the input of its seeds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instance {
    /// World position → the scope's own position.
    pub map: DAffine3,
    /// World displacement → the scope's own displacement. It differs from `map` inside a slice and similar nodes, where
    /// displacements and gradients are measured in their own space instead of the world.
    pub local: DMat3,
    /// World units per cell if positions are centres of cells: the world is then that of the innermost quantise.
    pub quantum: Option<DVec3>,
    /// Period along each axis in own units: 0 for none, NaN if a rotation or a mirror has broken it.
    pub period: DVec3,
    /// That period in world units, and as requested by the periodic node.
    pub repeat: DVec3,
    pub asked: DVec3,
    /// Factor of the fourth axis.
    pub fourth: f64,
    /// Period along the fourth axis in world units; 0 for none.
    pub w_period: f64,
    pub seed: Seed,
    /// Bound of the displacement by outer warps.
    pub reach: DVec3,
    /// From a sample's world position to the position that `map` takes: the identity, except inside a quantise, where `map`
    /// begins at the centre of the cell.
    pub world: Reached,
}

impl Instance {
    /// The program's own instance.
    pub fn root() -> Instance {
        Instance {
            map: DAffine3::IDENTITY,
            local: DMat3::IDENTITY,
            quantum: None,
            period: DVec3::ZERO,
            repeat: DVec3::ZERO,
            asked: DVec3::ZERO,
            fourth: 1.0,
            w_period: 0.0,
            seed: Seed::default(),
            reach: DVec3::ZERO,
            world: Reached::default(),
        }
    }

    /// The matrix of the samples' positions in a frame of this instance.
    pub fn reached(&self, frame: &Frame) -> Reached {
        let map = DAffine3 { matrix3: frame.linear, translation: frame.offset };
        Reached { map: map * self.world.map, off: absolute(frame.linear) * self.world.off + absolute(frame.local) * self.reach }
    }

    /// The instance after another step: own position → new own position.
    pub fn then(&self, step: DAffine3) -> Instance {
        let period =
            if self.period == DVec3::ZERO || is_diagonal(step.matrix3) { diagonal(step.matrix3).abs() * self.period } else { DVec3::NAN };
        Instance { map: step * self.map, local: step.matrix3 * self.local, period, ..*self }
    }

    /// The instance of a periodic sub-graph; `None` if positions are rotated or quantised here, or already repeat.
    pub fn repeated(&self, period: [f64; 3], w_period: f64) -> Option<Instance> {
        let asked = DVec3::from(period);
        let in_space = asked != DVec3::ZERO && (!is_diagonal(self.map.matrix3) || self.quantum.is_some());
        if in_space || self.is_periodic() {
            return None;
        }
        // An axis along which the position is constant, or purely a displacement, is not counted in samples.
        let scale = diagonal(self.map.matrix3).abs();
        let repeat = DVec3::from([0, 1, 2].map(|a| if scale[a] > 0.0 { asked[a] / scale[a] } else { 0.0 }));
        Some(Instance { period: asked, repeat, asked, w_period, ..*self })
    }

    /// Whether there is a period.
    pub fn is_periodic(&self) -> bool {
        self.period != DVec3::ZERO || self.w_period > 0.0
    }

    /// The frame of lattice coordinates `to_lattice · own position + cells`.
    pub fn frame(&self, to_lattice: DMat3, cells: DVec3, seed: u32) -> Frame {
        Frame {
            linear: to_lattice * self.map.matrix3,
            offset: to_lattice * self.map.translation + cells,
            local: to_lattice * self.local,
            quantum: self.quantum,
            repeat: if self.quantum.is_some() { DVec3::ZERO } else { self.repeat },
            period: [0; 4],
            seed,
            address_mode: AddressMode::Unbounded,
        }
    }

    /// The frame of a matrix for displacements and gradients only.
    pub fn matrix(&self, local: DMat3) -> Frame {
        Frame {
            linear: DMat3::ZERO,
            offset: DVec3::ZERO,
            local,
            quantum: self.quantum,
            repeat: DVec3::ZERO,
            period: [0; 4],
            seed: 0,
            address_mode: AddressMode::Unbounded,
        }
    }

    /// The instance of a slice, and its displacement map: displacements and gradients are the slice's own from now on.
    pub fn sliced(&self, axis: Axis, at: f64) -> (Instance, DMat3) {
        let across = direction(axis);
        let flat = DAffine3 { matrix3: DMat3::from_diagonal(DVec3::ONE - across), translation: across * at };
        let instance = self.then(flat);
        (Instance { local: DMat3::IDENTITY, reach: absolute(instance.local) * self.reach, ..instance }, instance.local)
    }

    /// The instance at `matrix · own position + offset`, where displacements and gradients are the new position's own from now on.
    pub fn moved(&self, matrix: DMat3, offset: DVec3) -> Instance {
        let instance = self.then(DAffine3 { matrix3: matrix, translation: offset });
        Instance { local: DMat3::IDENTITY, reach: absolute(instance.local) * self.reach, ..instance }
    }

    /// The instance on the near side of a mirror.
    pub fn mirrored(&self, axis: Axis, at: f64) -> Instance {
        let across = direction(axis);
        let instance = self.then(DAffine3 { matrix3: DMat3::from_diagonal(DVec3::ONE - 2.0 * across), translation: across * (2.0 * at) });
        // A noise that is mirrored on one side only does not repeat.
        Instance { period: if across.dot(self.period) == 0.0 { self.period } else { DVec3::NAN }, ..instance }
    }

    /// The frame of the cells themselves.
    pub fn cells(&self, size: [f64; 3]) -> Frame {
        let frame = around([0.0; 3], DVec3::from(size).recip(), self);
        let [x, y, z] = (self.period / DVec3::from(size)).round().to_array().map(|cells| cells as i32);
        Frame { period: [x, y, z, 0], ..frame }
    }

    /// The instance at the centres of cells of this size.
    pub fn quantised(&self, size: [f64; 3]) -> Instance {
        let Instance { period, asked, map, local, .. } = *self;
        let off = absolute(map.matrix3) * self.world.off + absolute(local) * self.reach + 0.5 * DVec3::from(size);
        let world = Reached { map: map * self.world.map, off };
        Instance {
            quantum: Some(DVec3::from(size)),
            map: DAffine3::IDENTITY,
            period,
            asked,
            world,
            ..self.placed(DVec3::ZERO, DVec3::ZERO)
        }
    }

    /// The instance at a position that is purely a displacement, at most `reach` from a fixed one.
    pub fn placed(&self, from: DVec3, reach: DVec3) -> Instance {
        let map = DAffine3 { matrix3: DMat3::ZERO, translation: from };
        // Such a position repeats because the values that determine it do.
        let still = DVec3::ZERO;
        Instance { map, local: DMat3::IDENTITY, quantum: None, period: still, repeat: still, asked: still, reach, ..*self }
    }
}

/// The rotation by this many degrees; `None` for 0, so that matrices stay exactly diagonal.
pub(crate) fn turn(axis: [f64; 3], degrees: f64) -> Option<DMat3> {
    (degrees != 0.0).then(|| DMat3::from_axis_angle(DVec3::from(axis).normalize_or(DVec3::Z), degrees.to_radians()))
}

pub(crate) fn direction(axis: Axis) -> DVec3 {
    match axis {
        Axis::X => DVec3::X,
        Axis::Y => DVec3::Y,
        Axis::Z => DVec3::Z,
    }
}

pub(crate) fn absolute(m: DMat3) -> DMat3 {
    DMat3::from_cols(m.x_axis.abs(), m.y_axis.abs(), m.z_axis.abs())
}

fn diagonal(m: DMat3) -> DVec3 {
    DVec3::new(m.x_axis.x, m.y_axis.y, m.z_axis.z)
}

fn is_diagonal(m: DMat3) -> bool {
    m == DMat3::from_diagonal(diagonal(m))
}

/// The matrix with these rows.
pub(crate) fn rows(rows: [DVec3; 3]) -> DMat3 {
    DMat3::from_cols(rows[0], rows[1], rows[2]).transpose()
}

/// The coordinate along one axis, relative to `at`, as the first lattice axis.
pub(crate) fn along(axis: Axis, at: f64, unit: f64, instance: &Instance) -> Frame {
    let pick = rows([direction(axis), DVec3::ZERO, DVec3::ZERO]) * (1.0 / unit);
    instance.frame(pick, DVec3::new(-at / unit, 0.0, 0.0), 0)
}

/// The position relative to a point, stretched along each axis.
pub(crate) fn around(centre: [f64; 3], scale: DVec3, instance: &Instance) -> Frame {
    let stretch = DMat3::from_diagonal(scale);
    instance.frame(stretch, stretch * -DVec3::from(centre), 0)
}
