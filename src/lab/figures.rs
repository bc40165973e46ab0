//! The paper's figures 1 to 4, drawn: depth and cost against the discs on the board.
//!
//! Each method has a row of three charts: depth (figures 1 and 3), time (2 and 4), and nodes,
//! which are the time's cause and do not depend on the machine. The depth is drawn twice: ψ by the
//! formula, and thin in grey the plies searched, which end with the cells that are left. As in the paper the axis of
//! discs ends at 100 for depth and at 50 for cost. Lines differ in dashes and grey as well as
//! in colour, so that they survive a printer.

use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;

use super::dda::{Experiment, Method, Rounding, Sample};

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
    quantity: &'static str,
    last_disc: u32,
    of: fn(&Sample) -> f64,
}

const CHARTS: [Chart; 3] = [
    Chart {
        quantity: "depth (plies)",
        last_disc: LAST_DISC.0,
        of: |sample| sample.formula.unwrap_or(f64::NAN),
    },
    Chart { quantity: "time (ms)", last_disc: LAST_DISC.1, of: |sample| sample.ms },
    Chart {
        quantity: "nodes (thousands)",
        last_disc: LAST_DISC.1,
        of: |sample| sample.nodes / 1e3,
    },
];

/// Draws all figures into one SVG.
///
/// # Errors
/// [`FigureError`]: the text of the drawing library.
pub fn draw(samples: &[Sample], plan: &Experiment) -> Result<String, FigureError> {
    let mut svg = String::new();
    {
        let root = SVGBackend::with_string(&mut svg, PICTURE).into_drawing_area();
        root.fill(&WHITE).map_err(text)?;
        let rounding = match plan.rounding {
            Rounding::Up => "up, as printed",
            Rounding::Down => "down, as derived",
        };
        let title = format!(
            "DDA-alpha-beta on Connect Four, forced draw: base depth {}, rounded {rounding}; mean of \
             {} game(s)",
            plan.base, plan.games
        );
        let (_, root) = root.split_vertically(12);
        let root = root.titled(&title, ("sans-serif", 22)).map_err(text)?;
        let panels = root.split_evenly((Method::ALL.len(), CHARTS.len()));
        for (row, method) in Method::ALL.into_iter().enumerate() {
            for (column, chart) in CHARTS.iter().enumerate() {
                let figure = match column {
                    0 | 1 if row < 2 => format!("Figure {}: ", 2 * row + 1 + column),
                    _ => String::new(),
                };
                let caption = format!("{figure}{}, {} method", chart.quantity, method.name());
                let of_method: Vec<&Sample> =
                    samples.iter().filter(|sample| sample.method == method).collect();
                panel(&panels[row * CHARTS.len() + column], &caption, *chart, &of_method, samples)?;
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

fn text(fault: impl std::fmt::Display) -> FigureError {
    FigureError(fault.to_string())
}

fn panel(
    area: &DrawingArea<SVGBackend, Shift>,
    caption: &str,
    chart: Chart,
    samples: &[&Sample],
    all: &[Sample],
) -> Result<(), FigureError> {
    // Both methods share a scale, so that their rows can be compared by eye.
    let shown = all.iter().filter(|sample| sample.discs <= chart.last_disc);
    let is_depth = chart.last_disc == LAST_DISC.0;
    // The names of the lines stand where these are low; cost needs some room for them.
    let headroom = if is_depth { 1.05 } else { 1.3 };
    let top = shown.map(chart.of).filter(|value| value.is_finite()).fold(0.0, f64::max).max(1e-3)
        * headroom;
    let corner =
        if is_depth { SeriesLabelPosition::UpperLeft } else { SeriesLabelPosition::UpperRight };
    let mut context = ChartBuilder::on(area)
        .caption(caption, ("sans-serif", 18))
        .margin(14)
        .x_label_area_size(42)
        .y_label_area_size(64)
        .build_cartesian_2d(0..chart.last_disc, 0.0..top)
        .map_err(text)?;
    context
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(RGBColor(225, 225, 225))
        .y_label_formatter(&|value| value.to_string())
        .x_desc("discs on the board")
        .y_desc(chart.quantity)
        .label_style(("sans-serif", 14))
        .axis_desc_style(("sans-serif", 15))
        .draw()
        .map_err(text)?;
    let mut sizes: Vec<u8> = samples.iter().map(|sample| sample.size).collect();
    sizes.dedup();
    for (i, size) in sizes.into_iter().enumerate() {
        let (colour, (on, off)) = STYLES[i % STYLES.len()];
        let points = samples.iter().filter(|sample| sample.size == size);
        let points = points.filter(|sample| sample.discs <= chart.last_disc);
        let is_known = |(_, value): &(u32, f64)| value.is_finite();
        let line = points.map(|sample| (sample.discs, (chart.of)(sample))).filter(is_known);
        let style = colour.stroke_width(2);
        if is_depth {
            let searched = samples.iter().filter(|sample| sample.size == size);
            let searched = searched.map(|sample| (sample.discs, sample.depth));
            let thin = RGBColor(130, 130, 130).stroke_width(1);
            let drawn = context.draw_series(LineSeries::new(searched, thin)).map_err(text)?;
            if i == 0 {
                drawn
                    .label("searched")
                    .legend(move |(x, y)| sample_line(x, y, RGBColor(130, 130, 130), 0, 0));
            }
        }
        let drawn = if off == 0 {
            context.draw_series(LineSeries::new(line, style)).map_err(text)?
        } else {
            context.draw_series(DashedLineSeries::new(line, on, off, style)).map_err(text)?
        };
        drawn
            .label(format!("{size} x {size}"))
            .legend(move |(x, y)| sample_line(x, y, colour, on, off));
    }
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
