//! One step of a script as it was posted.

/// A directive of the rewrite module. Texts are bytes; values are templates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Directive<'a> {
    /// `name`: without `$`.
    Set {
        name: &'a [u8],
        value: &'a [u8],
    },
    /// `skip`: how many of the following steps are its body; `level`: which of the script's is in force when it holds.
    If {
        value: &'a [u8],
        test: Test<'a>,
        skip: u16,
        level: Option<u8>,
    },
    /// `value`: the replacement, without the `?` at its end that `drops_args` stands for.
    Rewrite {
        pattern: &'a [u8],
        value: &'a [u8],
        flag: Flag,
        drops_args: bool,
    },
    /// `value`: the body, or of a redirect's code the address.
    Return {
        code: u16,
        value: Option<&'a [u8]>,
    },
    Break,
}

/// What an `if` asks of its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test<'a> {
    /// Neither empty nor `0`.
    Filled,
    Equal(&'a [u8]),
    Unequal(&'a [u8]),
    Match {
        pattern: &'a [u8],
        any_case: bool,
    },
    Mismatch {
        pattern: &'a [u8],
        any_case: bool,
    },
}

/// How a request goes on that was rewritten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Flag {
    /// With the next step.
    #[default]
    None,
    Last,
    Break,
    /// 302
    Redirect,
    /// 301
    Permanent,
}

/// Whether nginx leads a client elsewhere that gets this code.
pub fn is_redirect(code: u16) -> bool {
    matches!(code, 301 | 302 | 303 | 307 | 308)
}
