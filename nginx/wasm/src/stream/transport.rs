//! What nginx's upstream of a session says of its connection.

use wick_native::stream::session::Session;

use crate::attempts::timeouts::Timeouts;
use crate::attempts::transport::{Fact, Transport};
use crate::subject::Subject;

pub static STREAM: Stream = Stream;

pub struct Stream;

impl Transport for Stream {
    /// What passes is not ours to see.
    fn is_tls(&self, _: Subject) -> bool {
        false
    }

    /// nginx keeps them to itself.
    fn timeouts(&self, _: Subject) -> Timeouts {
        Timeouts::default()
    }

    fn measured(&self, subject: Subject, what: Fact) -> Option<usize> {
        of(subject.session()?, what)
    }
}

fn of(session: Session<'_>, what: Fact) -> Option<usize> {
    // SAFETY: the live session's upstream; its state is null before the first attempt.
    let state = unsafe { session.upstream()?.as_ref().state.as_ref()? };
    match what {
        Fact::Address | Fact::Status => None,
        Fact::ConnectTime => Some(state.connect_time),
        Fact::HeaderTime => Some(state.first_byte_time),
        Fact::ResponseTime => Some(state.response_time),
    }
}
