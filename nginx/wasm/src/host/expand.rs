//! `wick_expand`: the request's variables in a text, or the session's.

use std::borrow::Cow;

use wick_abi::Status;
use wick_abi::template::{self, Piece};
use wick_native::request::Request;
use wick_native::stream::session::Session;
use wick_native::stream::variable;

use super::state::Host;
use super::templates::Part;
use crate::subject::{Kind, Subject};

/// Keeps a template that names large variables many times from filling the filter's memory.
const MAX_BYTES: usize = 64 << 10;

/// The text for the request or session at hand: a single variable's own value, or put together in the host's scratch.
/// # Errors
/// BAD_ARGUMENT where there is neither, for a template that is too long or that nginx would refuse, and for one of which a session has
/// nothing; INTERNAL_FAILURE for a text that is too long.
#[inline]
pub fn expand<'r>(
    host: &mut Host,
    subject: Option<Subject<'r>>,
    template: &[u8],
) -> Result<Cow<'r, [u8]>, Status> {
    match subject.ok_or(Status::BadArgument)?.kind() {
        Kind::Request(r) => of_request(host, r, template),
        Kind::Session(s) => of_session(s, template).map(Cow::Owned),
    }
}

fn of_request<'r>(
    host: &mut Host,
    r: Request<'r>,
    template: &[u8],
) -> Result<Cow<'r, [u8]>, Status> {
    let parts = host.templates.parts(r, template).ok_or(Status::BadArgument)?;
    if let [Part::Variable(variable)] = parts {
        let value = variable.get(r).unwrap_or_default();
        return if value.len() > MAX_BYTES { TOO_LONG } else { Ok(Cow::Borrowed(value)) };
    }
    let mut text = std::mem::take(&mut host.scratch);
    text.clear();
    for part in parts {
        text.extend_from_slice(part.value(r));
        if text.len() > MAX_BYTES {
            host.reuse(text);
            return TOO_LONG;
        }
    }
    Ok(Cow::Owned(text))
}

/// Sessions begin seldom enough that templates are read anew for each. Most of a request's variables they do not have: an empty text
/// would make all of them one.
#[cold]
fn of_session(s: Session<'_>, template: &[u8]) -> Result<Vec<u8>, Status> {
    let mut text = Vec::new();
    for piece in template::parse(template).map_err(|_| Status::BadArgument)? {
        match piece {
            Piece::Text(part) => text.extend_from_slice(part),
            Piece::Variable(name) => {
                let name = name.to_ascii_lowercase();
                text.extend_from_slice(variable::named(s, &name).unwrap_or_default());
            }
            Piece::Capture(_) => {}
        }
    }
    match text.len() {
        0 => Err(Status::BadArgument),
        1..=MAX_BYTES => Ok(text),
        _ => Err(Status::InternalFailure),
    }
}

const TOO_LONG: Result<Cow<'static, [u8]>, Status> = Err(Status::InternalFailure);
