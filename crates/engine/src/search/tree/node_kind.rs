//! Kinds of nodes as types, so that the compiler enforces the rules of each: a subtree that verifies a null
//! move *cannot* make one itself.

/// The kind of a node of the search tree.
pub trait NodeKind {
    /// The root of the tree.
    const ROOT: bool;
    /// A PV node: on the principal variation, with an open window and an exact value wanted.
    const PV: bool;
    /// True where a null move may be tried.
    const NULL_MOVE: bool;
    /// The kind of the children that are searched with a zero window.
    type ZeroWindow: NodeKind;
    /// The kind of the same node in qsearch, which knows neither root nor null move.
    type Quiescence: NodeKind;
}

/// The root.
pub struct Root;
/// A PV node.
pub struct Pv;
/// A zero-window node: the search only tests whether the score reaches beta.
pub struct NonPv;
/// A zero-window node below a null move that is being verified.
pub struct Verify;

impl NodeKind for Root {
    const ROOT: bool = true;
    const PV: bool = true;
    const NULL_MOVE: bool = false;
    type ZeroWindow = NonPv;
    type Quiescence = Pv;
}

impl NodeKind for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
    const NULL_MOVE: bool = false;
    type ZeroWindow = NonPv;
    type Quiescence = Pv;
}

impl NodeKind for NonPv {
    const ROOT: bool = false;
    const PV: bool = false;
    const NULL_MOVE: bool = true;
    type ZeroWindow = NonPv;
    type Quiescence = NonPv;
}

impl NodeKind for Verify {
    const ROOT: bool = false;
    const PV: bool = false;
    const NULL_MOVE: bool = false;
    type ZeroWindow = Verify;
    type Quiescence = NonPv;
}
