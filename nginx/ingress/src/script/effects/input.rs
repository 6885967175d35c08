//! `more_set_input_headers` and `more_clear_input_headers`: the request's own headers, changed at the end of the rewrite phase, for all who come behind:
//! checks of the route, variables and backends.
//!
//! What was decided already stays: the host that is requested, where the message ends, what the connection is for, and how often the request was
//! passed on. Who the client is (the address, its certificate) no header says any more.

use wick_native::headers::{OwnName, Side, is_alike, remove, remove_if};
use wick_native::request::Request;
use wick_native::text::bytes;
use wick_script::Level;
use wick_script::level::{InputHeader, InputOp};

use super::text::Text;
use crate::loops::is_count;

pub struct Input(Box<[Change]>);

struct Change {
    /// Empty: any.
    types: Box<[Box<[u8]>]>,
    action: Action,
}

enum Action {
    Set {
        name: OwnName,
        value: Text,
        only_present: bool,
    },
    Clear(Box<[u8]>),
    /// Of all names that begin so.
    ClearBeginning(Box<[u8]>),
}

/// Names that no snippet changes, in any spelling that a backend may take for them.
const DECIDED: [&[u8]; 12] = [
    b"connection",
    b"content-length",
    b"expect",
    b"host",
    b"http2-settings",
    b"keep-alive",
    b"proxy",
    b"proxy-connection",
    b"te",
    b"trailer",
    b"transfer-encoding",
    b"upgrade",
];

fn is_decided(name: &[u8]) -> bool {
    const CERTIFICATE: &[u8] = b"ssl-client-";
    let is_of_certificate =
        name.get(..CERTIFICATE.len()).is_some_and(|start| is_alike(start, CERTIFICATE));
    is_of_certificate || is_count(name) || DECIDED.iter().any(|decided| is_alike(name, decided))
}

impl Input {
    /// `None`: nothing is said of them that may be.
    pub fn of(level: &Level) -> Option<Input> {
        let changes: Box<[_]> = level.input_headers.iter().filter_map(Change::of).collect();
        (!changes.is_empty()).then_some(Input(changes))
    }

    /// `None`: out of memory, or a value is too long.
    ///
    /// # Safety
    /// It lives as long as the request.
    pub unsafe fn change(&self, r: Request) -> Option<()> {
        // SAFETY: the caller's promise.
        self.0.iter().try_for_each(|change| unsafe { change.make(r) })?;
        // Who sent it is read again where that was read before.
        r.forget_user();
        Some(())
    }
}

impl Change {
    fn of(header: &InputHeader) -> Option<Change> {
        Some(Change { types: header.types.clone(), action: Action::of(header)? })
    }

    /// # Safety
    /// It lives as long as the request.
    unsafe fn make(&self, r: Request) -> Option<()> {
        // As headers-more, which compares what the client has sent as it stands.
        let has_type =
            || own_type(r).is_some_and(|own| self.types.iter().any(|wanted| **wanted == *own));
        if self.types.is_empty() || has_type() {
            // SAFETY: the caller's promise.
            unsafe { self.action.make(r)? };
        }
        Some(())
    }
}

/// The content type of the request.
fn own_type<'r>(r: Request<'r>) -> Option<&'r [u8]> {
    // SAFETY: a live request; its headers live as long.
    unsafe { (*r.as_ptr()).headers_in.content_type.as_ref().map(|header| bytes(header.value)) }
}

impl Action {
    fn of(header: &InputHeader) -> Option<Action> {
        let name = &*header.name;
        let beginning = name.strip_suffix(b"*").filter(|_| header.op == InputOp::Clear);
        if beginning.is_none() && is_decided(name) {
            return None;
        }
        Some(match (header.op, beginning) {
            (InputOp::Set { only_present }, _) => Action::Set {
                name: OwnName::new(name)?,
                value: Text::of(&header.value),
                only_present,
            },
            (InputOp::Clear, Some(beginning)) => Action::ClearBeginning(beginning.into()),
            (InputOp::Clear, None) => Action::Clear(name.into()),
        })
    }

    /// # Safety
    /// It lives as long as the request.
    unsafe fn make(&self, r: Request) -> Option<()> {
        match self {
            Action::Clear(name) => remove(r, Side::Request, name),
            Action::ClearBeginning(name) => remove_if(r, |own| {
                let start = own.get(..name.len());
                start.is_some_and(|start| start.eq_ignore_ascii_case(name)) && !is_decided(own)
            }),
            Action::Set { name, value, only_present } => match value.header_value(r)? {
                Some(b"") => name.remove(r),
                // SAFETY: the caller's promise; the value lives as long, and was looked at.
                Some(value) if !only_present || name.is_there(r) => unsafe { name.set(r, value)? },
                _ => {}
            },
        }
        Some(())
    }
}
