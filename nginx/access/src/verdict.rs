//! What a check says of a request, and what several say together.

use std::ops::ControlFlow::{self, Break, Continue};

/// What one check says, or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Granted,
    Refused(Refusal),
    /// The check has nothing to say about this request: no rule of it fits.
    Undecided,
    /// The check cannot tell yet, and wants to be asked again.
    Waiting,
    /// The check could not be carried out: nobody gets in, and the answer has this status.
    Failed(u16),
}

/// The later one counts for more: a client that may say who it is, is asked to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Refusal {
    /// 403
    Forbidden,
    /// 401
    Unauthorized,
}

/// How many kinds of checks have to let a request in. Source: nginx, `satisfy`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Satisfy {
    #[default]
    All,
    Any,
}

/// Combines the checks of a route, which are asked one after the other, as nginx does with the handlers of its access phase.
#[derive(Clone, Copy, Debug)]
pub struct Combination {
    satisfy: Satisfy,
    so_far: Verdict,
}

impl Combination {
    pub fn new(satisfy: Satisfy) -> Self {
        Combination { satisfy, so_far: Verdict::Undecided }
    }

    /// Takes what the next check says. `Break`: no other check is asked now, because the verdict is clear, or because this one
    /// waits; what it says when it is asked again is what counts.
    #[inline]
    pub fn add(&mut self, verdict: Verdict) -> ControlFlow<Verdict> {
        match (self.satisfy, verdict) {
            (_, Verdict::Undecided) => {}
            (_, Verdict::Failed(_) | Verdict::Waiting)
            | (Satisfy::All, Verdict::Refused(_))
            | (Satisfy::Any, Verdict::Granted) => return Break(verdict),
            (Satisfy::All, Verdict::Granted) => self.so_far = verdict,
            (Satisfy::Any, Verdict::Refused(refusal)) => self.so_far = worse(self.so_far, refusal),
        }
        Continue(())
    }

    /// What all checks say, once each was asked. `Undecided` when none has anything to say: nothing keeps the request out.
    #[inline]
    pub fn verdict(self) -> Verdict {
        self.so_far
    }
}

fn worse(so_far: Verdict, refusal: Refusal) -> Verdict {
    match so_far {
        Verdict::Refused(before) => Verdict::Refused(before.max(refusal)),
        _ => Verdict::Refused(refusal),
    }
}
