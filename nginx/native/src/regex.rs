//! nginx's regular expressions, compiled while it serves, and with an end to what a match may cost.

use std::ptr::{NonNull, null_mut};

use ngx::ffi::{
    NGX_REGEX_NO_MATCHED, ngx_regex_compile, ngx_regex_compile_t, ngx_regex_exec, ngx_regex_exec_n,
    ngx_regex_t,
};

use crate::code::OK;
use crate::pool::OwnPool;
use crate::text::borrowed;

/// A compiled pattern in memory of its own. nginx compiles to machine code at start-up only; this is interpreted.
pub struct Regex {
    code: NonNull<ngx_regex_t>,
    _pool: OwnPool,
}

/// A pattern that does not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadPattern;

/// A match that reached one of its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GaveUp;

/// Most steps of one match, and most memory (KiB) for the places that it may have to come back to.
const LIMITS: &[u8] = b"(*LIMIT_MATCH=5000)(*LIMIT_HEAP=4096)";
/// A step may look at the whole rest of a subject, so that what a match costs at most grows with it.
const MAX_SUBJECT_BYTES: usize = 1024;

const _: () = assert!(
    matches!(ngx_regex_exec_n.to_bytes(), b"pcre2_match()"),
    "this nginx is built with PCRE 1, which does not know LIMIT_HEAP"
);

impl Regex {
    /// Compiles `pattern` (PCRE's notation, case-sensitive).
    ///
    /// PCRE counts its steps anew at each place of the subject where a match may begin. So the search for that place is
    /// made part of the pattern, where all of it counts as one.
    pub fn compile(pattern: &[u8]) -> Result<Regex, BadPattern> {
        let alone = compile(&[LIMITS, pattern])?;
        if begins_once(pattern) {
            return Ok(alone);
        }
        // Compiled alone first: a parenthesis too many must not pair with ours.
        compile(&[LIMITS, br"\A(?s:.*?)(?:", pattern, b")"])
    }

    /// Whether the pattern matches somewhere in `subject`.
    /// # Errors
    /// The subject is longer than 1 KiB, or the match takes too many steps.
    pub fn is_match(&self, subject: &[u8]) -> Result<bool, GaveUp> {
        if subject.len() > MAX_SUBJECT_BYTES {
            return Err(GaveUp);
        }
        // SAFETY: compiled code that is alive; no captures are asked for.
        let code =
            unsafe { ngx_regex_exec(self.code.as_ptr(), &mut borrowed(subject), null_mut(), 0) };
        match code {
            0.. => Ok(true),
            code if code == NGX_REGEX_NO_MATCHED as isize => Ok(false),
            _ => Err(GaveUp),
        }
    }
}

/// A pattern that PCRE itself tries at the start of a line only. A field of a header has one line.
fn begins_once(pattern: &[u8]) -> bool {
    let has = |text: &[u8]| pattern.windows(text.len()).any(|window| window == text);
    (pattern.starts_with(b"^") || pattern.starts_with(b".*")) && !has(b"|") && !has(b"(*")
}

fn compile(parts: &[&[u8]]) -> Result<Regex, BadPattern> {
    const POOL_BYTES: usize = 1024;
    let pool = OwnPool::new(POOL_BYTES).ok_or(BadPattern)?;
    // nginx prints the rest of a bad pattern up to a NUL.
    let text = pool.get().copy_str(&[&parts.concat()[..], b"\0"].concat()).ok_or(BadPattern)?;
    let mut why = [0; 256];
    // SAFETY: plain C data, for which zero is valid.
    let mut task: ngx_regex_compile_t = unsafe { std::mem::zeroed() };
    task.pattern = text;
    task.pattern.len -= 1;
    task.pool = pool.get().as_ptr();
    task.err = borrowed(&why);
    task.err.data = why.as_mut_ptr();
    // SAFETY: the pool outlives the code; the message has room of the length that is told.
    let compiled = unsafe { ngx_regex_compile(&mut task) } == OK;
    let code = NonNull::new(task.regex).filter(|_| compiled).ok_or(BadPattern)?;
    Ok(Regex { code, _pool: pool })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_that_may_begin_anywhere_is_none_that_begins_once() {
        for yes in ["^", "^v2$", "^(?!internal).*$", ".*beta", r"^a\*"] {
            assert!(begins_once(yes.as_bytes()), "{yes}");
        }
        for no in ["", "v2", "^a|b", "(?m)^a", "(^a)", r"\^a", ".+a", ".*(*PRUNE)a"] {
            assert!(!begins_once(no.as_bytes()), "{no}");
        }
    }
}
