//! Measures distributions for `equalise` nodes.

use crate::engine::Engine;
use crate::error::EngineError;
use crate::field::Gradient;
use crate::graph::node::Node;
use crate::graph::{Graph, Noise, evaluation_order};
use crate::params::{Input, LARGEST};
use crate::program::{GraphError, ProgramError};

/// Number of points at which a sub-graph is sampled.
const SAMPLES: u32 = 1 << 17;
/// Number of stored quantiles.
const QUANTILES: usize = 257;

/// Point i of the additive low-discrepancy sequence for three dimensions, built on a generalisation of the plastic number
/// (Roberts 2018). It covers the cube evenly, so quantiles converge faster than with independent points.
fn spread(i: u32) -> [f64; 3] {
    const GENERALISED_GOLDEN: f64 = 1.220_744_084_605_759_5;
    let mut step = 1.0;
    [0; 3].map(|_| {
        step /= GENERALISED_GOLDEN;
        (0.5 + step * f64::from(i + 1)).fract()
    })
}

impl Engine {
    /// The noise with the missing quantiles of its `equalise` nodes filled in, inner nodes first, measured over the cube from
    /// `−extent` to `extent` world units along each axis.
    ///
    /// # Errors
    /// Returns an error if the noise is invalid, or if a sub-graph cannot be evaluated there or is constant.
    pub fn equalise(&self, noise: &Noise, extent: f64) -> Result<Noise, EngineError> {
        noise.check().map_err(ProgramError::from)?;
        let mut graph = noise.graph().clone();
        let order: Vec<String> = evaluation_order(&graph).map_err(ProgramError::from)?.into_iter().map(str::to_owned).collect();
        let positions: Vec<[f64; 3]> = (0..SAMPLES).map(|i| spread(i).map(|share| (2.0 * share - 1.0) * extent)).collect();
        for name in order {
            let Node::Equalise(node) = &graph.node[&name] else { continue };
            if !node.quantiles.is_empty() {
                continue;
            }
            let measured = self.quantiles(&graph, &node.of, &positions)?;
            let flat = measured.first() == measured.last();
            if let (false, Some(Node::Equalise(node))) = (flat, graph.node.get_mut(&name)) {
                node.quantiles = measured;
            } else {
                let error = GraphError::parameter(&name, "of", "a constant", "a node with varying values");
                return Err(ProgramError::from(error).into());
            }
        }
        Ok(Noise::from(graph))
    }

    fn quantiles(&self, graph: &Graph, of: &Input, positions: &[[f64; 3]]) -> Result<Vec<f64>, EngineError> {
        let Input::Node(output) = of else { return Ok(vec![0.0; 2]) };
        let part = Graph { output: output.clone(), node: graph.node.clone() };
        let mut values: Vec<f64> =
            self.sample(&Noise::from(part), positions, Gradient::Without)?.into_iter().map(|sample| sample.value).collect();
        values.sort_by(f64::total_cmp);
        let last = values.len() - 1;
        Ok((0..QUANTILES).map(|i| values[i * last / (QUANTILES - 1)].clamp(-LARGEST, LARGEST)).collect())
    }
}
