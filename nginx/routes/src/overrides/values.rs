//! How values of the fields are written.

use wick_wire::{RecordError, words};

/// When a request is tried at another endpoint: a set of the directive's words, one at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NextUpstream(u32);

impl NextUpstream {
    /// In the order of their bits.
    pub const WORDS: [&str; words::NEXT_UPSTREAM.len()] = words::NEXT_UPSTREAM;

    /// Indexes of the words in [`Self::WORDS`].
    pub fn words(self) -> impl Iterator<Item = usize> {
        (0..Self::WORDS.len()).filter(move |bit| self.0 >> bit & 1 != 0)
    }

    pub(super) fn read(bytes: &[u8]) -> Result<Self, RecordError> {
        match bytes.try_into().map(u32::from_le_bytes) {
            Ok(bits) if bits != 0 && bits >> Self::WORDS.len() == 0 => Ok(Self(bits)),
            _ => Err(RecordError::Field),
        }
    }
}
