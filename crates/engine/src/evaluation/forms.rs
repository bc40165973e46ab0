//! The forms of the evaluation behind one type, so that the search is compiled once for each rule set.

use super::linear::Weights;
use super::{Breakdown, Evaluator, KingTerms, NetworkTerms, Variant, king_terms, network};
use crate::rules::for_each_rule_set;
use crate::score::Score;

/// The evaluator of the rules `P`: the paper's three terms in one of their forms.
#[derive(Clone, Debug)]
pub enum Evaluation<P> {
    /// One value for each piece and king: the linear form and the fitted tables.
    KingTerms(KingTerms<P>),
    /// A hidden layer for each king.
    Network(NetworkTerms<P>),
}

impl<P: Variant> Evaluation<P> {
    /// The linear form.
    pub fn linear(weights: Weights) -> Evaluation<P> {
        KingTerms::linear(weights).into()
    }

    /// The same with another weight of the rule set's own term, in per cent.
    pub fn with_own_term(self, own_term: i32) -> Evaluation<P> {
        match self {
            Evaluation::KingTerms(terms) => terms.with_own_term(own_term).into(),
            Evaluation::Network(terms) => terms.with_own_term(own_term).into(),
        }
    }
}

impl<P> PartialEq for Evaluation<P> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Evaluation::KingTerms(a), Evaluation::KingTerms(b)) => a == b,
            (Evaluation::Network(a), Evaluation::Network(b)) => a == b,
            _ => false,
        }
    }
}

impl<P: Variant> Default for Evaluation<P> {
    /// The strongest form that the rule set has: its network, or else its fitted tables, or else the linear
    /// form.
    fn default() -> Evaluation<P> {
        NetworkTerms::built_in().map_or_else(|| KingTerms::default().into(), Evaluation::from)
    }
}

impl<P> From<KingTerms<P>> for Evaluation<P> {
    fn from(terms: KingTerms<P>) -> Evaluation<P> {
        Evaluation::KingTerms(terms)
    }
}

impl<P> From<NetworkTerms<P>> for Evaluation<P> {
    fn from(terms: NetworkTerms<P>) -> Evaluation<P> {
        Evaluation::Network(terms)
    }
}

/// The cache of either form.
pub enum EvalCache {
    /// Of the king tables.
    KingTerms(king_terms::SumsByPly),
    /// Of a network.
    Network(network::Accumulators),
}

impl<P: Variant> Evaluator<P> for Evaluation<P> {
    type Cache = EvalCache;

    fn new_cache(&self) -> EvalCache {
        match self {
            Evaluation::KingTerms(terms) => EvalCache::KingTerms(terms.new_cache()),
            Evaluation::Network(terms) => EvalCache::Network(terms.new_cache()),
        }
    }

    #[inline]
    fn evaluate(&self, position: &P, ply: usize, cache: &mut EvalCache) -> Score {
        match (self, cache) {
            (Evaluation::KingTerms(terms), EvalCache::KingTerms(cache)) => {
                terms.evaluate(position, ply, cache)
            }
            (Evaluation::Network(terms), EvalCache::Network(cache)) => {
                terms.evaluate(position, ply, cache)
            }
            // The cache of another evaluator.
            (_, cache) => {
                *cache = self.new_cache();
                self.evaluate(position, ply, cache)
            }
        }
    }

    fn explain(&self, position: &P) -> Breakdown {
        P::explain_by(self, position)
    }
}

/// The explanation of a score, compiled in this crate. A generic function is compiled anew in every crate that calls
/// it, and the whole evaluation below it.
pub trait Explained: Sized {
    /// [`Evaluator::explain`] of `evaluation`.
    fn explain_by(evaluation: &Evaluation<Self>, position: &Self) -> Breakdown;
}

macro_rules! explain_here {
    ($($name:ident: $rules:ty,)*) => {
        $(impl Explained for $rules {
            fn explain_by(evaluation: &Evaluation<Self>, position: &Self) -> Breakdown {
                match evaluation {
                    Evaluation::KingTerms(terms) => terms.explain(position),
                    Evaluation::Network(terms) => terms.explain(position),
                }
            }
        })*
    };
}
for_each_rule_set!(explain_here);
