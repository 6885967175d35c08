//! Everything but some paths, as few paths as say it: Landlock knows what is allowed, not what is forbidden.

use std::fs;
use std::path::{Path, PathBuf};

/// The largest folders and files that have none of `hidden` in them. What cannot be listed is hidden as a whole.
///
/// # Arguments
/// * `hidden` - absolute, without links
pub fn outside(hidden: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    visit(Path::new("/"), hidden, &mut found);
    found
}

fn visit(path: &Path, hidden: &[PathBuf], found: &mut Vec<PathBuf>) {
    if hidden.iter().any(|one| one == path) {
        return;
    }
    if !hidden.iter().any(|one| one.starts_with(path)) {
        return found.push(path.to_owned());
    }
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        // A rule for a link would be one for what it leads to, which may be hidden.
        if entry.file_type().is_ok_and(|kind| !kind.is_symlink()) {
            visit(&entry.path(), hidden, found);
        }
    }
}
