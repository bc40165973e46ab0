//! Opening books made from games.
//!
//! - [`builder`], [`runs`]: from millions of games to a book, in bounded memory; learning.
//! - [`check`]: checks of a book.

pub mod builder;
pub mod check;
pub mod runs;
