//! The headers of B3, of one line and of several (openzipkin/b3-propagation). Who sends them may leave it to others whether its trace is recorded.

use crate::context::{Context, Parent};
use crate::hex::number;

/// Whether a trace is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Deny,
    Accept,
    /// Recorded whatever the samplers say; handed on as it came.
    Debug,
}

impl Decision {
    pub fn is_sampled(self) -> bool {
        self != Decision::Deny
    }
}

/// What a client says in them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct B3 {
    /// `None`: the trace begins here.
    pub parent: Option<Parent>,
    /// `None`: nobody has decided yet.
    pub decision: Option<Decision>,
}

/// The headers `X-B3-…`, those that were sent.
#[derive(Clone, Copy, Debug, Default)]
pub struct Several<'r> {
    pub trace: Option<&'r [u8]>,
    pub span: Option<&'r [u8]>,
    pub sampled: Option<&'r [u8]>,
    pub flags: Option<&'r [u8]>,
}

impl B3 {
    /// Of the header `b3`: `TRACE-SPAN`, `TRACE-SPAN-DECISION`, `TRACE-SPAN-DECISION-PARENT`, or the decision alone. `None`: it is none of these.
    pub fn read(value: &[u8]) -> Option<B3> {
        let mut parts = value.split(|byte| *byte == b'-');
        let (first, second) = (parts.next()?, parts.next());
        let Some(span) = second else {
            return Some(B3 { parent: None, decision: Some(decision(first)?) });
        };
        let said = parts.next().map(decision);
        let above = parts.next().map(span_id);
        if said == Some(None) || above == Some(None) || parts.next().is_some() {
            return None;
        }
        B3::of(first, span, said.flatten())
    }

    /// `None`: nothing was sent, or what cannot be used.
    pub fn of_several(sent: Several) -> Option<B3> {
        let decision = match (sent.flags, sent.sampled) {
            (Some(b"1"), _) => Some(Decision::Debug),
            // Both words are of older senders.
            (_, Some(b"1" | b"true")) => Some(Decision::Accept),
            (_, Some(b"0" | b"false")) => Some(Decision::Deny),
            (_, Some(_)) => return None,
            (_, None) => None,
        };
        match (sent.trace, sent.span) {
            (Some(trace), Some(span)) => B3::of(trace, span, decision),
            (None, None) => decision.map(|decision| B3 { parent: None, decision: Some(decision) }),
            _ => None,
        }
    }

    fn of(trace: &[u8], span: &[u8], decision: Option<Decision>) -> Option<B3> {
        let trace = if matches!(trace.len(), 16 | 32) { number(trace)? } else { return None };
        let is_sampled = decision.is_some_and(Decision::is_sampled);
        let parent = Parent::new(trace, span_id(span)?, is_sampled)?;
        Some(B3 { parent: Some(parent), decision })
    }
}

fn decision(text: &[u8]) -> Option<Decision> {
    match text {
        b"0" => Some(Decision::Deny),
        b"1" => Some(Decision::Accept),
        b"d" => Some(Decision::Debug),
        _ => None,
    }
}

fn span_id(text: &[u8]) -> Option<u64> {
    if text.len() == 16 { number(text).map(|id| id as u64) } else { None }
}

/// The bytes of a header `b3` of [`Context::b3`].
pub const B3_BYTES: usize = 32 + 1 + 16 + 1 + 1;

impl Context {
    /// The header of one line, without the parent.
    pub fn b3(&self, is_debug: bool) -> [u8; B3_BYTES] {
        let traceparent = self.traceparent();
        let mut text = [b'-'; B3_BYTES];
        text[..49].copy_from_slice(&traceparent[3..52]);
        text[50] = match (is_debug, self.is_sampled) {
            (true, _) => b'd',
            (false, true) => b'1',
            (false, false) => b'0',
        };
        text
    }
}
