//! A set of rules as libmodsecurity has it.

use std::ffi::{CStr, CString, c_char, c_int};
use std::ptr::{NonNull, null};

use crate::engine::Engine;
use crate::library::RawRules;

/// Nobody changes it once it is whole: then many threads may read it.
pub struct Rules {
    pub engine: &'static Engine,
    raw: NonNull<RawRules>,
}

// SAFETY: see above; what several sets share is counted atomically.
unsafe impl Send for Rules {}
// SAFETY: as above.
unsafe impl Sync for Rules {}

/// Why rules are not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Of the set; `None`: it is about the whole.
    pub part: Option<usize>,
    /// Of the part's text or file, or of a file that this includes.
    pub line: Option<u32>,
    pub error: String,
}

impl Fault {
    pub fn new(error: impl Into<String>) -> Fault {
        let error = error.into();
        Fault { part: None, line: line_in(&error), error }
    }
}

impl Rules {
    /// # Errors: out of memory.
    pub fn new(engine: &'static Engine) -> Result<Rules, Fault> {
        // SAFETY: makes an empty set.
        let raw = NonNull::new(unsafe { (engine.library.create_rules_set)() });
        raw.map(|raw| Rules { engine, raw })
            .ok_or_else(|| Fault::new("libmodsecurity has no memory"))
    }

    pub fn as_ptr(&self) -> *mut RawRules {
        self.raw.as_ptr()
    }

    /// Reads `text` behind what is there. What a setting says first holds.
    pub fn add(&mut self, text: &str) -> Result<usize, Fault> {
        let text = c_text(text)?;
        // SAFETY: a set that only we have, and a text that ends in NUL.
        self.answer(|to, error| unsafe {
            (self.engine.library.rules_add)(to, text.as_ptr(), error)
        })
    }

    pub fn add_file(&mut self, path: &str) -> Result<usize, Fault> {
        let path = c_text(path)?;
        let add = self.engine.library.rules_add_file;
        // SAFETY: as above.
        self.answer(|to, error| unsafe { add(to, path.as_ptr(), error) })
    }

    /// As if what `other` was made of was read here.
    pub fn merge(&mut self, other: &Rules) -> Result<usize, Fault> {
        let merge = self.engine.library.rules_merge;
        // SAFETY: a set that only we have; the other one is read alone.
        self.answer(|to, error| unsafe { merge(to, other.as_ptr(), error) })
    }

    fn answer(
        &self,
        call: impl FnOnce(*mut RawRules, *mut *const c_char) -> c_int,
    ) -> Result<usize, Fault> {
        let mut error: *const c_char = null();
        let rules = call(self.as_ptr(), &raw mut error);
        let words = taken(error);
        usize::try_from(rules).map_err(|_| {
            Fault::new(
                words.filter(|words| !words.is_empty()).unwrap_or_else(|| "it says nothing".into()),
            )
        })
    }
}

impl Drop for Rules {
    fn drop(&mut self) {
        // SAFETY: nobody else has it.
        unsafe { (self.engine.library.rules_cleanup)(self.as_ptr()) };
    }
}

fn c_text(text: &str) -> Result<CString, Fault> {
    CString::new(text).map_err(|_| Fault::new("It has a NUL character"))
}

/// One line of what the library says, whose memory is given back.
fn taken(error: *const c_char) -> Option<String> {
    const MAX_CHARS: usize = 1000;
    if error.is_null() {
        return None;
    }
    // SAFETY: a text that the library has allocated for us with malloc.
    unsafe {
        let text = CStr::from_ptr(error).to_string_lossy().into_owned();
        libc::free(error.cast_mut().cast());
        let words: Vec<_> = text.split_whitespace().collect();
        Some(words.join(" ").chars().take(MAX_CHARS).collect())
    }
}

/// The library says `Line: 3. `
fn line_in(error: &str) -> Option<u32> {
    let (_, rest) = error.split_once("Line: ")?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).map_or(rest, |end| &rest[..end]);
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_says_in_which_line() {
        assert_eq!(Fault::new("Rules error. File: x. Line: 12. Column: 3. y").line, Some(12));
        assert_eq!(Fault::new("Rule id: 1 is duplicated").line, None);
    }
}
