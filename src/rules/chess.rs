//! Standard chess, fast.
