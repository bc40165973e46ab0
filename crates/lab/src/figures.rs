//! The paper's figures 1 to 4, drawn: depth and cost against the discs on the board.
//!
//! Each method has a row of three charts: depth (figures 1 and 3), time (2 and 4), and nodes,
//! which are the time's cause and do not depend on the machine. The depth is drawn twice: ψ by the
//! formula, and thin in grey the plies searched, which end with the cells that are left. As in the paper the axis of
//! discs ends at 100 for depth and at 50 for cost. Lines differ in dashes and grey as well as
//! in colour, so that they survive a printer.

use plotters::coord::Shift;
use plotters::coord::types::{RangedCoordf64, RangedCoordu32};
use plotters::element::DashedPathElement;
use plotters::prelude::*;

use super::dda::{Experiment, Method, Rounding, Sample};
use super::texts::{Texts, decimal};

/// Width and height of the picture, in pixels.
const PICTURE: (u32, u32) = (1500, 1300);

/// The end of the axis of discs in the paper's charts of depth, and in those of cost.
const LAST_DISC: (u32, u32) = (100, 50);

/// Colours of rising darkness, and dashes (on, off) in pixels, one a board size.
const STYLES: [(RGBColor, (i32, i32)); 4] = [
    (RGBColor(0, 0, 0), (0, 0)),
    (RGBColor(178, 34, 34), (10, 4)),
    (RGBColor(30, 110, 200), (4, 4)),
    (RGBColor(225, 150, 0), (14, 7)),
];

/// The quantity of a chart.
#[derive(Clone, Copy)]
struct Chart {
    /// Key of its name.
    quantity: &'static str,
    last_disc: u32,
    of: fn(&Sample) -> f64,
}

const CHARTS: [Chart; 3] = [
    Chart {
        quantity: "dda.depth",
        last_disc: LAST_DISC.0,
        of: |sample| sample.formula.unwrap_or(f64::NAN),
    },
    Chart { quantity: "dda.time", last_disc: LAST_DISC.1, of: |sample| sample.ms },
    Chart { quantity: "dda.nodes", last_disc: LAST_DISC.1, of: |sample| sample.nodes / 1e3 },
];

/// Draws all figures into one SVG.
///
/// # Errors
/// [`FigureError`]: the text of the drawing library.
pub fn draw(samples: &[Sample], plan: &Experiment, texts: &Texts) -> Result<String, FigureError> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, PICTURE).into_drawing_area();
        root.fill(&WHITE).map_err(text)?;
        let rounding = match plan.rounding {
            Rounding::Up => "dda.up",
            Rounding::Down => "dda.down",
        };
        let (base, games) = (plan.base.to_string(), plan.games.to_string());
        let args = [("base", &*base), ("games", &*games), ("rounding", texts.get(rounding))];
        let title = texts.fill("dda.title", &args);
        let (_, root) = root.split_vertically(12);
        let root = root.titled(&title, ("sans-serif", 22)).map_err(text)?;
        let panels = root.split_evenly((Method::ALL.len(), CHARTS.len()));
        for (row, method) in Method::ALL.into_iter().enumerate() {
            for (column, chart) in CHARTS.iter().enumerate() {
                let number = (2 * row + 1 + column).to_string();
                let figure = match column {
                    0 | 1 if row < 2 => texts.fill("dda.figure", &[("number", &number)]),
                    _ => String::new(),
                };
                let method_name = texts.get(match method {
                    Method::General => "dda.general",
                    Method::Specific => "dda.specific",
                    Method::Statistical => "dda.statistical",
                });
                let caption = format!("{figure} {}, {method_name}", texts.get(chart.quantity))
                    .trim()
                    .to_string();
                let of_method: Vec<&Sample> =
                    samples.iter().filter(|sample| sample.method == method).collect();
                let area = &panels[row * CHARTS.len() + column];
                let words = Words { caption: &caption, texts };
                panel(area, words, *chart, &of_method, samples)?;
            }
        }
        root.present().map_err(text)?;
    }
    Ok(svg)
}

/// A figure that cannot be drawn.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the figure cannot be drawn: {0}")]
pub struct FigureError(String);

impl FigureError {
    pub(super) fn new(fault: impl std::fmt::Display) -> FigureError {
        FigureError(fault.to_string())
    }
}

fn text(fault: impl std::fmt::Display) -> FigureError {
    FigureError::new(fault)
}

/// A number at an axis: six digits that mean something, and no zeros behind the point. The steps of an axis are sums of
/// fractions, such as 1.5999999999999999.
pub(super) fn axis_number(value: f64, texts: &Texts) -> String {
    let whole = value.abs().max(1e-9).log10().floor() as i32 + 1;
    let text = format!("{value:.*}", (6 - whole).clamp(0, 12) as usize);
    let text =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    decimal(texts, if text == "-0" { "0" } else { text })
}

/// The words of a panel.
#[derive(Clone, Copy)]
struct Words<'a> {
    caption: &'a str,
    texts: &'a Texts,
}

type Panel<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordu32, RangedCoordf64>>;

fn panel(
    area: &DrawingArea<SVGBackend, Shift>,
    words: Words,
    chart: Chart,
    samples: &[&Sample],
    all: &[Sample],
) -> Result<(), FigureError> {
    // All methods share a scale, so that their rows can be compared by eye.
    let shown = all.iter().filter(|sample| sample.discs <= chart.last_disc).map(chart.of);
    let is_depth = chart.last_disc == LAST_DISC.0;
    // The names of the lines stand where these are low; cost needs some room for them.
    let headroom = if is_depth { 1.05 } else { 1.3 };
    let top = shown.filter(|value| value.is_finite()).fold(1e-3, f64::max) * headroom;
    let mut context = ChartBuilder::on(area)
        .caption(words.caption, ("sans-serif", 18))
        .margin(14)
        .x_label_area_size(42)
        .y_label_area_size(64)
        .build_cartesian_2d(0..chart.last_disc, 0.0..top)
        .map_err(text)?;
    context
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(RGBColor(225, 225, 225))
        .y_label_formatter(&|value| axis_number(*value, words.texts))
        .x_desc(words.texts.get("dda.discs"))
        .y_desc(words.texts.get(chart.quantity))
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 15))
        .draw()
        .map_err(text)?;
    let mut sizes: Vec<u8> = samples.iter().map(|sample| sample.size).collect();
    sizes.dedup();
    for (number, size) in sizes.into_iter().enumerate() {
        let of_size: Vec<&Sample> =
            samples.iter().filter(|sample| sample.size == size).copied().collect();
        if is_depth {
            draw_searched(&mut context, &of_size, (number == 0).then_some(words.texts))?;
        }
        draw_line(&mut context, number, size, chart, &of_size)?;
    }
    let corner =
        if is_depth { SeriesLabelPosition::UpperLeft } else { SeriesLabelPosition::UpperRight };
    context
        .configure_series_labels()
        .position(corner)
        .background_style(WHITE.mix(0.85))
        .border_style(RGBColor(190, 190, 190))
        .label_font(("sans-serif", 14))
        .legend_area_size(44)
        .draw()
        .map_err(text)
}

/// The plies really searched on one board; with `texts`, named in the legend.
fn draw_searched(
    context: &mut Panel,
    samples: &[&Sample],
    texts: Option<&Texts>,
) -> Result<(), FigureError> {
    const GREY: RGBColor = RGBColor(130, 130, 130);
    let line = samples.iter().map(|sample| (sample.discs, sample.depth));
    let drawn = context.draw_series(LineSeries::new(line, GREY.stroke_width(1))).map_err(text)?;
    if let Some(texts) = texts {
        let name = texts.get("dda.searched").to_string();
        drawn.label(name).legend(|(x, y)| sample_line(x, y, GREY, 0, 0));
    }
    Ok(())
}

/// The line of one board.
fn draw_line(
    context: &mut Panel,
    number: usize,
    size: u8,
    chart: Chart,
    samples: &[&Sample],
) -> Result<(), FigureError> {
    let (colour, (on, off)) = STYLES[number % STYLES.len()];
    let points = samples.iter().filter(|sample| sample.discs <= chart.last_disc);
    let line = points.map(|sample| (sample.discs, (chart.of)(sample)));
    let line = line.filter(|(_, value)| value.is_finite());
    let style = colour.stroke_width(2);
    let drawn = if off == 0 {
        context.draw_series(LineSeries::new(line, style)).map_err(text)?
    } else {
        context.draw_series(DashedLineSeries::new(line, on, off, style)).map_err(text)?
    };
    let name = format!("{size} x {size}");
    drawn.label(name).legend(move |(x, y)| sample_line(x, y, colour, on, off));
    Ok(())
}

/// The short line beside a name in the legend.
fn sample_line(
    x: i32,
    y: i32,
    colour: RGBColor,
    on: i32,
    off: i32,
) -> DashedPathElement<std::vec::IntoIter<(i32, i32)>, i32> {
    let on = if off == 0 { 40 } else { on };
    let points = vec![(x, y), (x + 38, y)].into_iter();
    DashedPathElement::new(points, on, off, colour.stroke_width(2))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texts::{self, Lang};

    #[test]
    fn numbers_at_an_axis_are_short() {
        let texts = texts::of(Lang::En);
        for (value, text) in [
            (0.2 * 8.0 - 1e-16, "1.6"),
            (1.5999999999999999, "1.6"),
            (0.30000000000000004, "0.3"),
            (0.0, "0"),
            (-1e-17, "0"),
            (20.0, "20"),
            (1_000_000.0, "1000000"),
            (12_345_678.0, "12345678"),
            (0.00025, "0.00025"),
        ] {
            assert_eq!(axis_number(value, &texts), text);
        }
        assert_eq!(axis_number(1.6, &texts::of(Lang::Es)), "1,6");
    }
}
