//! `wick_expand`: the request's variables in a text.

use std::borrow::Cow;

use wick_abi::Status;
use wick_native::request::Request;

use super::state::Host;
use super::templates::Part;

/// Keeps a template that names large variables many times from filling the filter's memory.
const MAX_BYTES: usize = 64 << 10;

/// The text for the request at hand: a single variable's own value, or put together in the host's scratch.
/// # Errors
/// BAD_ARGUMENT outside of a request and for a template that is too long or that nginx would refuse;
/// INTERNAL_FAILURE for a text that is too long.
pub fn expand<'r>(
    host: &mut Host,
    r: Option<Request<'r>>,
    template: &[u8],
) -> Result<Cow<'r, [u8]>, Status> {
    let r = r.ok_or(Status::BadArgument)?;
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

const TOO_LONG: Result<Cow<'static, [u8]>, Status> = Err(Status::InternalFailure);
