//! Claims that are being verified, or wait for that: each once, however many requests make it.
//!
//! Namespaces have equal parts of the threads' time, within them lists, and within those clients, as long as they have something to
//! verify. When all places are taken the largest gives one back, so nobody is kept out by others who bring more.

use std::collections::HashMap;
use std::hash::Hash;

use crate::claim::Claim;
use crate::shares::Shares;

/// How many there may be at a time.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Verified at once.
    pub running: usize,
    /// Waiting and running, of one client in one list, and of all.
    pub client: usize,
    pub all: usize,
}

/// Whose time it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    pub namespace: Box<[u8]>,
    /// Id of the user list.
    pub list: Box<[u8]>,
    /// Of an address, or of a network whose addresses are one client.
    pub client: u128,
}

type List = (Box<[u8]>, Box<[u8]>);

impl Share {
    fn list(&self) -> List {
        (self.namespace.clone(), self.list.clone())
    }
}

/// Waiters are what the owner knows requests by, a job is what it needs to verify a claim.
pub struct Attempts<W, J> {
    limits: Limits,
    attempts: Vec<Attempt<W, J>>,
    /// How many have been begun.
    begun: u64,
    namespaces: Shares<Box<[u8]>>,
    lists: Shares<List>,
}

struct Attempt<W, J> {
    claim: Claim,
    share: Share,
    /// The smallest of its list is next.
    turn: u64,
    /// `None`: it is being verified.
    job: Option<J>,
    waiters: Vec<W>,
}

/// What became of a request's claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Joined<W> {
    /// The first request with it: the claim is to be verified when its turn comes. These gave their place back for it.
    First(Vec<W>),
    /// It is known already.
    Waits,
    TooMany,
}

impl<W: PartialEq, J> Attempts<W, J> {
    pub fn new(limits: Limits) -> Attempts<W, J> {
        let (namespaces, lists) = (Shares::default(), Shares::default());
        Attempts { limits, attempts: Vec::new(), begun: 0, namespaces, lists }
    }

    pub fn is_empty(&self) -> bool {
        self.attempts.is_empty()
    }

    pub fn join(
        &mut self,
        claim: Claim,
        share: &Share,
        waiter: W,
        job: impl FnOnce() -> J,
    ) -> Joined<W> {
        if let Some(attempt) = self.attempts.iter_mut().find(|attempt| attempt.claim == claim) {
            attempt.waiters.push(waiter);
            return Joined::Waits;
        }
        let before = self.attempts.iter().filter(|attempt| attempt.share == *share).count();
        if before >= self.limits.client {
            return Joined::TooMany;
        }
        let mut left = Vec::new();
        if self.attempts.len() >= self.limits.all {
            let Some(at) = self.largest_but(share) else { return Joined::TooMany };
            left = self.attempts.remove(at).waiters;
        }
        self.enter(share);
        // A client with few before it goes ahead of one with many.
        let (turn, share) = (self.begun + before as u64, share.clone());
        let (job, waiters) = (Some(job()), vec![waiter]);
        self.attempts.push(Attempt { claim, share, turn, job, waiters });
        Joined::First(left)
    }

    /// The claim to verify now, if fewer run than may. It runs from now on.
    pub fn begin_next(&mut self) -> Option<(Claim, J)> {
        if self.running(|_| true) >= self.limits.running {
            return None;
        }
        let waiting = self.attempts.iter().enumerate().filter(|(_, attempt)| attempt.job.is_some());
        let (at, _) = waiting.min_by_key(|(_, attempt)| self.order(attempt))?;
        self.begun += 1;
        let attempt = &mut self.attempts[at];
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

    /// A claim has been verified, which took so long. Returns who waited for it.
    pub fn finish(&mut self, claim: Claim, spent_us: u64) -> Vec<W> {
        let Some(at) = self.place(claim) else { return Vec::new() };
        let Attempt { share, waiters, .. } = self.attempts.remove(at);
        self.namespaces.charge(&share.namespace, spent_us);
        self.lists.charge(&share.list(), spent_us);
        waiters
    }

    /// What runs is not charged yet: who has nothing running goes first.
    fn order(&self, Attempt { share, turn, .. }: &Attempt<W, J>) -> impl Ord + use<W, J> {
        let namespace = self.running(|other| other.namespace == share.namespace);
        let list = self.running(|other| other.list() == share.list());
        let client = self.running(|other| other == share);
        let spent = (self.namespaces.of(&share.namespace), self.lists.of(&share.list()));
        (namespace, spent.0, list, spent.1, client, *turn)
    }

    fn running(&self, is_of: impl Fn(&Share) -> bool) -> usize {
        let running = self.attempts.iter().filter(|attempt| attempt.job.is_none());
        running.filter(|attempt| is_of(&attempt.share)).count()
    }

    fn enter(&mut self, share: &Share) {
        let known = || self.attempts.iter().map(|attempt| &attempt.share);
        if known().all(|other| other.namespace != share.namespace) {
            self.namespaces.enter(&share.namespace, known().map(|other| &other.namespace));
        }
        let siblings = known().filter(|other| other.namespace == share.namespace);
        let siblings = siblings.map(Share::list).collect::<Vec<_>>();
        if !siblings.contains(&share.list()) {
            self.lists.enter(&share.list(), siblings.iter());
        }
    }

    /// Which one gives its place back: the last one of those who have most, if they keep more than the new one gets.
    fn largest_but(&self, share: &Share) -> Option<usize> {
        let waiting = (0..self.attempts.len()).filter(|at| self.attempts[*at].job.is_some());
        let of = |at: &usize| &self.attempts[*at].share;
        let all = waiting.collect::<Vec<_>>();
        let (namespace, is_own) = largest(&all, |at| &of(at).namespace, Some(&share.namespace))?;
        let (list, is_own) = largest(&namespace, |at| &of(at).list, is_own.then_some(&share.list))?;
        let (client, is_own) =
            largest(&list, |at| &of(at).client, is_own.then_some(&share.client))?;
        let last = client.into_iter().max_by_key(|at| self.attempts[*at].turn);
        last.filter(|_| !is_own)
    }

    fn place(&self, claim: Claim) -> Option<usize> {
        self.attempts.iter().position(|attempt| attempt.claim == claim)
    }
}

/// The part of `all` that has most, or the own one where that has as many, and whether it is that. `None`: there is no such part.
fn largest<'k, K: Eq + Hash + Ord + 'k>(
    all: &[usize],
    key: impl Fn(&usize) -> &'k K,
    own: Option<&K>,
) -> Option<(Vec<usize>, bool)> {
    let mut counts = HashMap::<&K, usize>::new();
    all.iter().for_each(|at| *counts.entry(key(at)).or_default() += 1);
    let (largest, most) = counts.iter().max_by_key(|(key, count)| (**count, *key))?;
    let has = own.map(|own| counts.get(own).copied().unwrap_or(0));
    let (wanted, is_own) = match (own, has) {
        (Some(own), Some(has)) if *most < has + 2 => (own, true),
        _ => (*largest, false),
    };
    let part = all.iter().copied().filter(|at| key(at) == wanted).collect::<Vec<_>>();
    (!part.is_empty()).then_some((part, is_own))
}
