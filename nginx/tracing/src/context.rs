//! The context of a request, and the header `traceparent` (W3C Trace Context, 3.2).

use crate::hex::{digits, number};

/// `00-TRACE-SPAN-FLAGS`: two digits, 32, 16 and two, with dashes.
pub const TRACEPARENT_BYTES: usize = 55;

const IS_SAMPLED: u8 = 1;
/// The trace's id is random (level 2 of the recommendation): handed on as it came.
const IS_RANDOM: u8 = 2;

/// The id of a trace. In words, because memory of nginx's pools is aligned for these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TraceId {
    pub high: u64,
    pub low: u64,
}

impl From<u128> for TraceId {
    fn from(id: u128) -> TraceId {
        TraceId { high: (id >> 64) as u64, low: id as u64 }
    }
}

/// What a client says its request is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parent {
    pub trace: TraceId,
    pub span: u64,
    flags: u8,
}

impl Parent {
    /// `None`: no value that may be used; the trace begins here then.
    pub fn read(value: &[u8]) -> Option<Parent> {
        let (known, rest) = value.split_at_checked(TRACEPARENT_BYTES)?;
        let [v0, v1, b'-', trace @ .., b'-', f0, f1] = known else { return None };
        let (trace, span) = (&trace[..32], &trace[32..]);
        let span = span.strip_prefix(b"-")?;
        let version = number(&[*v0, *v1])?;
        // A later version may have more behind another dash; 255 is none.
        let is_whole = rest.is_empty() || version > 0 && rest[0] == b'-';
        let (trace, span) = (number(trace)?, number(span)? as u64);
        let flags = number(&[*f0, *f1])? as u8;
        let is_one = is_whole && version != 0xff && trace != 0 && span != 0;
        is_one.then_some(Parent { trace: trace.into(), span, flags })
    }

    /// `None`: 0 is no id.
    pub fn new(trace: u128, span: u64, is_sampled: bool) -> Option<Parent> {
        let is_one = trace != 0 && span != 0;
        is_one.then_some(Parent { trace: trace.into(), span, flags: u8::from(is_sampled) })
    }

    pub fn is_sampled(&self) -> bool {
        self.flags & IS_SAMPLED != 0
    }
}

/// What a request is in its trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// Not 0.
    pub trace: TraceId,
    /// Of its own span; not 0.
    pub span: u64,
    /// 0: the trace begins here.
    pub parent: u64,
    pub is_sampled: bool,
    flags: u8,
}

impl Context {
    /// `random`: for the ids; of a trace that goes on only the third word is used.
    #[inline]
    pub fn new(
        parent: Option<Parent>,
        random: [u64; 3],
        samples: impl FnOnce(TraceId) -> bool,
    ) -> Context {
        let [high, low, span] = random;
        // 0 is no id.
        let trace = parent.map_or(TraceId { high, low: low.max(1) }, |parent| parent.trace);
        let is_sampled = samples(trace);
        let kept = parent.map_or(0, |parent| parent.flags & IS_RANDOM);
        Context {
            trace,
            span: span.max(1),
            parent: parent.map_or(0, |parent| parent.span),
            is_sampled,
            flags: kept | u8::from(is_sampled),
        }
    }

    /// Of what happens within it. `random`: for the id.
    pub fn part(&self, random: u64) -> Context {
        Context { span: random.max(1), parent: self.span, ..*self }
    }

    /// The header for the next server.
    #[inline]
    pub fn traceparent(&self) -> [u8; TRACEPARENT_BYTES] {
        let mut text = *b"00-00000000000000000000000000000000-0000000000000000-00";
        let words = [
            (3, (self.trace.high >> 32) as u32),
            (11, self.trace.high as u32),
            (19, (self.trace.low >> 32) as u32),
            (27, self.trace.low as u32),
            (36, (self.span >> 32) as u32),
            (44, self.span as u32),
        ];
        for (at, word) in words {
            text[at..at + 8].copy_from_slice(&digits(word));
        }
        text[54] = b'0' + self.flags;
        text
    }
}
