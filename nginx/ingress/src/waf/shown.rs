//! What rules say, in a line of the log.

use std::fmt;

/// A line that a client had a hand in: it stays one, and no terminal does what it says.
pub fn shown(line: &[u8]) -> impl fmt::Display {
    Shown(String::from_utf8_lossy(line).into_owned())
}

struct Shown(String);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            c if c.is_control() => write!(f, "\\x{:02x}", u32::from(c)),
            c => write!(f, "{c}"),
        })
    }
}
