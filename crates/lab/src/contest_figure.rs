//! The picture of a contest: depth, nodes and time of each policy in the course of the game.
//!
//! Lines differ in dashes as well as in colour. Nodes and time stand on logarithmic axes, because what
//! matters is how many times as expensive a policy is and not by how much.

use plotters::coord::Shift;
use plotters::coord::ranged1d::ValueFormatter;
use plotters::element::DashedPathElement;
use plotters::prelude::*;

use super::contest::{Policy, PolicyGames, Sample};
use super::figures::{FigureError, axis_number};
use super::texts::Texts;

/// Width and height of the picture, in pixels.
const PICTURE: (u32, u32) = (1500, 520);
/// Points of a line; a point with fewer moves is left out.
const PARTS: usize = 10;
const FEWEST: usize = 5;

/// Colour and dashes (on, off) of each policy.
fn style(policy: Policy) -> (RGBColor, (i32, i32)) {
    match policy {
        Policy::Fixed => (RGBColor(130, 130, 130), (0, 0)),
        Policy::Specific => (RGBColor(178, 34, 34), (10, 4)),
        Policy::Restricted => (RGBColor(0, 0, 0), (0, 0)),
        Policy::General => (RGBColor(30, 110, 200), (4, 4)),
        Policy::Statistical => (RGBColor(225, 150, 0), (14, 7)),
        Policy::Coin => (RGBColor(20, 120, 70), (2, 5)),
        Policy::Deeper => (RGBColor(140, 80, 180), (18, 4)),
    }
}

#[derive(Clone, Copy)]
struct Chart {
    /// Key of its name.
    quantity: &'static str,
    is_logarithmic: bool,
    of: fn(&Sample) -> f64,
}

const CHARTS: [Chart; 3] = [
    Chart { quantity: "dda.depth", is_logarithmic: false, of: |s| f64::from(s.depth) },
    Chart { quantity: "contest.nodes", is_logarithmic: true, of: |s| (s.nodes + s.walk) as f64 },
    Chart { quantity: "dda.time", is_logarithmic: true, of: |s| s.ms },
];

/// Draws the picture as an SVG.
///
/// # Errors
/// [`FigureError`]: the text of the drawing library.
pub fn draw(title: &str, results: &[PolicyGames], texts: &Texts) -> Result<String, FigureError> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, PICTURE).into_drawing_area();
        root.fill(&WHITE).map_err(text)?;
        let root = root.margin(12, 0, 0, 0);
        let root = root.titled(title, ("sans-serif", 22)).map_err(text)?;
        let panels = root.split_evenly((1, CHARTS.len()));
        for (chart, area) in CHARTS.iter().zip(&panels) {
            panel(area, *chart, results, texts)?;
        }
        root.present().map_err(text)?;
    }
    Ok(svg)
}

fn text(fault: impl std::fmt::Display) -> FigureError {
    FigureError::new(fault)
}

/// The mean of a quantity in each part of the game: percent of the game, mean.
fn line(games: &PolicyGames, of: fn(&Sample) -> f64) -> Vec<(f64, f64)> {
    let part = |sample: &Sample| ((sample.progress * PARTS as f64) as usize).min(PARTS - 1);
    let point = |at: usize| {
        let here: Vec<f64> =
            games.samples.iter().filter(|sample| part(sample) == at).map(of).collect();
        let mean = here.iter().sum::<f64>() / here.len().max(1) as f64;
        (here.len() >= FEWEST).then_some(((at as f64 + 0.5) * 100.0 / PARTS as f64, mean))
    };
    (0..PARTS).filter_map(point).collect()
}

fn panel(
    area: &DrawingArea<SVGBackend, Shift>,
    chart: Chart,
    results: &[PolicyGames],
    texts: &Texts,
) -> Result<(), FigureError> {
    let lines: Vec<(Policy, Vec<(f64, f64)>)> =
        results.iter().map(|games| (games.policy, line(games, chart.of))).collect();
    let values = || lines.iter().flat_map(|(_, line)| line.iter().map(|point| point.1));
    let top = values().fold(1e-3, f64::max);
    let low = values().fold(top, f64::min).max(top * 1e-4);
    let mut builder = ChartBuilder::on(area);
    builder
        .caption(texts.get(chart.quantity), ("sans-serif", 18))
        .margin(14)
        .x_label_area_size(42)
        .y_label_area_size(74);
    if chart.is_logarithmic {
        let range = (low * 0.5..top * 1.5).log_scale();
        let context = builder.build_cartesian_2d(0.0..100.0, range).map_err(text)?;
        draw_lines(context, SeriesLabelPosition::LowerLeft, &lines, texts)
    } else {
        let range = (low - 0.5).max(0.0)..top + 0.6 * (top - low).max(1.0);
        let context = builder.build_cartesian_2d(0.0..100.0, range).map_err(text)?;
        draw_lines(context, SeriesLabelPosition::UpperLeft, &lines, texts)
    }
}

fn draw_lines<'a, Y: Ranged<ValueType = f64> + ValueFormatter<f64>>(
    mut context: ChartContext<
        'a,
        SVGBackend<'a>,
        Cartesian2d<plotters::coord::types::RangedCoordf64, Y>,
    >,
    names: SeriesLabelPosition,
    lines: &[(Policy, Vec<(f64, f64)>)],
    texts: &Texts,
) -> Result<(), FigureError> {
    context
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(RGBColor(225, 225, 225))
        .x_desc(texts.get("contest.progress"))
        .x_label_formatter(&|percent| format!("{percent:.0}"))
        .y_label_formatter(&|value| axis_number(*value, texts))
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 15))
        .draw()
        .map_err(text)?;
    for (policy, line) in lines {
        let (colour, (on, off)) = style(*policy);
        let stroke = colour.stroke_width(2);
        let points = line.iter().copied();
        let drawn = if off == 0 {
            context.draw_series(LineSeries::new(points, stroke)).map_err(text)?
        } else {
            context.draw_series(DashedLineSeries::new(points, on, off, stroke)).map_err(text)?
        };
        let name = texts.get(&format!("policy.{}", policy.name())).to_string();
        drawn.label(name).legend(move |(x, y)| {
            let on = if off == 0 { 40 } else { on };
            let points = vec![(x, y), (x + 34, y)].into_iter();
            DashedPathElement::new(points, on, off, colour.stroke_width(2))
        });
    }
    context
        .configure_series_labels()
        .position(names)
        .background_style(WHITE.mix(0.85))
        .border_style(RGBColor(190, 190, 190))
        .label_font(("sans-serif", 13))
        .legend_area_size(40)
        .draw()
        .map_err(text)
}
