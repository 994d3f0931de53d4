//! Colours of rays in linear light: ground, water, the sides of the block, haze and sky.

use super::camera::{Camera, direction, dot};
use super::light::Light;
use super::surface::{Hit, Kind, Ray, Surface};
use super::view::{Edge, View, ViewedTerrain};
use crate::codec::srgb::linear;
use crate::draw::render::{GroundColours, Style, shoulder};
use crate::field::Layer;

type Colour = [f32; 3];

/// Light of the sun, and of the whole sky on a level place, as factors of a colour.
const SUN: Colour = [2.05, 1.86, 1.58];
const SKY: Colour = [0.40, 0.50, 0.66];
/// Light that other slopes reflect into places that see little of the sky.
const BOUNCE: Colour = [0.16, 0.14, 0.11];
/// The sky at the horizon and at the zenith.
const HORIZON: Colour = [0.50, 0.62, 0.76];
const ZENITH: Colour = [0.09, 0.22, 0.50];
/// Haze in the direction of the sun.
const GLOW: Colour = [0.90, 0.80, 0.66];
/// The background of a block at its top and bottom, in sRGB.
const BACKGROUND: [Colour; 2] = [[0.73, 0.79, 0.86], [0.93, 0.94, 0.95]];
/// The sides of a block, in sRGB: rock and earth below the ground.
const ROCK: Colour = [0.46, 0.42, 0.39];
/// Deep water.
const DEEP: Colour = [0.010, 0.055, 0.105];
/// Share of the light that water absorbs, per width of the terrain: red first.
const ABSORPTION: Colour = [420.0, 190.0, 130.0];
/// Thickness of a block below its lowest place, as a share of its shorter edge.
const THICKNESS: f64 = 0.035;
/// Contrast that remains at the distance of visibility, as −ln(0.02).
const EXTINCTION: f64 = 3.912;
/// Exponent of the sun's reflection: waves widen it, so a smaller one stands for higher waves.
const SHININESS: i32 = 220;

/// The layer that gives the ground its colours.
enum GivenColours<'a> {
    /// Heights.
    Heights,
    /// Other values, with the colours of the style.
    Values(&'a Layer),
    /// Colours.
    Colours(&'a Layer),
}

/// Everything that rays meet.
pub(super) struct Scene<'a> {
    surface: Surface,
    light: Light,
    camera: Camera,
    colours: GivenColours<'a>,
    tints: GroundColours,
    /// The height in world units that is 0 in the surface.
    lowest: f64,
    /// Factor from world units to heights of the surface.
    scale: f64,
    /// Level of the sea in sample units.
    sea: Option<f64>,
    /// The bottom of the block.
    base: f64,
    edge: Edge,
    to_sun: [f64; 3],
    /// Share of light lost per sample unit, and the distance at which haze begins.
    haze: [f64; 2],
    /// Factor from depths to shares of the terrain's width.
    width: f64,
}

fn mix(a: Colour, b: Colour, share: f32) -> Colour {
    std::array::from_fn(|c| a[c] + share * (b[c] - a[c]))
}

fn scaled(a: Colour, factor: f32) -> Colour {
    a.map(|c| c * factor)
}

impl<'a> Scene<'a> {
    /// The scene of a checked terrain and view.
    pub(super) fn new(terrain: &ViewedTerrain<'a>, style: &Style, view: &View) -> Scene<'a> {
        let heights = terrain.heights;
        let size = [0, 1].map(|a| heights.region.size[a] as usize);
        let exaggeration = view.exaggeration.unwrap_or_else(|| terrain.exaggeration(style.sea));
        let scale = exaggeration / heights.region.step();
        let lowest = heights.values.iter().copied().fold(f32::INFINITY, f32::min);
        let lowest = f64::from(style.sea.map_or(lowest, |sea| lowest.min(sea)));
        let z = |height: f32| (scale * (f64::from(height) - lowest)) as f32;
        let sea = style.sea.map(|sea| scale * (f64::from(sea) - lowest));
        let ground: Vec<f32> = heights.values.iter().map(|height| z(*height)).collect();
        let lakes: Option<Vec<f32>> = terrain.water.map(|water| water.values.iter().map(|level| z(*level)).collect());
        let water = levels(size, &ground, lakes.as_deref(), sea);
        let surface = Surface::new(size, ground, water);
        let to_sun = direction(view.sun_azimuth, view.sun_elevation);
        let [x, y, _] = direction(view.sun_azimuth, 0.0);
        let light = Light::new(&surface, [x, y], view.sun_elevation);
        let [columns, rows] = size.map(|n| (n - 1) as f64);
        let base = match view.edge {
            Edge::Block => -THICKNESS * columns.min(rows),
            Edge::Horizon => f64::NEG_INFINITY,
        };
        let mut camera = Camera::new(view.azimuth, view.pitch, view.field_of_view, view.size);
        match view.distance {
            Some(distance) => {
                let [x, y] = [0.5 * columns, 0.5 * rows];
                camera.look_at([x, y, surface.height(x, y).max(surface.level(x, y))], distance / heights.region.step());
            }
            None => camera.fit(&surface, base.max(-THICKNESS * columns.min(rows))),
        }
        // A camera below the ground would see nothing.
        camera.rise(&surface, sea);
        let diagonal = columns.hypot(rows);
        let visibility = view.visibility.map_or_else(
            || match view.edge {
                Edge::Block => 20.0 * diagonal,
                Edge::Horizon => 6.0 * diagonal,
            },
            |visibility| visibility / heights.region.step(),
        );
        let begins = match view.edge {
            Edge::Block => {
                let outside: [f64; 3] = std::array::from_fn(|a| {
                    let last = [columns, rows, surface.top()][a];
                    camera.origin[a] - camera.origin[a].clamp(0.0, last)
                });
                dot(outside, outside).sqrt()
            }
            Edge::Horizon => 0.0,
        };
        Scene {
            light,
            camera,
            colours: match terrain.colours {
                None => GivenColours::Heights,
                Some(layer) if layer.channels == 1 => GivenColours::Values(layer),
                Some(layer) => GivenColours::Colours(layer),
            },
            tints: match terrain.colours.filter(|layer| layer.channels == 1) {
                None => GroundColours::new(style, &heights.values),
                Some(layer) => GroundColours::of_values(style, &layer.values),
            },
            lowest,
            scale,
            sea,
            base,
            edge: view.edge,
            to_sun,
            haze: [EXTINCTION / visibility, begins],
            width: 1.0 / columns.max(rows),
            surface,
        }
    }

    /// The colour at a place of the picture, 0 to 1 to the right and down, before it is encoded.
    pub(super) fn colour(&self, place: [f64; 2]) -> Colour {
        let ray = self.camera.ray(place);
        match self.nearest(&ray) {
            None => match self.edge {
                Edge::Block => mix(BACKGROUND[0].map(linear), BACKGROUND[1].map(linear), place[1] as f32),
                Edge::Horizon => self.sky(ray.direction).map(shoulder),
            },
            Some(hit) => {
                let colour = match hit.kind {
                    Kind::Ground => self.ground(ray.at(hit.distance)),
                    Kind::Water => self.water(&ray, hit.distance),
                    Kind::GroundWall | Kind::WaterWall => self.wall(&ray, hit),
                };
                self.through_haze(colour, hit.distance, ray.direction).map(shoulder)
            }
        }
    }

    /// The first surface: the terrain, or the sea around it.
    fn nearest(&self, ray: &Ray) -> Option<Hit> {
        let hit = self.surface.cast(ray, self.base);
        if self.edge == Edge::Block || ray.direction[2] >= 0.0 {
            return hit;
        }
        let Some(sea) = self.sea else { return hit };
        let distance = (sea - ray.origin[2]) / ray.direction[2];
        let is_nearer = hit.is_none_or(|hit| distance < hit.distance);
        if distance > 0.0 && is_nearer { Some(Hit { distance, kind: Kind::Water }) } else { hit }
    }

    fn is_inside(&self, x: f64, y: f64) -> bool {
        (0.0..=(self.surface.size[0] - 1) as f64).contains(&x) && (0.0..=(self.surface.size[1] - 1) as f64).contains(&y)
    }

    /// A grid of numbers between its samples.
    fn between<const N: usize>(&self, x: f64, y: f64, number: impl Fn(usize) -> [f32; N]) -> [f32; N] {
        let (at, [u, v]) = self.surface.cell(x, y);
        let width = self.surface.size[0];
        let (u, v) = (u as f32, v as f32);
        let [a, b, c, d] = [at, at + 1, at + width, at + width + 1].map(number);
        std::array::from_fn(|i| {
            let (upper, lower) = (a[i] + u * (b[i] - a[i]), c[i] + u * (d[i] - c[i]));
            upper + v * (lower - upper)
        })
    }

    /// The sunlit and skylit colour of ground.
    fn ground(&self, [x, y, z]: [f64; 3]) -> Colour {
        let [gx, gy, sun, sky] = self.between(x, y, |at| {
            let [gx, gy] = self.light.gradient[at];
            [gx, gy, self.light.sun[at], self.light.sky[at]]
        });
        let albedo = match self.colours {
            GivenColours::Colours(layer) => {
                // Transparent colours are drawn on black, as in a map.
                let [r, g, b] = self.between(x, y, |at| {
                    let colour = &layer.values[4 * at..4 * at + 4];
                    [0, 1, 2].map(|c| (colour[c] * colour[3]).clamp(0.0, 1.0))
                });
                [r, g, b]
            }
            GivenColours::Values(layer) => {
                let [value] = self.between(x, y, |at| [layer.values[at]]);
                self.tints.at(value, 0.0)
            }
            GivenColours::Heights => self.tints.at((z / self.scale + self.lowest) as f32, gx.hypot(gy)),
        };
        let normal = [-gx, -gy, 1.0];
        let length = (gx * gx + gy * gy + 1.0).sqrt();
        let facing = (0..3).map(|a| normal[a] * self.to_sun[a] as f32).sum::<f32>() / length;
        lit(albedo, facing.max(0.0) * sun, sky * (0.6 + 0.4 / length))
    }

    /// Water: the ground below it, tinted by depth, and the reflection of the sky.
    fn water(&self, ray: &Ray, distance: f64) -> Colour {
        let [x, y, z] = ray.at(distance);
        let (depth, bottom, sun) = if self.is_inside(x, y) {
            let [sun] = self.between(x, y, |at| [self.light.sun[at]]);
            let ground = self.surface.height(x, y);
            (z - ground, self.ground([x, y, ground]), sun)
        } else {
            (f64::INFINITY, [0.0; 3], 1.0)
        };
        let down = (-ray.direction[2]).clamp(0.0, 1.0);
        // Light goes down and comes back along the refracted ray.
        let length = depth * self.width * (1.0 + 1.0 / (1.0 - (1.0 - down * down) / 1.78).sqrt());
        let body = lit(DEEP, 0.55 * sun, 1.0);
        let inside: Colour = std::array::from_fn(|c| {
            let kept = (-f64::from(ABSORPTION[c]) * length).exp() as f32;
            body[c] + kept * (bottom[c] * 0.82 - body[c])
        });
        // Schlick's approximation; waves keep the reflection at the horizon below that of a mirror.
        let fresnel = (0.02 + 0.75 * (1.0 - down).powi(5)) as f32;
        let mirrored = [ray.direction[0], ray.direction[1], -ray.direction[2]];
        let glint = dot(mirrored, self.to_sun).max(0.0).powi(SHININESS) as f32 * sun;
        let sky = self.sky(mirrored);
        let seen = std::array::from_fn(|c| sky[c] + 6.0 * glint * SUN[c]);
        mix(inside, seen, fresnel)
    }

    /// The side of the block.
    fn wall(&self, ray: &Ray, hit: Hit) -> Colour {
        let [x, y, z] = ray.at(hit.distance);
        let last = self.surface.size.map(|n| (n - 1) as f64);
        // Which side: the nearest.
        let sides = [([-1.0, 0.0], x), ([1.0, 0.0], last[0] - x), ([0.0, -1.0], y), ([0.0, 1.0], last[1] - y)];
        let ([nx, ny], _) = sides.into_iter().fold(sides[0], |best, side| if side.1.abs() < best.1.abs() { side } else { best });
        let facing = (nx * self.to_sun[0] + ny * self.to_sun[1]).max(0.0) as f32;
        let surface = self.surface.height(x, y);
        match hit.kind {
            Kind::WaterWall => {
                let depth = (self.surface.level(x, y) - z) * self.width;
                let kept = (-f64::from(ABSORPTION[2]) * 0.4 * depth).exp() as f32;
                lit(mix(scaled(DEEP, 1.6), [0.10, 0.30, 0.36], 0.8 * kept), 0.35 + 0.4 * facing, 0.9)
            }
            _ => {
                // Darker with depth below the ground.
                let depth = ((surface - z) * self.width * 9.0).clamp(0.0, 1.0) as f32;
                lit(scaled(ROCK.map(linear), 1.0 - 0.45 * depth), 0.8 * facing, 0.75)
            }
        }
    }

    /// The sky in a direction above the horizon.
    fn sky(&self, direction: [f64; 3]) -> Colour {
        let height = direction[2].max(0.0);
        let blue = mix(HORIZON, ZENITH, (1.0 - (-3.2 * height).exp()) as f32);
        let towards = dot(direction, self.to_sun).max(0.0);
        mix(blue, GLOW, (0.35 * towards.powi(8) * (1.0 - height)) as f32)
    }

    fn through_haze(&self, colour: Colour, distance: f64, direction: [f64; 3]) -> Colour {
        let [lost, begins] = self.haze;
        let kept = (-lost * (distance - begins).max(0.0)).exp() as f32;
        mix(self.sky([direction[0], direction[1], 0.0]), colour, kept)
    }
}

/// A colour in the light of sun and sky; `sun` and `sky` are shares from 0 to 1.
fn lit(colour: Colour, sun: f32, sky: f32) -> Colour {
    std::array::from_fn(|c| colour[c] * (SUN[c] * sun + SKY[c] * sky + BOUNCE[c] * (1.0 - sky)))
}

/// Levels of the water in sample units, −∞ away from it; empty if nothing is wet. A dry sample next to water has the level of that
/// water, so that the shore is where a level surface meets the ground between samples.
fn levels([width, height]: [usize; 2], ground: &[f32], lakes: Option<&[f32]>, sea: Option<f64>) -> Vec<f32> {
    let sea = sea.map_or(f32::NEG_INFINITY, |sea| sea as f32);
    let level = |at: usize| lakes.map_or(sea, |lakes| lakes[at].max(sea));
    let wet: Vec<f32> = (0..ground.len()).map(|at| if level(at) > ground[at] { level(at) } else { f32::NEG_INFINITY }).collect();
    if wet.iter().all(|level| *level == f32::NEG_INFINITY) {
        return Vec::new();
    }
    let around = |at: usize, n: usize| at.saturating_sub(1)..(at + 2).min(n);
    let highest = |x: usize, y: usize| {
        let at = y * width + x;
        if wet[at] > f32::NEG_INFINITY {
            return wet[at];
        }
        let near = around(y, height).flat_map(|y| around(x, width).map(move |x| y * width + x)).map(|at| wet[at]);
        near.fold(f32::NEG_INFINITY, f32::max).min(ground[at])
    };
    (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).map(|(x, y)| highest(x, y)).collect()
}
