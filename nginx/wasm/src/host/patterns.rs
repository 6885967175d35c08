//! `wick_match` and `wick_check_pattern`: nginx's regular expressions for filters.

use wick_abi::{Status, two};
use wick_native::pattern::Pattern;
use wick_native::regex::{BadPattern, Regex};

use crate::cache::Cache;

/// Patterns that an instance has used, the bad ones too.
pub struct Patterns(Cache<Result<Regex, BadPattern>>);

const MAX_PATTERN_BYTES: usize = 4096;

impl Default for Patterns {
    fn default() -> Patterns {
        Patterns(Cache::new(64)) // PCRE makes up to 64 KiB of a pattern
    }
}

impl Patterns {
    /// Whether the pattern matches somewhere in the subject.
    /// # Errors
    /// BAD_ARGUMENT: the pattern is too long or does not compile; INTERNAL_FAILURE: the subject is too long, or a limit of
    /// the match was reached.
    pub fn is_match(&mut self, arguments: &[u8]) -> Result<bool, Status> {
        let (pattern, subject) = two(arguments).map_err(|_| Status::BadArgument)?;
        if pattern.len() > MAX_PATTERN_BYTES {
            return Err(Status::BadArgument);
        }
        let regex = self.0.get(pattern, || Regex::compile(pattern));
        let regex = regex.as_ref().map_err(|_| Status::BadArgument)?;
        regex.is_match(subject).map_err(|_| Status::InternalFailure)
    }
}

/// Why the pattern cannot be a route's; empty if it can.
/// # Errors
/// BAD_ARGUMENT: it is longer than the pattern of a route may be.
pub fn check(pattern: &[u8]) -> Result<String, Status> {
    if pattern.len() > MAX_PATTERN_BYTES {
        return Err(Status::BadArgument);
    }
    Ok(Pattern::compile(pattern).err().map_or_else(String::new, |bad| bad.to_string()))
}
