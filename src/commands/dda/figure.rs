//! The picture of `engine dda --games`: depth and nodes against the move number, as in the
//! paper's figures 1 and 2, for chess.

use std::error::Error;
use std::path::Path;

use plotters::prelude::*;

use super::{Contest, Done};
use shell::files;
use workshop::arena::{Effort, Sample};

/// Full moves per point of a curve.
const MOVES_A_POINT: usize = 4;
/// Least number of moves behind a point.
const LEAST_SAMPLES: usize = 100;
/// Width of the picture for each base depth, and height for each quantity, in pixels.
const PANEL: (u32, u32) = (420, 330);
/// Names of the curves; the first is the common opponent.
const CURVES: [&str; 4] = ["fixed depth", "moves", "leaves", "statistical"];
const FONT: &str = "sans-serif";

/// A curve: number of the move, value.
type Points = Vec<(f64, f64)>;

/// Draws the picture into the file `path`. `force`: replace any existing file.
pub fn draw(path: &Path, bases: &[u32], contests: &[Contest], force: bool) -> Done {
    let mut svg = String::new();
    draw_into(&mut svg, bases, contests)?;
    Ok(files::write_text(path, files::SVG, &svg, force)?)
}

fn draw_into(svg: &mut String, bases: &[u32], contests: &[Contest]) -> Done {
    let size = (PANEL.0 * bases.len() as u32, 2 * PANEL.1);
    let root = SVGBackend::with_string(svg, size).into_drawing_area();
    root.fill(&WHITE)?;
    let panels = root.split_evenly((2, bases.len()));
    for (column, &base) in bases.iter().enumerate() {
        let depth = |sample: &Sample| f64::from(sample.depth);
        let nodes = |sample: &Sample| sample.nodes as f64;
        let title = format!("base depth {base}");
        let depths = curves(base, contests, depth);
        panel(&panels[column], &title, "depth (half-moves)", &depths, true)?;
        let below = &panels[bases.len() + column];
        panel(below, &title, "nodes per move", &curves(base, contests, nodes), false)?;
    }
    root.present()?;
    Ok(())
}

/// The curves of one panel, in the order of [`CURVES`].
fn curves(base: u32, contests: &[Contest], value: impl Fn(&Sample) -> f64) -> Vec<Points> {
    let of_base: Vec<&Contest> = contests.iter().filter(|contest| contest.base == base).collect();
    let effort = |name: &str| match of_base.iter().find(|contest| contest.name == name) {
        Some(contest) => Some(&contest.efforts[0]),
        None => of_base.first().map(|contest| &contest.efforts[1]),
    };
    CURVES.map(|name| effort(name).map(|effort| points(effort, &value)).unwrap_or_default()).into()
}

/// Means over stretches of [`MOVES_A_POINT`] moves with a choice, where there are enough moves.
fn points(effort: &Effort, value: impl Fn(&Sample) -> f64) -> Points {
    let number = |sample: &Sample| sample.ply / 2 / MOVES_A_POINT;
    let last = effort.samples().iter().map(number).max().unwrap_or(0);
    (0..=last)
        .map(|stretch| {
            let is_meant = |sample: &Sample| !sample.is_forced && number(sample) == stretch;
            (stretch, effort.only(is_meant))
        })
        .filter(|(_, part)| part.count() >= LEAST_SAMPLES)
        .map(|(stretch, part)| {
            let middle = (stretch * MOVES_A_POINT) as f64 + (MOVES_A_POINT as f64 + 1.0) / 2.0;
            (middle, part.mean(&value))
        })
        .collect()
}

/// Draws one panel, with a legend where there is space for it. Curves differ in marker and darkness, so
/// that the picture can be printed without colours.
fn panel<B: DrawingBackend>(
    area: &DrawingArea<B, plotters::coord::Shift>,
    title: &str,
    quantity: &str,
    curves: &[Points],
    has_legend: bool,
) -> Result<(), Box<dyn Error>>
where
    B::ErrorType: 'static,
{
    let greatest =
        |pick: fn(&(f64, f64)) -> f64| curves.iter().flatten().map(pick).fold(1.0, f64::max);
    let (right, top) = (greatest(|point| point.0), greatest(|point| point.1));
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .caption(title, (FONT, 18))
        .x_label_area_size(42)
        .y_label_area_size(62)
        .build_cartesian_2d(0.0..right + 5.0, 0.0..top * 1.08)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.12))
        .x_desc("move number")
        .y_desc(quantity)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|y| format!("{}", (y * 10.0).round() / 10.0))
        .axis_desc_style((FONT, 15))
        .label_style((FONT, 13))
        .draw()?;
    let colors = [BLACK, RGBColor(0, 70, 150), RGBColor(205, 95, 20), RGBColor(110, 180, 120)];
    for (index, (points, color)) in curves.iter().zip(colors).enumerate() {
        let line = LineSeries::new(points.iter().copied(), color.stroke_width(2));
        chart.draw_series(line)?.label(CURVES[index]).legend(move |(x, y)| {
            EmptyElement::at((x, y))
                + PathElement::new([(0, 0), (24, 0)], color.stroke_width(2))
                + marker(index, (12, 0), color)
        });
        chart.draw_series(
            points.iter().map(|&point| EmptyElement::at(point) + marker(index, (0, 0), color)),
        )?;
    }
    if has_legend {
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::LowerRight)
            .background_style(WHITE)
            .border_style(BLACK.mix(0.3))
            .label_font((FONT, 13))
            .draw()?;
    }
    Ok(())
}

/// The marker of a curve: none, diamond, triangle or square.
fn marker(index: usize, (x, y): (i32, i32), color: RGBColor) -> Polygon<(i32, i32)> {
    let corners: &[(i32, i32)] = match index {
        1 => &[(0, -5), (5, 0), (0, 5), (-5, 0)],
        2 => &[(0, -5), (5, 4), (-5, 4)],
        3 => &[(-4, -4), (4, -4), (4, 4), (-4, 4)],
        _ => &[(0, 0)],
    };
    let corners: Vec<_> = corners.iter().map(|(right, down)| (x + right, y + down)).collect();
    Polygon::new(corners, color.filled())
}
