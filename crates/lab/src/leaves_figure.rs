//! The picture of a comparison: the leaves of each algorithm at each depth, on a logarithmic axis.
//!
//! All algorithms together are thirty lines. So the legend has a column of its own beside the plot, and each line a pair of
//! colour and marker that no other has; the legend shows both.

use plotters::coord::Shift;
use plotters::element::EmptyElement;
use plotters::prelude::*;

use super::figures::FigureError;
use super::texts::Texts;

/// Width of the plot, and of the legend beside it, in pixels.
const WIDTHS: (u32, u32) = (900, 260);
/// The least height of the picture, that of its title, and that of a line of the legend, in pixels.
const HEIGHT: u32 = 620;
const TITLE: u32 = 44;
const LINE: u32 = 21;
/// Half the size of a marker, in pixels.
const MARKER: i32 = 5;

/// Colours that differ in darkness, too. With the six shapes of [`mark`] they make 42 pairs, because no number above 1 divides
/// both counts: line i has the colour i mod 7 and the shape i mod 6.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 0, 0),
    RGBColor(178, 34, 34),
    RGBColor(30, 110, 200),
    RGBColor(225, 150, 0),
    RGBColor(20, 120, 70),
    RGBColor(140, 80, 180),
    RGBColor(120, 120, 120),
];

/// The points of one algorithm: depth and leaves.
pub type Points<'a> = (&'a str, Vec<(u32, u64)>);

/// Draws the picture as an SVG.
///
/// # Errors
/// [`FigureError`]: the text of the drawing library.
pub fn draw(title: &str, lines: &[Points], texts: &Texts) -> Result<String, FigureError> {
    let mut svg = String::new();
    draw_into(&mut svg, title, lines, texts).map_err(FigureError::new)?;
    Ok(svg)
}

type Fault<'a> = DrawingAreaErrorKind<<SVGBackend<'a> as DrawingBackend>::ErrorType>;

fn draw_into<'a>(
    svg: &'a mut String,
    title: &str,
    lines: &[Points],
    texts: &Texts,
) -> Result<(), Fault<'a>> {
    let height = HEIGHT.max(TITLE + LINE * (lines.len() as u32 + 2));
    let root = SVGBackend::with_string(svg, (WIDTHS.0 + WIDTHS.1, height)).into_drawing_area();
    root.fill(&WHITE)?;
    let (head, body) = root.split_vertically(TITLE);
    head.titled(title, ("sans-serif", 22))?;
    let (plot, legend) = body.split_horizontally(WIDTHS.0);
    draw_plot(&plot, lines, texts)?;
    for (number, (name, _)) in lines.iter().enumerate() {
        let y = (LINE * (number as u32 + 1)) as i32;
        let colour = colour(number);
        legend.draw(&PathElement::new(vec![(4, y), (36, y)], colour.stroke_width(2)))?;
        mark(&legend, (20, y), number)?;
        legend.draw(&Text::new((*name).to_string(), (46, y - 6), ("sans-serif", 15)))?;
    }
    root.present()
}

fn draw_plot<'a>(
    area: &DrawingArea<SVGBackend<'a>, Shift>,
    lines: &[Points],
    texts: &Texts,
) -> Result<(), Fault<'a>> {
    let all = || lines.iter().flat_map(|(_, line)| line);
    let (low, high) = (all().map(|p| p.0).min(), all().map(|p| p.0).max());
    let (low, high) = (low.unwrap_or(0), high.unwrap_or(1));
    let top = all().map(|p| p.1).max().unwrap_or(1).max(10) as f64 * 2.0;
    let depths = f64::from(low)..f64::from(high.max(low + 1));
    let mut chart = ChartBuilder::on(area)
        .margin(16)
        .x_label_area_size(46)
        .y_label_area_size(84)
        .build_cartesian_2d(depths, (1.0..top).log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_labels((high - low + 1) as usize)
        .x_label_formatter(&|depth| format!("{depth:.0}"))
        .y_label_formatter(&|leaves| format!("{leaves:.0}"))
        .x_desc(texts.get("compare.depth-axis"))
        .y_desc(texts.get("compare.leaves-axis"))
        .label_style(("sans-serif", 15))
        .draw()?;
    for (number, (_, line)) in lines.iter().enumerate() {
        let places: Vec<(f64, f64)> =
            line.iter().map(|&(depth, leaves)| (f64::from(depth), leaves.max(1) as f64)).collect();
        let style = colour(number).stroke_width(2);
        chart.draw_series(LineSeries::new(places.clone(), style))?;
        for place in places {
            mark(chart.plotting_area(), place, number)?;
        }
    }
    Ok(())
}

fn colour(number: usize) -> RGBColor {
    COLOURS[number % COLOURS.len()]
}

/// The marker of a line.
fn mark<'a, C: plotters::coord::CoordTranslate>(
    area: &DrawingArea<SVGBackend<'a>, C>,
    at: C::From,
    number: usize,
) -> Result<(), Fault<'a>>
where
    C::From: Clone,
{
    let (line, filled) = (colour(number).stroke_width(2), colour(number).filled());
    const M: i32 = MARKER;
    let corners = match number % 6 {
        0 => return area.draw(&Circle::new(at, M, filled)),
        1 => return area.draw(&Cross::new(at, M, line)),
        2 => vec![(-M, M), (M, M), (0, -M - 1)],
        3 => return area.draw(&Circle::new(at, M, line)),
        4 => vec![(-M, -M), (M, -M), (M, M), (-M, M)],
        _ => {
            let diamond = vec![(0, -M - 2), (M + 2, 0), (0, M + 2), (-M - 2, 0), (0, -M - 2)];
            return area.draw(&(EmptyElement::at(at) + PathElement::new(diamond, line)));
        }
    };
    area.draw(&(EmptyElement::at(at) + Polygon::new(corners, filled)))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::texts::{self, Lang};

    /// What is drawn at the places of the legend's markers, its place taken away.
    fn legend_of(count: usize) -> (u32, Vec<String>) {
        let names: Vec<String> = (0..count).map(|number| format!("algorithm-{number}")).collect();
        let lines: Vec<Points> =
            names.iter().map(|name| (name.as_str(), vec![(1, 20), (2, 400)])).collect();
        let svg = draw("title", &lines, &texts::of(Lang::En)).unwrap();
        let height = svg.split("height=\"").nth(1).unwrap().split('"').next().unwrap();
        (height.parse().unwrap(), svg.lines().map(str::to_string).collect())
    }

    #[test]
    fn each_line_has_a_pair_of_colour_and_shape_that_no_other_has() {
        let all = crate::algorithms::all().len();
        let pairs: HashSet<_> = (0..all).map(|i| (i % COLOURS.len(), i % 6)).collect();
        assert_eq!(pairs.len(), all);
    }

    #[test]
    fn the_legend_is_beside_the_plot_and_inside_the_picture() {
        for count in [1, 3, 30, 40] {
            let (height, lines) = legend_of(count);
            let number = |line: &str, name: &str| -> f64 {
                let value = line.split(&format!(" {name}=\"")).nth(1).unwrap();
                value.split('"').next().unwrap().parse().unwrap()
            };
            let names: Vec<usize> =
                (1..lines.len()).filter(|&i| lines[i].starts_with("algorithm-")).collect();
            assert_eq!(names.len(), count);
            for i in names {
                let text = &lines[i - 1];
                assert!(number(text, "x") > f64::from(WIDTHS.0), "{text}");
                assert!(number(text, "y") + 16.0 <= f64::from(height), "{text}");
                // The line and the marker stand before the name.
                let marker = &lines[i - 2];
                assert!(!marker.starts_with("<text") && !marker.starts_with("</text"), "{marker}");
            }
        }
    }
}
