//! What is written, under which condition, and why it may be refused.

use std::fmt;

/// What must hold for a write. Cas numbers are never 0 and never `u32::MAX`, and no two values of a store share one
/// within four billion writes, so that a deleted and recreated key does not match an old number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cas {
    /// Nothing.
    Any,
    /// The key does not exist.
    Absent,
    /// The key's cas number is this one.
    Is(u32),
}

impl From<u32> for Cas {
    /// As Proxy-Wasm and wick's own calls number it: 0 is no check, all ones is absent.
    fn from(number: u32) -> Cas {
        match number {
            0 => Cas::Any,
            u32::MAX => Cas::Absent,
            number => Cas::Is(number),
        }
    }
}

/// One key's new value; `None` deletes it, and deleting what is absent is no error.
#[derive(Clone, Copy, Debug)]
pub struct Write<'a> {
    pub key: &'a [u8],
    pub value: Option<&'a [u8]>,
    pub cas: Cas,
}

/// The write that made [`crate::apply()`] refuse all of them; nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteError {
    /// Which of the writes, counted from 0.
    pub index: usize,
    pub kind: Refusal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// No free piece of its store is large enough: what is replaced is freed only afterwards. Never of writes that all take no more
    /// room than what they replace (up to the length of the spare place), as deletions do.
    Full,
    /// The key is not as [`Write::cas`] says.
    CasMismatch,
    /// An earlier write of the same call names the same key.
    Duplicate,
    /// Key or value above [`crate::MAX_KEY_BYTES`], [`crate::MAX_VALUE_BYTES`].
    TooLarge,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self.kind {
            Refusal::Full => "the store is full",
            Refusal::CasMismatch => "the key has changed",
            Refusal::Duplicate => "the key is written twice",
            Refusal::TooLarge => "key or value is too large",
        };
        write!(f, "cannot apply write {}: {reason}", self.index)
    }
}

impl std::error::Error for WriteError {}
