//! nginx's regular expressions, compiled while it serves, and with an end to what a match may cost.

use std::ptr::{NonNull, null_mut};

use ngx::ffi::{
    NGX_REGEX_CASELESS, NGX_REGEX_NO_MATCHED, ngx_regex_compile, ngx_regex_compile_t,
    ngx_regex_exec, ngx_regex_exec_n, ngx_regex_t,
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPattern {
    /// PCRE's sentence and the place: `missing closing parenthesis at offset 5`.
    pub reason: Box<str>,
}

/// A match that reached one of its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GaveUp;

/// Most steps of one match, and most memory (KiB) for the places that it may have to come back to.
const LIMITS: &[u8] = b"(*LIMIT_MATCH=5000)(*LIMIT_HEAP=4096)";
/// A step may look at the whole rest of a subject, so that what a match costs at most grows with it.
const MOST_SUBJECT_BYTES: usize = 1024;

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
        let alone = compile([LIMITS, b""], pattern, b"", 0)?;
        if begins_once(pattern) {
            return Ok(alone);
        }
        // Compiled alone first: a parenthesis too many must not pair with ours.
        compile([LIMITS, br"\A(?s:.*?)(?:"], pattern, b")", 0)
    }

    /// Compiles the pattern of a route: it matches at the start of a path, without regard to case.
    pub fn compile_route(pattern: &[u8]) -> Result<Regex, BadPattern> {
        compile([LIMITS, b""], pattern, b"", NGX_REGEX_CASELESS)?;
        compile([LIMITS, br"\A(?:"], pattern, b")", NGX_REGEX_CASELESS)
    }

    /// Whether the pattern matches somewhere in `subject`.
    /// # Errors
    /// The subject is longer than 1 KiB, or the match takes too many steps.
    pub fn is_match(&self, subject: &[u8]) -> Result<bool, GaveUp> {
        if subject.len() > MOST_SUBJECT_BYTES {
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

fn compile(
    before: [&[u8]; 2],
    pattern: &[u8],
    behind: &[u8],
    options: u32,
) -> Result<Regex, BadPattern> {
    const POOL_BYTES: usize = 1024;
    let pool = OwnPool::new(POOL_BYTES).ok_or_else(BadPattern::no_memory)?;
    let before = before.concat();
    // nginx prints the rest of a bad pattern up to a NUL.
    let text = [&before, pattern, behind, b"\0"].concat();
    let copy = pool.get().copy_str(&text).ok_or_else(BadPattern::no_memory)?;
    // The message has the text, and the rest of it once more.
    let mut message = vec![0; 256 + 2 * text.len()];
    // SAFETY: plain C data, for which zero is valid.
    let mut task: ngx_regex_compile_t = unsafe { std::mem::zeroed() };
    task.pattern = copy;
    task.pattern.len -= 1;
    task.pool = pool.get().as_ptr();
    task.options = options as _;
    task.err = borrowed(&message);
    task.err.data = message.as_mut_ptr();
    // SAFETY: the pool outlives the code; the message has room of the length that is told.
    let compiled = unsafe { ngx_regex_compile(&mut task) } == OK;
    message.truncate(task.err.len);
    let code = NonNull::new(task.regex).filter(|_| compiled);
    let code = code.ok_or_else(|| BadPattern::new(&message, &before, pattern))?;
    Ok(Regex { code, _pool: pool })
}

impl BadPattern {
    /// nginx's message is `pcre2_compile() failed: SENTENCE in "TEXT"`, and ` at "REST"` if there is any. The text is the
    /// pattern behind what we put before it.
    fn new(message: &[u8], before: &[u8], pattern: &[u8]) -> BadPattern {
        let message = String::from_utf8_lossy(message);
        let message = message.trim_start_matches("pcre2_compile() failed: ");
        let before = String::from_utf8_lossy(before);
        let Some((sentence, text)) = message.split_once(&format!(" in \"{before}")) else {
            return BadPattern { reason: message.into() };
        };
        let pattern = String::from_utf8_lossy(pattern);
        let rest = text.strip_prefix(&*pattern).and_then(|behind| behind.strip_prefix("\" at \""));
        let rest = rest.map_or(0, |rest| rest.len() - 1);
        let offset = pattern.len().saturating_sub(rest);
        BadPattern { reason: format!("{sentence} at offset {offset}").into() }
    }

    fn no_memory() -> BadPattern {
        BadPattern { reason: "there is no memory for it".into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_the_sentence_and_the_place_in_the_pattern() {
        let reason =
            |message: &str| BadPattern::new(message.as_bytes(), b"(*LIMIT)", b"/a(\"b").reason;
        let message = r#"pcre2_compile() failed: missing ) in "(*LIMIT)/a("b""#;
        assert_eq!(&*reason(message), "missing ) at offset 5");
        assert_eq!(&*reason(&format!(r#"{message} at "("b""#)), "missing ) at offset 2");
        assert_eq!(&*reason("no memory"), "no memory");
    }

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
