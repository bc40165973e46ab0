//! The logistic curve that fits results best: the share solved by rating.

/// Steps of Newton's method; a handful is enough where there is a maximum.
const STEPS: usize = 50;
/// Unit of the ratings inside the fit, so that slope and middle are of the same size.
const UNIT: f64 = 1000.0;
/// A slope beyond which the results are taken for separated: no finite curve fits them.
const STEEPEST: f64 = 100.0;

/// The share of puzzles of rating R that are solved, 1 / (1 + exp(slope · (R − middle) / 1000)).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// Fall of the log odds per 1000 points.
    pub slope: f64,
    /// The rating at which half is solved.
    pub middle: f64,
}

impl Curve {
    /// The curve of greatest likelihood for ratings with their results. `None` if there is none: no results,
    /// all alike, or without a trend.
    pub fn fit(results: &[(u32, bool)]) -> Option<Curve> {
        // Log odds of success: a + b x, with x centred.
        let centre = results.iter().map(|(rating, _)| f64::from(*rating)).sum::<f64>()
            / results.len().max(1) as f64;
        let (mut a, mut b) = (0.0_f64, 0.0_f64);
        for _ in 0..STEPS {
            let mut gradient = [0.0; 2];
            let mut curvature = [0.0; 3];
            for &(rating, is_solved) in results {
                let x = (f64::from(rating) - centre) / UNIT;
                let p = 1.0 / (1.0 + (-a - b * x).exp());
                let missing = f64::from(u8::from(is_solved)) - p;
                let weight = p * (1.0 - p);
                gradient = [gradient[0] + missing, gradient[1] + missing * x];
                curvature = [
                    curvature[0] + weight,
                    curvature[1] + weight * x,
                    curvature[2] + weight * x * x,
                ];
            }
            let determinant = curvature[0] * curvature[2] - curvature[1] * curvature[1];
            if determinant <= f64::EPSILON {
                return None;
            }
            let [g, h] = gradient;
            let step = [
                (curvature[2] * g - curvature[1] * h) / determinant,
                (curvature[0] * h - curvature[1] * g) / determinant,
            ];
            // Far from the maximum a whole step may overshoot.
            a += step[0].clamp(-1.0, 1.0);
            b += step[1].clamp(-2.0, 2.0);
        }
        let is_curve = b < 0.0 && b > -STEEPEST;
        is_curve.then(|| Curve { slope: -b, middle: centre - UNIT * a / b })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results in the exact shares of a curve, `count` at each rating.
    fn exact(slope: f64, middle: f64, count: u32) -> Vec<(u32, bool)> {
        let at = |rating: u32| {
            let share = 1.0 / (1.0 + (slope * (f64::from(rating) - middle) / UNIT).exp());
            let solved = (share * f64::from(count)).round() as u32;
            (0..count).map(move |number| (rating, number < solved))
        };
        (400..=2800).step_by(50).flat_map(at).collect()
    }

    #[test]
    fn a_curve_is_found_again() {
        for (slope, middle) in [(2.0, 1500.0), (5.76, 1050.0), (4.0, 2250.0)] {
            let curve = Curve::fit(&exact(slope, middle, 2000)).unwrap();
            assert!((curve.slope - slope).abs() < 0.02, "{curve:?}");
            assert!((curve.middle - middle).abs() < 3.0, "{curve:?}");
        }
    }

    #[test]
    fn results_without_a_curve_have_none() {
        assert_eq!(Curve::fit(&[]), None);
        assert_eq!(Curve::fit(&[(900, true), (1200, true)]), None);
        assert_eq!(Curve::fit(&[(900, true), (1200, false)]), None, "no finite slope");
        assert_eq!(Curve::fit(&[(900, false), (1200, true)]), None, "a rising one");
    }
}
