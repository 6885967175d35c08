//! Templates of levels, filled in for a request: as they are, bytes that a header cannot have included.

use wick_native::headers::is_field_value;
use wick_native::log;
use wick_native::request::Request;
use wick_routes::{Piece, Template};

use ngx::ffi::NGX_LOG_INFO;

use crate::template::Prepared;

pub struct Text {
    template: Template,
    prepared: Prepared,
    /// What it is for every request, and may stand in a header.
    constant: Option<Box<[u8]>>,
}

impl Text {
    pub fn of(template: &Template) -> Text {
        let constant = constant(template).filter(|text| is_field_value(text));
        Text { template: template.clone(), prepared: Prepared::default(), constant }
    }

    /// What it is for every request, if that may stand in a header.
    pub fn constant(&self) -> Option<&[u8]> {
        self.constant.as_deref()
    }

    /// `None`: it would be too long, or memory is out.
    #[inline]
    pub fn value<'r>(&'r self, r: Request<'r>) -> Option<&'r [u8]> {
        if let Some(constant) = &self.constant {
            return Some(constant);
        }
        self.prepared.value(&self.template, r, |n| r.capture(n))
    }

    /// What may stand in a header; the inner `None` is what could end its line early, of which the log tells.
    #[inline]
    pub fn header_value<'r>(&'r self, r: Request<'r>) -> Option<Option<&'r [u8]>> {
        if let Some(constant) = &self.constant {
            return Some(Some(constant));
        }
        let value = self.value(r)?;
        Some(if is_field_value(value) { Some(value) } else { refuse(r) })
    }
}

/// `None`: it hangs on the request.
fn constant(template: &Template) -> Option<Box<[u8]>> {
    let text = template.pieces().map(|piece| match piece {
        Piece::Text(text) => Some(text),
        Piece::Variable(_) | Piece::Group(_) => None,
    });
    Some(text.collect::<Option<Vec<_>>>()?.concat().into())
}

#[cold]
fn refuse<'r>(r: Request) -> Option<&'r [u8]> {
    let line = format_args!("A header's value has control characters: it is not set");
    log::write(r.log(), NGX_LOG_INFO as usize, line);
    None
}
