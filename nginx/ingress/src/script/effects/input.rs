//! `more_set_input_headers` and `more_clear_input_headers`: the request's own headers, changed at the end of the rewrite phase, for all who come behind:
//! checks of the route, variables and backends.
//!
//! What was decided already stays: the host that is requested, where the message ends, what the connection is for, and how often the request was
//! passed on. Who the client is (the address, its certificate) no header says any more.

use wick_native::headers::{Side, get, is_alike, remove, remove_if, replace};
use wick_native::request::Request;
use wick_script::Level;
use wick_script::level::{InputHeader, InputOp};

use super::text::Text;
use crate::loops::is_count;

pub struct Input(Box<[Change]>);

struct Change {
    /// Of what is cleared, without the `*` at its end.
    name: Box<[u8]>,
    action: Action,
}

enum Action {
    Set { value: Text, only_present: bool },
    Clear,
    ClearBeginning,
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
    pub fn change(&self, r: Request) -> Option<()> {
        self.0.iter().try_for_each(|change| change.make(r))?;
        // Who sent it is read again where that was read before.
        r.forget_user();
        Some(())
    }
}

impl Change {
    fn of(header: &InputHeader) -> Option<Change> {
        let name = &*header.name;
        let beginning = name.strip_suffix(b"*").filter(|_| header.op == InputOp::Clear);
        if beginning.is_none() && is_decided(name) {
            return None;
        }
        let action = match header.op {
            InputOp::Set { only_present } => {
                Action::Set { value: Text::of(&header.value), only_present }
            }
            InputOp::Clear if beginning.is_some() => Action::ClearBeginning,
            InputOp::Clear => Action::Clear,
        };
        Some(Change { name: beginning.unwrap_or(name).into(), action })
    }

    fn make(&self, r: Request) -> Option<()> {
        let name = &*self.name;
        match &self.action {
            Action::Clear => remove(r, Side::Request, name),
            Action::ClearBeginning => remove_if(r, |own| {
                let start = own.get(..name.len());
                start.is_some_and(|start| start.eq_ignore_ascii_case(name)) && !is_decided(own)
            }),
            Action::Set { value, only_present } => {
                let value = value.header_value(r)?;
                match value {
                    Some(b"") => remove(r, Side::Request, name),
                    Some(value) if !only_present || get(r, Side::Request, name).is_some() => {
                        replace(r, Side::Request, name, value).ok()?;
                    }
                    _ => {}
                }
            }
        }
        Some(())
    }
}
