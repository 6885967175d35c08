//! One text in the place of another. Source: nginx, `ngx_http_proxy_rewrite_complex_handler` and those beside it.

use std::ops::Range;

use wick_native::request::Request;
use wick_script::level::Replacement;

use super::super::text::Text;
use super::budget::Budget;
use super::sought::{Sought, filled};

pub struct Replacing {
    from: Sought,
    /// The text is all of it, as domains are compared.
    is_domain: bool,
    to: Text,
}

/// What the first of them that fits makes of the text. `None`: out of memory; inside: none fits.
pub fn replace_first(
    all: &[Replacing],
    r: Request,
    text: &[u8],
    budget: &mut Budget,
) -> Option<Option<Vec<u8>>> {
    for one in all {
        if let Some(part) = one.find(r, text, budget)? {
            let Some(to) = filled(&one.to, r, budget)? else { return Some(None) };
            return Some(Some([&text[..part.start], to, &text[part.end..]].concat()));
        }
    }
    Some(None)
}

impl Replacing {
    pub fn of_beginning(of: &Replacement) -> Replacing {
        Replacing { from: Sought::of(&of.from), is_domain: false, to: Text::of(&of.to) }
    }

    pub fn of_domain(of: &Replacement) -> Replacing {
        Replacing { is_domain: true, ..Replacing::of_beginning(of) }
    }

    /// Which part is replaced. `None`: out of memory; inside: it does not fit.
    fn find(&self, r: Request, text: &[u8], budget: &mut Budget) -> Option<Option<Range<usize>>> {
        let wanted = match &self.from {
            Sought::Pattern(pattern) => {
                return Some(pattern.is_match(r, text, budget)?.then_some(0..text.len()));
            }
            Sought::Text(wanted) => filled(wanted, r, budget)?,
        };
        Some(wanted.and_then(|wanted| {
            if self.is_domain { domain(wanted, text) } else { beginning(wanted, text) }
        }))
    }
}

fn beginning(wanted: &[u8], text: &[u8]) -> Option<Range<usize>> {
    text.starts_with(wanted).then_some(0..wanted.len())
}

/// The dot that may stand in front of a domain stays.
fn domain(wanted: &[u8], text: &[u8]) -> Option<Range<usize>> {
    let start = usize::from(text.starts_with(b"."));
    text[start..].eq_ignore_ascii_case(wanted).then_some(start..text.len())
}
