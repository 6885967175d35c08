//! Landlock, as far as it is needed here. See landlock(7).

use std::path::PathBuf;

use landlock::{
    AccessFs, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetError,
    RulesetStatus,
};

/// What has become of the process.
pub enum Confined {
    Yes,
    /// the kernel is too old, or was started without
    NotHere,
}

/// From now on this thread, and those that it starts, read files below these paths only. They write, make and list as before.
pub fn read_only(paths: &[PathBuf]) -> Result<Confined, RulesetError> {
    // Moving files between folders is forbidden unless it is spoken of (kernel 5.19); before that nginx copies.
    let ruleset = Ruleset::default()
        .handle_access(AccessFs::ReadFile)?
        .handle_access(AccessFs::Refer)?
        .create()?;
    let everywhere =
        PathFd::new("/").into_iter().map(|root| PathBeneath::new(root, AccessFs::Refer));
    let readable = paths.iter().filter_map(|path| PathFd::new(path).ok());
    let readable = readable.map(|path| PathBeneath::new(path, AccessFs::ReadFile));
    let ruleset = ruleset.add_rules(everywhere.chain(readable).map(Ok::<_, RulesetError>))?;
    let status = ruleset.restrict_self()?;
    Ok(match status.ruleset {
        RulesetStatus::NotEnforced => Confined::NotHere,
        RulesetStatus::FullyEnforced | RulesetStatus::PartiallyEnforced => Confined::Yes,
    })
}
