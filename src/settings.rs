//! The options a user can set, each declared once.
#[derive(Clone, Debug, Default)]
pub struct Settings {}
