//! The evaluation (skeleton).
