//! Claims that are being verified, or wait for that: each once, however many requests make it.

use std::net::IpAddr;

use crate::claim::Claim;

/// How many there may be at a time.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Verified at once.
    pub running: usize,
    /// Waiting and running, of one client address, of one list, and of all.
    pub client: usize,
    pub list: usize,
    pub all: usize,
}

/// Waiters are what the owner knows requests by, a job is what it needs to verify a claim.
pub struct Attempts<W, J> {
    limits: Limits,
    attempts: Vec<Attempt<W, J>>,
    /// How many have been begun.
    begun: u64,
}

struct Attempt<W, J> {
    claim: Claim,
    client: Option<IpAddr>,
    list: Box<[u8]>,
    /// The smallest is next.
    turn: u64,
    /// `None`: it is being verified.
    job: Option<J>,
    waiters: Vec<W>,
}

/// What became of a request's claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joined {
    /// The first request with it: the claim is to be verified when its turn comes.
    First,
    /// It is known already.
    Waits,
    TooMany,
}

impl<W: PartialEq, J> Attempts<W, J> {
    pub fn new(limits: Limits) -> Attempts<W, J> {
        Attempts { limits, attempts: Vec::new(), begun: 0 }
    }

    pub fn is_empty(&self) -> bool {
        self.attempts.is_empty()
    }

    /// `client` is `None` on unix sockets: they are all one.
    pub fn join(
        &mut self,
        claim: Claim,
        client: Option<IpAddr>,
        list: &[u8],
        waiter: W,
        job: impl FnOnce() -> J,
    ) -> Joined {
        if let Some(attempt) = self.attempts.iter_mut().find(|attempt| attempt.claim == claim) {
            attempt.waiters.push(waiter);
            return Joined::Waits;
        }
        let count = |test: &dyn Fn(&Attempt<W, J>) -> bool| {
            self.attempts.iter().filter(|attempt| test(attempt)).count()
        };
        let of_client = count(&|attempt| attempt.client == client);
        let of_list = count(&|attempt| *attempt.list == *list);
        let Limits { client: max_client, list: max_list, all, .. } = self.limits;
        if of_client >= max_client || of_list >= max_list || self.attempts.len() >= all {
            return Joined::TooMany;
        }
        // Whoever has few before it goes ahead of who has many: an attack on one list does not keep the users of others waiting.
        let turn = self.begun + (of_client + of_list) as u64;
        let (list, job, waiters) = (list.into(), Some(job()), vec![waiter]);
        self.attempts.push(Attempt { claim, client, list, turn, job, waiters });
        Joined::First
    }

    /// The claim to verify now, if fewer run than may. It runs from now on.
    pub fn begin_next(&mut self) -> Option<(Claim, J)> {
        let running = self.attempts.iter().filter(|attempt| attempt.job.is_none()).count();
        if running >= self.limits.running {
            return None;
        }
        let waiting = self.attempts.iter_mut().filter(|attempt| attempt.job.is_some());
        let attempt = waiting.min_by_key(|attempt| attempt.turn)?;
        self.begun += 1;
        attempt.job.take().map(|job| (attempt.claim, job))
    }

    /// A request is gone. What nobody waits for any more is not begun.
    pub fn leave(&mut self, claim: Claim, waiter: &W) {
        let Some(at) = self.place(claim) else { return };
        let attempt = &mut self.attempts[at];
        attempt.waiters.retain(|other| other != waiter);
        if attempt.waiters.is_empty() && attempt.job.is_some() {
            self.attempts.remove(at);
        }
    }

    /// A claim has been verified. Returns who waited for it.
    pub fn finish(&mut self, claim: Claim) -> Vec<W> {
        self.place(claim).map(|at| self.attempts.remove(at).waiters).unwrap_or_default()
    }

    fn place(&self, claim: Claim) -> Option<usize> {
        self.attempts.iter().position(|attempt| attempt.claim == claim)
    }
}
