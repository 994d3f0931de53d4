//! Charts as inline SVG. Colours are classes of the page's style sheet, which defines light and dark variants.

use super::text::{escape, number};
use std::fmt::Write;

/// Size of a chart in its own units: narrow enough that its text is readable on a phone.
const WIDTH: f64 = 380.0;
const HEIGHT: f64 = 236.0;
/// Room for tick labels and axis titles.
const LEFT: f64 = 46.0;
const RIGHT: f64 = 10.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 38.0;

/// The scale of an axis.
#[derive(Clone, Copy, PartialEq)]
pub enum Scale {
    Linear,
    /// Linear, in degrees.
    Angle,
    Logarithmic,
}

/// An axis: its range, scale and label.
pub struct Axis<'a> {
    pub lo: f64,
    pub hi: f64,
    pub scale: Scale,
    pub title: &'a str,
}

impl Axis<'_> {
    /// 0 at `lo`, 1 at `hi`.
    fn share(&self, x: f64) -> f64 {
        let share = match self.scale {
            Scale::Linear | Scale::Angle => (x - self.lo) / (self.hi - self.lo),
            Scale::Logarithmic => (x / self.lo).ln() / (self.hi / self.lo).ln(),
        };
        if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    }

    fn ticks(&self) -> Vec<f64> {
        match self.scale {
            Scale::Linear => linear_ticks(self.lo, self.hi),
            Scale::Angle => (0..=8).map(|i| f64::from(i) * 45.0).filter(|angle| (self.lo..=self.hi).contains(angle)).collect(),
            Scale::Logarithmic => decades(self.lo, self.hi),
        }
    }

    /// A tick's number; over many decades as a power of ten.
    fn label(&self, x: f64) -> String {
        if self.scale == Scale::Logarithmic && self.hi / self.lo > 1e4 {
            let power = number(x.log10().round());
            return format!("10<tspan dy=\"-4\" font-size=\"8\">{power}</tspan>");
        }
        number(x)
    }
}

/// Round numbers, about five of them.
fn linear_ticks(lo: f64, hi: f64) -> Vec<f64> {
    let rough = (hi - lo) / 4.0;
    if !(rough.is_finite() && rough > 0.0) {
        return vec![lo];
    }
    let decade = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 2.5, 5.0, 10.0].map(|m| m * decade).into_iter().find(|step| *step >= rough * 0.999).unwrap_or(rough);
    let (first, last) = ((lo / step - 1e-9).ceil(), (hi / step + 1e-9).floor());
    // Counted instead of stepped: far from 0, a step may be smaller than the resolution of f64.
    (0..10).map(|i| first + f64::from(i)).take_while(|k| *k <= last).map(|k| k * step).collect()
}

/// Powers of ten, at most six of them.
fn decades(lo: f64, hi: f64) -> Vec<f64> {
    let (first, last) = ((lo.log10() - 1e-9).ceil() as i32, (hi.log10() + 1e-9).floor() as i32);
    let stride = ((last - first) / 6 + 1).max(1);
    (first..=last).rev().step_by(stride as usize).map(|power| 10f64.powi(power)).collect()
}

/// A chart being drawn: axes first, marks over them.
pub struct Chart<'a> {
    x: Axis<'a>,
    y: Axis<'a>,
    body: String,
}

impl<'a> Chart<'a> {
    pub fn new(x: Axis<'a>, y: Axis<'a>) -> Self {
        let mut chart = Chart { x, y, body: String::new() };
        chart.axes();
        chart
    }

    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (LEFT + self.x.share(x) * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - self.y.share(y) * (HEIGHT - TOP - BOTTOM))
    }

    fn push(&mut self, args: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.body.write_fmt(args);
    }

    fn axes(&mut self) {
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        for tick in self.y.ticks() {
            let (_, y) = self.at(self.x.lo, tick);
            let label = self.y.label(tick);
            self.push(format_args!("<line class=\"grid\" x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\"/>"));
            self.push(format_args!("<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", LEFT - 6.0, y + 3.5));
        }
        for tick in self.x.ticks() {
            let (x, _) = self.at(tick, self.y.lo);
            let label = self.x.label(tick);
            self.push(format_args!("<line class=\"axis\" x1=\"{x:.1}\" y1=\"{bottom}\" x2=\"{x:.1}\" y2=\"{}\"/>", bottom + 4.0));
            self.push(format_args!("<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>", bottom + 16.0));
        }
        self.push(format_args!("<line class=\"axis\" x1=\"{LEFT}\" y1=\"{bottom}\" x2=\"{right}\" y2=\"{bottom}\"/>"));
        let middle = (LEFT + right) / 2.0;
        let (title, side) = (escape(self.x.title), escape(self.y.title));
        self.push(format_args!("<text class=\"title\" x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{title}</text>", HEIGHT - 5.0));
        let middle = f64::midpoint(TOP, bottom);
        self.push(format_args!(
            "<text class=\"title\" transform=\"translate(10 {middle}) rotate(-90)\" text-anchor=\"middle\">{side}</text>"
        ));
    }

    /// Columns of equal width over the whole x axis.
    pub fn columns(&mut self, heights: &[f64]) {
        let width = (self.x.hi - self.x.lo) / heights.len().max(1) as f64;
        for (i, &height) in heights.iter().enumerate().filter(|(_, height)| **height > 0.0) {
            let (x0, y0) = self.at(self.x.lo + i as f64 * width, height);
            let (x1, y1) = self.at(self.x.lo + (i + 1) as f64 * width, self.y.lo);
            // A small gap between columns, and a visible line for the smallest count.
            let (wide, high) = ((x1 - x0 - 0.5).max(0.5), (y1 - y0).max(0.7));
            self.push(format_args!("<rect class=\"fill\" x=\"{x0:.2}\" y=\"{:.2}\" width=\"{wide:.2}\" height=\"{high:.2}\"/>", y1 - high));
        }
    }

    /// A line through points; `class` is its style.
    pub fn line(&mut self, class: &str, points: impl IntoIterator<Item = (f64, f64)>) {
        let mut path = String::new();
        for (x, y) in points {
            let (x, y) = self.at(x, y);
            let _ = write!(path, "{x:.1},{y:.1} ");
        }
        self.push(format_args!("<polyline class=\"{class}\" points=\"{}\"/>", path.trim_end()));
    }

    /// Dots.
    pub fn dots(&mut self, points: impl IntoIterator<Item = (f64, f64)>) {
        for (x, y) in points {
            let (x, y) = self.at(x, y);
            self.push(format_args!("<circle class=\"dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\"/>"));
        }
    }

    /// A shaded rectangle behind later marks.
    pub fn shade(&mut self, [x0, x1]: [f64; 2], [y0, y1]: [f64; 2]) {
        let ((x0, y0), (x1, y1)) = (self.at(x0, y0), self.at(x1, y1));
        let (width, height) = (x1 - x0, y0 - y1);
        self.push(format_args!("<rect class=\"band\" x=\"{x0:.1}\" y=\"{y1:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"));
    }

    /// A word in the chart; `anchor` is `start`, `middle` or `end`.
    pub fn word(&mut self, (x, y): (f64, f64), (dx, dy): (f64, f64), anchor: &str, class: &str, text: &str) {
        let (x, y) = self.at(x, y);
        let text = escape(text);
        self.push(format_args!("<text class=\"{class}\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{text}</text>", x + dx, y + dy));
    }

    /// The complete drawing; `says` is its text for screen readers.
    pub fn finish(self, says: &str) -> String {
        let says = escape(says);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{says}\">{}</svg>",
            self.body
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(linear_ticks(0.0, 1.0), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(linear_ticks(-3.0, 9.0), [0.0, 5.0]);
        assert_eq!(linear_ticks(2.0, 2.0), [2.0]);
        assert!(linear_ticks(f64::NAN, 1.0).len() == 1 && linear_ticks(1e300, f64::MAX).len() < 10);
        assert_eq!(decades(0.005, 0.5), [0.1, 0.01]);
        assert!(decades(1e-30, 1e30).len() <= 7);
    }
}
