//! A finished span as the exporter reads it (docs/tracing.md, "Records"): a head of fixed size, then fields with their lengths.

use crate::context::Context;

/// What the span is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A request of a client.
    Request = 0,
    /// What an authentication service was asked about one.
    Authentication = 1,
    /// Another one that nginx made on its behalf, as a mirror's copy.
    Subrequest = 2,
}

/// Texts that a span may have, by their numbers in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Text {
    Name = 1,
    Method = 2,
    Scheme = 3,
    Host = 4,
    Path = 5,
    Query = 6,
    Protocol = 7,
    UserAgent = 8,
    ClientAddress = 9,
    ClientPort = 10,
    PeerAddress = 11,
    ServerPort = 12,
    Route = 13,
    Namespace = 14,
    Ingress = 15,
    Service = 16,
    Backend = 17,
    Tracestate = 18,
    /// What endpoints are asked by: `http` or `https`.
    UpstreamScheme = 19,
    /// What endpoints are asked for: path and arguments.
    UpstreamTarget = 20,
}

/// The field of an attempt; there is one for each.
const ATTEMPT: u8 = 32;

/// Bytes of a text; the rest is cut off, so that one request cannot fill the ring.
const MAX_TEXT_BYTES: usize = 1024;
/// Attempts that are told of.
const MAX_ATTEMPTS: usize = 16;

/// What every span has.
#[derive(Clone, Copy, Debug)]
pub struct Head<'c> {
    pub kind: Kind,
    pub context: &'c Context,
    pub status: u16,
    /// Since 1970.
    pub start_ms: u64,
    pub duration_ms: u32,
    pub request_bytes: u64,
    pub response_bytes: u64,
}

/// One request to a backend.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'a> {
    pub span: u64,
    /// 0: none came.
    pub status: u16,
    /// Since 1970.
    pub start_ms: u64,
    pub duration_ms: u32,
    /// Until it was connected, and until the head of the answer was read; `None`: that never came.
    pub connect_ms: Option<u32>,
    pub header_ms: Option<u32>,
    pub response_bytes: u64,
    /// `10.0.0.1:80`, or a unix socket.
    pub address: &'a [u8],
}

/// Writes one record.
pub struct SpanWriter<'b> {
    to: &'b mut Vec<u8>,
    attempts: usize,
}

impl<'b> SpanWriter<'b> {
    /// Whatever `to` had is gone.
    pub fn new(to: &'b mut Vec<u8>, head: &Head) -> SpanWriter<'b> {
        to.clear();
        to.extend([1, head.kind as u8]);
        to.extend(head.status.to_le_bytes());
        to.extend(head.duration_ms.to_le_bytes());
        let Context { trace, span, parent, .. } = *head.context;
        for id in [trace.high, trace.low, span, parent] {
            to.extend(id.to_be_bytes());
        }
        for number in [head.start_ms, head.request_bytes, head.response_bytes] {
            to.extend(number.to_le_bytes());
        }
        SpanWriter { to, attempts: 0 }
    }

    /// An empty text is left out.
    pub fn text(&mut self, text: Text, value: &[u8]) {
        if !value.is_empty() {
            self.field(text as u8, &[&value[..value.len().min(MAX_TEXT_BYTES)]]);
        }
    }

    pub fn attempt(&mut self, attempt: &Attempt) {
        self.attempts += 1;
        if self.attempts > MAX_ATTEMPTS {
            return;
        }
        let missing = u32::MAX;
        let mut numbers = Vec::with_capacity(48);
        numbers.extend(attempt.span.to_be_bytes());
        numbers.extend(attempt.start_ms.to_le_bytes());
        numbers.extend(attempt.response_bytes.to_le_bytes());
        numbers.extend(attempt.duration_ms.to_le_bytes());
        numbers.extend(attempt.connect_ms.unwrap_or(missing).to_le_bytes());
        numbers.extend(attempt.header_ms.unwrap_or(missing).to_le_bytes());
        numbers.extend(u32::from(attempt.status).to_le_bytes());
        let address = &attempt.address[..attempt.address.len().min(128)];
        self.field(ATTEMPT, &[&numbers, address]);
    }

    fn field(&mut self, id: u8, parts: &[&[u8]]) {
        let len: usize = parts.iter().map(|part| part.len()).sum();
        self.to.push(id);
        self.to.extend((len as u16).to_le_bytes());
        parts.iter().for_each(|part| self.to.extend(*part));
    }
}
