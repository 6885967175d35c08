//! The checks of a route, asked for one request: the one place where they are combined.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::rc::Rc;

use wick_access::{Combination, Satisfy, Verdict};
use wick_native::request::Request;

use super::checks::{Check, Checks};
use super::digest::Proved;
use super::external::Progress;
use super::password::Asked;

/// How far the checks of a request have come. It lives as long as the request: what a check waits for ends with it.
pub struct Asking {
    checks: Rc<Checks>,
    combination: Cell<Combination>,
    /// Index in `Checks::order`.
    next: Cell<usize>,
    external: Progress,
    password: Asked,
    digest: Proved,
}

impl Asking {
    pub fn new(checks: Rc<Checks>) -> Asking {
        let combination = Cell::new(Combination::new(checks.satisfy));
        let (password, digest, external) = (Asked::new(), Proved::new(), Progress::default());
        Asking { checks, combination, next: Cell::new(0), password, digest, external }
    }

    /// Whether a check that lets the request in makes up for others that did not.
    pub fn needs_one_only(&self) -> bool {
        self.checks.satisfy == Satisfy::Any
    }

    /// Whether the client's credentials are for us, not for the backend.
    pub fn takes_credentials(&self) -> bool {
        self.checks.takes_credentials
    }

    /// Who has proved to be a user by Digest authentication, of which nginx knows nothing.
    pub fn user(&self) -> Option<&[u8]> {
        self.digest.get().map(|user| &**user)
    }

    /// Asks one check after the other until the verdict is clear. `Waiting`: to be called again, from the check that waits on;
    /// any number of times.
    pub fn ask(&self, r: Request) -> Verdict {
        let verdict = self.combined(r);
        if verdict == Verdict::Granted
            && let Some(external) = &self.checks.external
            && !self.external.has_decided()
        {
            external.strip(r);
        }
        verdict
    }

    fn combined(&self, r: Request) -> Verdict {
        while let Some(check) = self.checks.order.get(self.next.get()) {
            let mut combination = self.combination.get();
            if let ControlFlow::Break(verdict) = combination.add(self.verdict(*check, r)) {
                return verdict;
            }
            self.combination.set(combination);
            self.next.set(self.next.get() + 1);
        }
        self.combination.get().verdict()
    }

    fn verdict(&self, check: Check, r: Request) -> Verdict {
        match check {
            Check::Address => self.checks.address(r),
            Check::Geo => self.checks.geo(r),
            Check::Password => match &self.checks.basic {
                Some(check) => check.ask(r, &self.password),
                None => Verdict::Undecided,
            },
            Check::Digest => match &self.checks.digest {
                Some(check) => check.ask(r, &self.digest),
                None => Verdict::Undecided,
            },
            Check::External => match &self.checks.external {
                Some(external) => external.ask(r, &self.external),
                None => Verdict::Undecided,
            },
        }
    }
}
