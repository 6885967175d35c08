//! Why attempts failed.

/// What was wrong with an attempt. The discriminant is the place of its counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// No connection: refused, unreachable.
    Connect,
    /// No connection in time.
    ConnectTimeout,
    /// The connection broke before there was an answer, or the answer was none.
    Error,
    /// No answer in time.
    Timeout,
    /// An answer with a status that asks for another attempt, or says that the backend failed.
    Status,
}

pub const CAUSES: [Cause; 5] =
    [Cause::Connect, Cause::ConnectTimeout, Cause::Error, Cause::Timeout, Cause::Status];

impl Cause {
    /// The label.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Connect => "connect",
            Cause::ConnectTimeout => "connect_timeout",
            Cause::Error => "error",
            Cause::Timeout => "timeout",
            Cause::Status => "status",
        }
    }

    /// Of an attempt that failed. `timed_out`: its status is 504.
    pub fn of(was_connected: bool, had_header: bool, timed_out: bool) -> Cause {
        match (was_connected, had_header, timed_out) {
            (_, true, _) => Cause::Status,
            (false, false, false) => Cause::Connect,
            (false, false, true) => Cause::ConnectTimeout,
            (true, false, false) => Cause::Error,
            (true, false, true) => Cause::Timeout,
        }
    }
}
