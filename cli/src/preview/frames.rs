//! `orogen preview --frames`: a map in which numbers of the recipe change. No kernel is compiled after the first frame.

use super::animation::{Output, Timing};
use super::{Map, Samples};
use crate::args::{Over, PreviewArgs};
use crate::cost::Limited;
use crate::exit::{Failure, USAGE};
use crate::out::{print, say};
use orogen::bake::request::Cost;
use orogen::draw::{Style, look_of};
use orogen::node::{Gradients, Input, Node};
use orogen::{Layer, Pipeline, Recipe, Setting};
use std::collections::HashMap;

/// Most frames in which the range of colours is measured.
const MEASURED: u32 = 16;
/// Frames per second.
const FPS: u16 = 20;

pub fn run(args: &PreviewArgs, mut recipe: Recipe, size: Option<[u32; 2]>, style: Style, count: u32) -> Result<(), Failure> {
    let output = Output::new(&args.output)?;
    let over = if args.animation.over.is_empty() { periods(&recipe) } else { args.animation.over.clone() };
    if over.is_empty() {
        let message = "--frames: no number of the recipe changes, since no noise repeats along the fourth axis";
        let allowed = "allowed: --over NAME.PARAM=FROM..TO, a node perlin or simplex with gradients = \"turning\", or noise in 4D under a node periodic with w_period";
        return Err(Failure::message(USAGE, format!("{message}; {allowed}")));
    }
    // Refuses both ends before anything is computed.
    for share in [1.0, 0.0] {
        set(&mut recipe, &over, share)?;
    }
    let map = Map::open(args, &recipe, size)?;
    let pixels = map.frame.pixels;
    let measured = count.min(MEASURED);
    let cost = map.cost(&recipe)?;
    // Also the frame after the last.
    let evaluations = cost.evaluations * f64::from(count + measured + 1);
    let file = f64::from(count) * f64::from(pixels[0]) * f64::from(pixels[1]) * 3.0;
    Cost { evaluations, bytes: cost.bytes + file, ..cost }.allow(&args.engine)?;

    let mut look = Look::default();
    for frame in 0..measured {
        set(&mut recipe, &over, f64::from(frame) / f64::from(measured))?;
        look.add(&map.samples(&recipe)?)?;
    }
    let style = look.style(style);
    let mut first = None;
    let mut differ = false;
    let frames = (0..count).map(|frame| {
        set(&mut recipe, &over, f64::from(frame) / f64::from(count))?;
        let samples = map.samples(&recipe)?;
        let picture = samples.picture(&style, pixels)?;
        match &first {
            None => first = Some(samples),
            Some(first) => differ |= !first.has_bits_of(&samples),
        }
        Ok(picture)
    });
    let timing = Timing { size: pixels, frames: count, fps: args.animation.fps.unwrap_or(FPS) };
    output.write(timing, frames)?;
    set(&mut recipe, &over, 1.0)?;
    let after = map.samples(&recipe)?;
    let loops = first.is_some_and(|first| first.has_bits_of(&after));
    if count > 1 && !differ {
        say(format_args!("note: all frames are equal; '{}' may not depend on the numbers that change", map.name));
    }
    let path = args.output.display();
    let ends = if loops { "loops exactly" } else { "does not loop: the frame after the last differs from the first" };
    let frames = if count == 1 { "frame" } else { "frames" };
    let (rate, engine) = (output.rate(timing), map.engine.summary());
    print(format_args!("{path}: {count} {frames} of {}×{} pixels at {rate}/s on {engine}, {ends}", pixels[0], pixels[1]))
}

/// The noises that repeat along the fourth axis, over one period: those under a periodic node, else one turn of gradients.
fn periods(recipe: &Recipe) -> Vec<Over> {
    let pipeline = &recipe.pipeline;
    let mut under: HashMap<&str, f64> = HashMap::new();
    for node in pipeline.node.values() {
        if let Node::Periodic(periodic) = node
            && periodic.w_period > 0.0
        {
            repeat(pipeline, node, periodic.w_period, &mut under);
        }
    }
    let over = |(name, node): (&String, &Node)| {
        let (w, own) = match node {
            Node::Perlin(noise) if noise.gradients == Gradients::Turning => (noise.w, Some(noise.w_period)),
            Node::Simplex(noise) if noise.gradients == Gradients::Turning => (noise.w, Some(noise.w_period)),
            Node::Perlin(noise) if noise.dimensions == 4 => (noise.w, None),
            Node::Simplex(noise) if noise.dimensions == 4 => (noise.w, None),
            Node::Value(noise) if noise.dimensions == 4 => (noise.w, None),
            Node::OpenSimplex2(noise) if noise.dimensions == 4 => (noise.w, None),
            _ => return None,
        };
        let period = under.get(name.as_str()).copied().or(own)?;
        Some(Over { path: format!("{name}.w"), from: w, to: w + period })
    };
    pipeline.node.iter().filter_map(over).collect()
}

/// Notes the period of all nodes that a node reads.
fn repeat<'a>(pipeline: &'a Pipeline, node: &'a Node, period: f64, under: &mut HashMap<&'a str, f64>) {
    for (_, input) in node.inputs() {
        if let Input::Node(name) = input
            && under.insert(name, period).is_none()
            && let Some(node) = pipeline.node.get(name)
        {
            repeat(pipeline, node, period, under);
        }
    }
}

/// Sets the numbers at a share of their intervals. Whole numbers are rounded.
fn set(recipe: &mut Recipe, over: &[Over], share: f64) -> Result<(), Failure> {
    for Over { path, from, to } in over {
        let value = from + (to - from) * share;
        let is_whole = matches!(recipe.pipeline.get(path), Ok(Some(Setting::Integer(_))));
        let value = if is_whole { Setting::Integer(value.round() as i128) } else { Setting::Number(value) };
        let set = recipe.pipeline.set(path, value);
        set.map_err(|error| Failure::message(USAGE, format!("--over {path}={from}..{to}: {error}")))?;
    }
    Ok(())
}

/// The look that all frames share.
#[derive(Default)]
struct Look {
    range: Option<[f32; 2]>,
    slopes: Vec<f32>,
}

impl Look {
    fn add(&mut self, samples: &Samples) -> Result<(), Failure> {
        let of_node;
        let layer = match samples {
            Samples::Node(field) => {
                of_node = Layer::from(field.clone());
                &of_node
            }
            Samples::Stage(layer) if layer.channels == 1 => layer,
            // Colours and normals are drawn as they are.
            Samples::Stage(_) => return Ok(()),
        };
        let ([low, high], slope) = look_of(layer)?;
        self.range = Some(self.range.map_or([low, high], |[a, b]| [a.min(low), b.max(high)]));
        self.slopes.push(slope);
        Ok(())
    }

    fn style(&self, style: Style) -> Style {
        let slope = (!self.slopes.is_empty()).then(|| self.slopes.iter().sum::<f32>() / self.slopes.len() as f32);
        Style { range: self.range, slope, ..style }
    }
}

impl Samples {
    fn values(&self) -> &[f32] {
        match self {
            Samples::Node(field) => &field.values,
            Samples::Stage(layer) => &layer.values,
        }
    }

    fn has_bits_of(&self, other: &Samples) -> bool {
        self.values().iter().map(|x| x.to_bits()).eq(other.values().iter().map(|x| x.to_bits()))
    }
}
