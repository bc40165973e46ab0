//! What both test programs need.

use std::path::{Path, PathBuf};

/// The folder with the endgame tables of three and four men, beside the repository. Says so if
/// there is none.
pub fn endgame_tables() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data/syzygy");
    if !folder.join("KQvK.rtbw").exists() {
        println!("no endgame tables in {}: not tested", folder.display());
        return None;
    }
    Some(folder)
}
