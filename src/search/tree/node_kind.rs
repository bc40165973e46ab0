//! Kinds of nodes as types, so that what a node may do is settled when it is compiled:
//! a subtree that verifies a null move *cannot* make one itself.

/// What a node of the search tree is.
pub trait NodeKind {
    /// The root of the tree.
    const ROOT: bool;
    /// On a principal variation: the window is open and the exact value is wanted.
    const PV: bool;
    /// Whether a null move may be tried.
    const NULL_MOVE: bool;
    /// The kind of the children that are searched with a zero window.
    type Scout: NodeKind;
}

/// The root.
pub struct Root;
/// A node of the principal variation.
pub struct Pv;
/// A zero-window node, where only the question "above or below?" is asked.
pub struct Scout;
/// A zero-window node below a null move that is being verified.
pub struct Verify;

impl NodeKind for Root {
    const ROOT: bool = true;
    const PV: bool = true;
    const NULL_MOVE: bool = false;
    type Scout = Scout;
}

impl NodeKind for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
    const NULL_MOVE: bool = false;
    type Scout = Scout;
}

impl NodeKind for Scout {
    const ROOT: bool = false;
    const PV: bool = false;
    const NULL_MOVE: bool = true;
    type Scout = Scout;
}

impl NodeKind for Verify {
    const ROOT: bool = false;
    const PV: bool = false;
    const NULL_MOVE: bool = false;
    type Scout = Verify;
}
