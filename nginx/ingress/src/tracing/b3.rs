//! B3 headers of a request: what its client says in them, and what the backend is told.

use wick_native::headers::{self, Side, hash, push_request, see_all};
use wick_native::request::Request;
use wick_tracing::{B3, Several};

use super::conf::{Propagators, Span};

const SINGLE: &[u8] = b"b3";
const TRACE: &[u8] = b"x-b3-traceid";
const SPAN: &[u8] = b"x-b3-spanid";
const SAMPLED: &[u8] = b"x-b3-sampled";
const FLAGS: &[u8] = b"x-b3-flags";
const PARENT: &[u8] = b"x-b3-parentspanid";

const NAMES: [&[u8]; 6] = [SINGLE, TRACE, SPAN, SAMPLED, FLAGS, PARENT];

/// What a client has sent, by the places of `NAMES`.
#[derive(Default)]
pub struct Sent<'r> {
    values: [Option<&'r [u8]>; NAMES.len()],
    /// Some header came twice: nobody knows which one was meant.
    is_unclear: bool,
}

pub fn sent<'r>(r: Request<'r>) -> Sent<'r> {
    let mut sent = Sent::default();
    see_all(r, |header| {
        let Some(at) = NAMES.iter().position(|name| header.lower() == *name) else { return };
        sent.is_unclear |= sent.values[at].is_some();
        sent.values[at] = Some(header.value());
    });
    sent
}

impl Sent<'_> {
    /// `None`: nothing that may be used.
    pub fn read(&self, propagators: Propagators) -> Option<B3> {
        if self.is_unclear {
            return None;
        }
        let [single, trace, span, sampled, flags, _] = self.values;
        let one = single.filter(|_| propagators.b3).and_then(B3::read);
        one.or_else(|| {
            let several = Several { trace, span, sampled, flags };
            if propagators.b3_multi { B3::of_several(several) } else { None }
        })
    }
}

/// In the place of all that the client has sent, of both forms: the backend is not to find another trace in the one that is not wanted here.
/// `None`: out of memory.
pub fn tell(
    r: Request,
    sent: &Sent,
    propagators: Propagators,
    span: &Span,
    is_debug: bool,
) -> Option<()> {
    for (name, _) in NAMES.iter().zip(sent.values).filter(|(_, value)| value.is_some()) {
        headers::remove(r, Side::Request, name);
    }
    let add = |name, hash, value| {
        // SAFETY: nginx knows no such header; the values live as long as the request.
        unsafe { push_request(r, name, hash, value) }
    };
    if propagators.b3 {
        add(SINGLE, const { hash(SINGLE) }, r.pool().copy(&span.context.b3(is_debug))?)?;
    }
    if !propagators.b3_multi {
        return Some(());
    }
    add(TRACE, const { hash(TRACE) }, span.trace())?;
    add(SPAN, const { hash(SPAN) }, span.id())?;
    // A request to be recorded in any case says nothing else (the specification, "Debug Flag").
    if is_debug {
        add(FLAGS, const { hash(FLAGS) }, b"1")
    } else {
        add(SAMPLED, const { hash(SAMPLED) }, if span.context.is_sampled { b"1" } else { b"0" })
    }
}
