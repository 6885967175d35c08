//! What became of requests that a web application firewall was to look at.

/// The discriminant is the place of its counter. Rules stop requests in one of the phases that ModSecurity counts from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Rules have looked, and did not stop it.
    Passed,
    RequestHeaders,
    RequestBody,
    ResponseHeaders,
    ResponseBody,
    /// No rules could look, and it was refused.
    Closed,
    /// No rules could look, and it was let in.
    Unseen,
}

pub const OUTCOMES: [Outcome; 7] = [
    Outcome::Passed,
    Outcome::RequestHeaders,
    Outcome::RequestBody,
    Outcome::ResponseHeaders,
    Outcome::ResponseBody,
    Outcome::Closed,
    Outcome::Unseen,
];

impl Outcome {
    /// The label.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Passed => "passed",
            Outcome::RequestHeaders => "stopped_phase_1",
            Outcome::RequestBody => "stopped_phase_2",
            Outcome::ResponseHeaders => "stopped_phase_3",
            Outcome::ResponseBody => "stopped_phase_4",
            Outcome::Closed => "closed",
            Outcome::Unseen => "unseen",
        }
    }
}
