//! What the protocol of a subject knows of its connections to endpoints.

use super::timeouts::Timeouts;
use crate::subject::Subject;

pub trait Transport {
    /// Whether the attempt at hand uses TLS.
    fn is_tls(&self, subject: Subject) -> bool;

    /// Those in force.
    fn timeouts(&self, subject: Subject) -> Timeouts;

    /// What nginx measured in the attempt that just ended.
    fn measured(&self, subject: Subject, what: Fact) -> Option<usize>;
}

/// What `upstream.*` properties tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    Address,
    Status,
    ConnectTime,
    HeaderTime,
    ResponseTime,
}

impl Fact {
    pub fn named(name: &[u8]) -> Option<Fact> {
        Some(match name {
            b"address" => Fact::Address,
            b"status" => Fact::Status,
            b"connect_time" => Fact::ConnectTime,
            b"header_time" => Fact::HeaderTime,
            b"response_time" => Fact::ResponseTime,
            _ => return None,
        })
    }
}
