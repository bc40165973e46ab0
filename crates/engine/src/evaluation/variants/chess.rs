//! Chess: the paper's material and the two king terms, nothing else.

use shakmaty::Chess;

use super::Variant;

impl Variant for Chess {
    const TABLES: Option<&'static str> = Some(include_str!("chess.txt"));
    const NETWORK: Option<&'static [u8]> = embedded!("chess.net");
}
