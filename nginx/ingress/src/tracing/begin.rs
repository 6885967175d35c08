//! A request's span begins: what the client says of its trace is read, and the backend is told of the span.

use wick_native::headers::{self, Side, hash, push_request, see_all};
use wick_native::request::Request;
use wick_tracing::{Context, Decision, Parent, is_tracestate};

use super::b3;
use super::conf::{Span, tracing};
use crate::random;

const TRACEPARENT: &[u8] = b"traceparent";
const TRACESTATE: &[u8] = b"tracestate";

/// What a client has sent about its trace.
#[derive(Default)]
struct Sent<'r> {
    /// Of the first `traceparent`.
    parent: Option<&'r [u8]>,
    parents: u32,
    states: u32,
}

/// `name`: of the span, asked for where it is sampled. `None`: out of memory, or the name cannot be made.
#[inline]
pub fn begin<'r>(
    r: Request<'r>,
    begins_trace: bool,
    name: impl FnOnce() -> Option<&'r [u8]>,
) -> Option<()> {
    let Some(tracing) = tracing(r) else { return Some(()) };
    let propagators = tracing.propagators;
    let sent = if propagators.trace_context { sent(r) } else { Sent::default() };
    let is_one = sent.parents == 1 && !begins_trace;
    let parent = sent.parent.filter(|_| is_one).and_then(Parent::read);
    let b3 = (propagators.b3 || propagators.b3_multi).then(|| b3::sent(r));
    // Who sends both means the same by both.
    let said = b3.as_ref().filter(|_| !begins_trace && parent.is_none());
    let said = said.and_then(|b3| b3.read(propagators));
    let decided = match said {
        Some(said) => said.decision.map(Decision::is_sampled),
        None => parent.map(|parent| parent.is_sampled()),
    };
    let from = parent.or(said.and_then(|said| said.parent));
    let random = random::words()?;
    let context = Context::new(from, random, |trace| tracing.sampler.samples(trace, decided));
    let name = if context.is_sampled { name()? } else { b"" };
    let span = tracing.keep(r, Span { context, traceparent: context.traceparent(), name })?;
    if sent.states > 0 {
        clean_state(r, parent.is_some());
    }
    if let Some(sent) = &b3 {
        let is_debug = said.and_then(|said| said.decision) == Some(Decision::Debug);
        b3::tell(r, sent, propagators, span, is_debug && context.is_sampled)?;
    }
    if propagators.trace_context { tell(r, span, sent.parents) } else { Some(()) }
}

#[inline]
fn sent<'r>(r: Request<'r>) -> Sent<'r> {
    let mut sent = Sent::default();
    see_all(r, |header| match header.lower() {
        TRACEPARENT => {
            sent.parents += 1;
            sent.parent = sent.parent.or(Some(header.value()));
        }
        TRACESTATE => sent.states += 1,
        _ => {}
    });
    sent
}

/// A state goes with the context that it was sent with, and only if it is one.
#[cold]
fn clean_state(r: Request, has_parent: bool) {
    let is_state =
        |(name, value): (&'_ [u8], _)| name.eq_ignore_ascii_case(TRACESTATE).then_some(value);
    if !has_parent || !is_tracestate(headers::each(r, Side::Request).filter_map(is_state)) {
        headers::remove(r, Side::Request, TRACESTATE);
    }
}

/// `None`: out of memory.
fn tell(r: Request, span: &Span, sent: u32) -> Option<()> {
    if sent > 1 {
        headers::remove(r, Side::Request, TRACEPARENT);
    }
    if sent != 1 {
        // SAFETY: nginx knows no such header; the span lives as long as the request.
        return unsafe {
            push_request(r, TRACEPARENT, const { hash(TRACEPARENT) }, &span.traceparent)
        };
    }
    see_all(r, |header| {
        if header.lower() == TRACEPARENT {
            // SAFETY: as above.
            unsafe { header.set_value(&span.traceparent) };
        }
    });
    Some(())
}
