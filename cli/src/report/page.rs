//! The page itself: the results about a recipe, section by section.

use super::chart::{Axis, Chart, Scale};
use super::figures::{Cost, Figures};
use super::text::{base64, escape, number, percent};
use orogen::stats::{Band, Fit, Isotropy, Spectrum};
use std::fmt::Write;

const STYLE: &str = include_str!("style.css");
/// Number of columns of the histogram: odd, so that a constant field has its column in the middle.
const BINS: usize = 63;
/// Points of the drawn distribution function.
const STEPS: usize = 128;
/// The lowest drawn power relative to the highest: f32 values do not resolve less.
const FLOOR: f64 = 1e-15;

/// The page as one HTML file.
pub fn page(f: &Figures) -> String {
    let name = escape(&f.name);
    let [size, ..] = f.region.size;
    let head = format!(
        "<h1>{name}</h1><p class=\"soft\">{size} × {size} samples, {} world units apart, on {}</p>",
        number(f.region.spacing),
        escape(&f.engine)
    );
    let sections = [stack(&[picture(f), range(f)]), histogram(f), distribution(f), spectrum(f), isotropy(f), costs(f), recipe(f)].concat();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{name} – Orogen</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <header>{head}</header>\n{}<main>\n{sections}</main>\n</body>\n</html>\n",
        summary(f)
    )
}

fn section(title: &str, body: &str) -> String {
    format!("<section><h2>{}</h2>{body}</section>\n", escape(title))
}

/// Sections below each other, next to the charts if there is room.
fn stack(sections: &[String]) -> String {
    format!("<div class=\"stack\">{}</div>\n", sections.concat())
}

fn figure(drawing: &str, caption: &str) -> String {
    format!("<figure>{drawing}<figcaption>{}</figcaption></figure>", escape(caption))
}

/// The key figures.
fn summary(f: &Figures) -> String {
    let [lo, hi] = f.values.extent();
    let nothing = || ("–".to_owned(), "no power in the band".to_owned());
    let slope = f.fit.map_or_else(nothing, |fit| {
        (signed(fit.slope), format!("± {:.2}; amplitude exponent {}", fit.error, signed(fit.amplitude_exponent())))
    });
    let isotropy = f.isotropy.as_ref().map_or_else(nothing, |i| (percent(i.deviation), format!("by chance alone {}", percent(i.chance))));
    let cost = f.costs.iter().find(|c| c.output).and_then(|c| c.nanoseconds);
    let cells = [
        (
            "Values",
            format!("{} to {}", number(lo), number(hi)),
            format!("{} of the proven range", f.used().map_or("all".to_owned(), percent)),
        ),
        ("Mean", number(f.values.mean()), format!("standard deviation {}", number(f.values.deviation()))),
        ("From uniform", number(f.ks_measured()), "Kolmogorov–Smirnov, 0 to 1".to_owned()),
        ("Spectral slope", slope.0, slope.1),
        ("Spread by direction", isotropy.0, isotropy.1),
        ("Cost", cost.map_or("–".to_owned(), |ns| format!("{ns:.1} ns")), "per sample".to_owned()),
    ];
    let mut out = String::from("<dl>\n");
    for (name, value, note) in cells {
        let _ = writeln!(out, "<div><dt>{}</dt><dd>{}<small>{}</small></dd></div>", escape(name), escape(&value), escape(&note));
    }
    out + "</dl>\n"
}

/// Two decimals: the error of a slope is rarely smaller.
fn signed(x: f64) -> String {
    format!("{x:.2}").replace('-', "−")
}

fn picture(f: &Figures) -> String {
    let edge = f64::from(f.region.size[0]) * f.region.spacing;
    let image = format!("<img alt=\"Shaded relief of the field\" src=\"data:image/png;base64,{}\">", base64(&f.picture));
    section("Relief", &figure(&image, &format!("{} world units along each edge, relief stretched", number(edge))))
}

fn histogram(f: &Figures) -> String {
    let [lo, hi] = padded(f.values.extent());
    let counts = f.values.histogram(lo, hi, BINS);
    let shares: Vec<f64> = counts.iter().map(|&n| 100.0 * n as f64 / f.values.count() as f64).collect();
    let top = shares.iter().copied().fold(0.0, f64::max) * 1.05;
    let x = Axis { lo, hi, scale: Scale::Linear, title: "value" };
    let y = Axis { lo: 0.0, hi: top, scale: Scale::Linear, title: "% of samples" };
    let mut chart = Chart::new(x, y);
    chart.columns(&shares);
    let mean = f.values.mean();
    chart.line("second", [(mean, 0.0), (mean, top)]);
    let (side, anchor) = if mean > (lo + hi) / 2.0 { (-4.0, "end") } else { (4.0, "start") };
    chart.word((mean, top), (side, 8.0), anchor, "of-second", "mean");
    let says = format!("Histogram of values from {} to {}", number(lo), number(hi));
    let caption = format!("mean {}, standard deviation {}, {BINS} bins", number(mean), number(f.values.deviation()));
    section("Histogram", &figure(&chart.finish(&says), &caption))
}

fn distribution(f: &Figures) -> String {
    let [lo, hi] = f.values.extent();
    let [left, right] = padded([lo, hi]);
    let x = Axis { lo: left, hi: right, scale: Scale::Linear, title: "value" };
    let y = Axis { lo: 0.0, hi: 1.0, scale: Scale::Linear, title: "share of samples below" };
    let mut chart = Chart::new(x, y);
    let at = |i: usize| left + (right - left) * i as f64 / STEPS as f64;
    let uniform = |x: f64| if hi > lo { ((x - lo) / (hi - lo)).clamp(0.0, 1.0) } else { f64::from(u8::from(x >= lo)) };
    chart.line("second", [(lo, 0.0), (hi, 1.0)]);
    chart.line("mark", (0..=STEPS).map(|i| (at(i), f.values.cdf(at(i)))));
    let distance = |x: f64| (f.values.cdf(x) - uniform(x)).abs();
    let widest = (0..=STEPS).map(at).max_by(|a, b| distance(*a).total_cmp(&distance(*b))).unwrap_or(lo);
    if distance(widest) > 0.01 {
        let (top, foot) = (f.values.cdf(widest), uniform(widest));
        chart.line("gap", [(widest, foot), (widest, top)]);
        chart.word((widest, f64::midpoint(top, foot)), (6.0, 4.0), "start", "of-second", &number(f.ks_measured()));
    }
    let says = format!("Distribution function; largest distance from uniform {}", number(f.ks_measured()));
    let caption = format!(
        "solid: measured; dashed: uniform over the measured range. Largest distance (Kolmogorov–Smirnov) {}; from uniform over the proven range {}",
        number(f.ks_measured()),
        number(f.values.ks_uniform(f.proven.lo, f.proven.hi))
    );
    section("Distribution", &figure(&chart.finish(&says), &caption))
}

fn spectrum(f: &Figures) -> String {
    let Some(drawing) = draw_spectrum(&f.radial, f.fit.as_ref(), f.band, f.region.size[0]) else {
        return section("Spectrum", "<p>The field is the same everywhere: it has no power at any frequency.</p>");
    };
    let step = f.region.step();
    let waves = format!("wavelengths of {} to {} world units", number(step / f.band.hi), number(step / f.band.lo));
    let caption = match f.fit {
        Some(fit) => {
            let rows = f.along_rows.map_or(String::new(), |rows| format!("; along rows {} ± {:.2}", signed(rows.slope), rows.error));
            format!("mean over rings; dashed: slope {} ± {:.2} in the shaded band, {waves}{rows}", signed(fit.slope), fit.error)
        }
        None => format!("mean over rings; no slope could be fitted in the shaded band, {waves}"),
    };
    section("Spectrum", &figure(&drawing, &caption))
}

/// A radial spectrum and its fitted line, for a square with this many samples per edge; `None` for a field without power.
fn draw_spectrum(radial: &Spectrum, fit: Option<&Fit>, band: Band, edge: u32) -> Option<String> {
    let most = radial.rings.iter().map(|ring| ring.power).fold(0.0, f64::max);
    let drawn: Vec<(f64, f64)> = radial.rings.iter().map(|r| (r.frequency, r.power)).filter(|(_, p)| *p > most * FLOOR).collect();
    if drawn.is_empty() {
        return None;
    }
    let least = drawn.iter().map(|(_, power)| *power).fold(f64::INFINITY, f64::min);
    let x = Axis { lo: 1.0 / f64::from(edge), hi: 0.5, scale: Scale::Logarithmic, title: "cycles per sample" };
    // At least two decades, so that a flat spectrum looks flat.
    let y =
        Axis { lo: (least / 2.0).min(most / 30.0), hi: (most * 2.0).max(least * 30.0), scale: Scale::Logarithmic, title: "power density" };
    let (bottom, top) = (y.lo, y.hi);
    let mut chart = Chart::new(x, y);
    chart.shade([band.lo, band.hi], [bottom, top]);
    chart.line("mark", drawn);
    if let Some(fit) = fit {
        let ends = [band.lo.max(1.0 / f64::from(edge)), band.hi];
        chart.line("second", ends.map(|frequency| (frequency, fit.at(frequency))));
        let middle = (ends[0] * ends[1]).sqrt();
        chart.word((middle, fit.at(middle)), (8.0, -10.0), "start", "of-second", &format!("slope {}", signed(fit.slope)));
    }
    let says = fit.map_or("Radial power spectrum".to_owned(), |fit| format!("Radial power spectrum of slope {}", signed(fit.slope)));
    Some(chart.finish(&says))
}

/// The spectrum as a separate file.
pub fn spectrum_chart(radial: &Spectrum, fit: Option<&Fit>, band: Band) -> String {
    let edge = 2 * radial.rings.len() as u32;
    let drawing = draw_spectrum(radial, fit, band, edge).unwrap_or_else(|| "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>".to_owned());
    drawing.replacen('>', &format!("><style>\n{STYLE}</style>"), 1)
}

fn isotropy(f: &Figures) -> String {
    match &f.isotropy {
        Some(isotropy) => section("Power by direction", &sectors(isotropy)),
        None => section("Power by direction", "<p>There is no power in the band, or too few frequencies to tell directions apart.</p>"),
    }
}

fn sectors(isotropy: &Isotropy) -> String {
    let most = isotropy.sectors.iter().copied().fold(1.0 + 2.0 * isotropy.chance, f64::max) * 1.1;
    let x = Axis { lo: 0.0, hi: 180.0, scale: Scale::Angle, title: "degrees from the x axis" };
    let y = Axis { lo: 0.0, hi: most, scale: Scale::Linear, title: "relative power" };
    let mut chart = Chart::new(x, y);
    chart.shade([0.0, 180.0], [1.0 - 2.0 * isotropy.chance, 1.0 + 2.0 * isotropy.chance]);
    chart.line("rule", [(0.0, 1.0), (180.0, 1.0)]);
    let count = isotropy.sectors.len();
    // The first sector is centred on the x axis, so it also ends the half circle.
    let points = (0..=count).map(|i| (180.0 * i as f64 / count as f64, isotropy.sectors[i % count]));
    chart.line("mark", points.clone());
    chart.dots(points);
    let ratio = isotropy
        .ratio()
        .filter(|ratio| ratio.is_finite())
        .map_or("a direction without power".to_owned(), |r| format!("strongest over weakest {}", number(r)));
    let caption = format!(
        "{count} sectors, every ring against its own mean; they differ by {} (standard deviation), {ratio}; shaded: twice the {} that chance gives an isotropic field",
        percent(isotropy.deviation),
        percent(isotropy.chance)
    );
    figure(&chart.finish(&format!("Relative power of {count} directions, spread {}", percent(isotropy.deviation))), &caption)
}

fn range(f: &Figures) -> String {
    let [lo, hi] = f.values.extent();
    let share = |x: f64| (100.0 * (x - f.proven.lo) / f.proven.width()).clamp(0.0, 100.0);
    let (start, end) = if f.used().is_some() { (share(lo), share(hi)) } else { (0.0, 100.0) };
    let bar = format!("<div class=\"track\"><span style=\"left:{start:.2}%;width:{:.2}%\"></span></div>", end - start);
    let ends = format!("<div class=\"ends\"><span>{}</span><span>{}</span></div>", number(f.proven.lo), number(f.proven.hi));
    let used = f.used().map_or("one number".to_owned(), |used| format!("{} of it used", percent(used)));
    let note = format!("proven {} to {}; measured {} to {}; {used}", number(f.proven.lo), number(f.proven.hi), number(lo), number(hi));
    section("Range", &format!("{bar}{ends}<p class=\"soft\">{}</p>", escape(&note)))
}

fn costs(f: &Figures) -> String {
    let longest = f.costs.iter().filter_map(|c| c.nanoseconds).fold(0.0, f64::max);
    let rows: String = f.costs.iter().map(|c| cost(c, longest)).collect();
    let unused = if f.unused.is_empty() { String::new() } else { format!(" Not needed by the output: {}.", f.unused.join(", ")) };
    let note = format!(
        "Each node evaluated as if it were the output, with everything it reads: median of several runs, including transfer to the host.{unused}"
    );
    let table = format!(
        "<table><thead><tr><th>node</th><th class=\"figure\">ns per sample</th><th class=\"figure\">of output</th><th></th></tr></thead><tbody>\n{rows}</tbody></table>"
    );
    format!("<section class=\"wide\"><h2>Cost by node</h2><p class=\"soft\">{}</p>{table}</section>\n", escape(&note))
}

fn cost(c: &Cost, longest: f64) -> String {
    let class = if c.output { " class=\"output\"" } else { "" };
    let width = c.nanoseconds.filter(|_| longest > 0.0).map_or(0.0, |ns| 100.0 * ns / longest);
    format!(
        "<tr{class}><td>{} <span class=\"kind\">{}</span></td><td class=\"figure\">{}</td><td class=\"figure\">{}</td><td class=\"bar\"><span style=\"width:{width:.1}%\"></span></td></tr>\n",
        escape(&c.node),
        escape(c.kind),
        c.nanoseconds.map_or("–".to_owned(), |ns| format!("{ns:.1}")),
        c.share.map_or("–".to_owned(), percent)
    )
}

fn recipe(f: &Figures) -> String {
    format!("<details><summary>Recipe</summary><pre>{}</pre></details>\n", escape(&f.text))
}

/// Ends of a range that can be drawn, even if all values are the same.
fn padded([lo, hi]: [f64; 2]) -> [f64; 2] {
    if hi > lo { [lo, hi] } else { [lo - lo.abs().max(1.0) * 0.5, hi + hi.abs().max(1.0) * 0.5] }
}
