//! One subject's use of an upstream: what was tried, who serves the attempt at hand, what it may take.

use std::cell::Cell;
use std::ptr::NonNull;

use wick_abi::attempt::{Chosen, MAX_TAGS};

use super::choice::Choice;
use super::target::Target;
use super::timeouts::Timeouts;
use super::transport::{Fact, Transport};
use crate::clock::Stopwatch;
use crate::conf::chain::Chain;
use crate::conf::upstream::Upstream;
use crate::environment::counted::Counted;
use crate::subject::Subject;

pub struct Peer<'r> {
    pub subject: Subject<'r>,
    pub chain: &'r Chain,
    pub upstream: &'r Upstream,
    transport: &'static dyn Transport,
    attempts: Cell<u32>,
    pub serving: Cell<Serving>,
    /// What filters (and the fallback) chose so far, the latest first.
    choices: Cell<Option<NonNull<Choice>>>,
    /// Whether the newest of them belongs to the attempt at hand.
    chosen: Cell<bool>,
    /// What a filter wants the timeouts of the attempt at hand cut to, until that is done.
    pub timeouts: Cell<Option<Timeouts>>,
    /// Runs while the filter that chose wants to know this attempt's times.
    pub stopwatch: Stopwatch,
    /// What the backend's policy noted of its latest choice, and whether it wants to hear how that ends.
    pub policy_note: Cell<u64>,
    pub policy_wants: Cell<bool>,
}

/// Who chose the peer of the attempt at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Serving {
    /// The filter at this place of the chain.
    Filter {
        at: usize,
    },
    Fallback,
    Original,
}

impl<'r> Peer<'r> {
    pub fn new(
        subject: Subject<'r>,
        chain: &'r Chain,
        upstream: &'r Upstream,
        transport: &'static dyn Transport,
    ) -> Peer<'r> {
        Peer {
            subject,
            chain,
            upstream,
            transport,
            attempts: Cell::new(0),
            serving: Cell::new(Serving::Original),
            choices: Cell::new(None),
            chosen: Cell::new(false),
            timeouts: Cell::new(None),
            stopwatch: Stopwatch::default(),
            policy_note: Cell::new(0),
            policy_wants: Cell::new(false),
        }
    }

    /// As if nothing was tried.
    #[cfg(feature = "measure")]
    pub fn rewind(&self) {
        self.attempts.set(0);
        self.choices.set(None);
    }

    /// The next attempt begins: nobody serves it yet.
    #[inline]
    pub fn begin(&self) {
        self.chosen.set(false);
        self.serving.set(Serving::Original);
        self.timeouts.set(None);
        self.stopwatch.stop();
    }

    /// The attempt at hand has its peer, or gets none.
    #[inline]
    pub fn count(&self) {
        self.attempts.set(self.attempts.get() + 1);
    }

    /// Notes `target` as this attempt's peer.
    pub fn choose(&self, target: &Target) -> Option<()> {
        let choice = Choice::put(self.subject.pool(), target, self.choices.get())?;
        self.choices.set(Some(choice));
        self.chosen.set(true);
        Some(())
    }

    /// What was chosen for the attempt at hand is not used.
    pub fn unchoose(&self) {
        self.chosen.set(false);
    }

    #[inline]
    pub fn is_chosen(&self) -> bool {
        self.chosen.get()
    }

    /// The peer of the attempt at hand, if a filter or the fallback chose it, for nginx to connect to.
    #[inline]
    pub fn chosen(&self) -> Option<NonNull<Choice>> {
        self.choices.get().filter(|_| self.chosen.get())
    }

    /// The same, to be looked at.
    pub fn choice(&self) -> Option<&Choice> {
        // SAFETY: choices live as long as the subject.
        self.chosen().map(|choice| unsafe { choice.as_ref() })
    }

    /// Keeps what the filter said of its choice.
    pub fn keep(&self, said: Chosen) {
        if let Some(choice) = self.choices.get() {
            // SAFETY: a choice of this subject; no reference to it is held here.
            unsafe { (*choice.as_ptr()).said = said };
        }
    }

    /// Keeps what the filter added to a gauge, if it chose the peer of the attempt at hand.
    pub fn keep_counted(&self, counted: Counted) {
        if let Some(choice) = self.chosen() {
            // SAFETY: as above. Out of memory, nothing is taken back.
            unsafe { (*choice.as_ptr()).counted = self.subject.pool().put(counted) };
        }
    }

    /// What the filter added to a gauge for the attempt at hand.
    pub fn counted(&self) -> Option<Counted> {
        // SAFETY: in the subject's pool.
        self.choice()?.counted.map(|counted| unsafe { *counted.as_ref() })
    }

    /// The choices of earlier attempts, the latest first.
    pub fn earlier(&self) -> impl Iterator<Item = &Choice> {
        let latest = self.choices.get();
        // SAFETY: choices live as long as the subject.
        std::iter::successors(latest.map(|c| unsafe { c.as_ref() }), |choice| {
            // SAFETY: as above.
            choice.previous.map(|previous| unsafe { previous.as_ref() })
        })
    }

    /// Number of the attempt at hand in select, from 0.
    pub fn attempt(&self) -> u32 {
        self.attempts.get()
    }

    /// What the upstream's `key=` says of this subject.
    #[inline]
    pub fn key(&self) -> Option<&'r [u8]> {
        self.subject.variable(self.upstream.key?)
    }

    /// Tags of earlier attempts, latest last.
    #[inline]
    pub fn earlier_tags<'a>(&self, tags: &'a mut [u32; MAX_TAGS]) -> &'a [u32] {
        let mut n = 0;
        for (place, choice) in tags.iter_mut().rev().zip(self.earlier()) {
            *place = choice.said.tag;
            n += 1;
        }
        &tags[MAX_TAGS - n..]
    }

    /// The filter's note of the latest attempt, 0 before the first.
    #[inline]
    pub fn latest_note(&self) -> u64 {
        self.earlier().next().map_or(0, |choice| choice.said.note)
    }

    pub fn is_tls(&self) -> bool {
        self.transport.is_tls(self.subject)
    }

    /// Those of the attempt at hand.
    pub fn timeouts(&self) -> Timeouts {
        let now = self.transport.timeouts(self.subject);
        self.timeouts.get().map_or(now, |wanted| now.shortened(wanted))
    }

    /// What nginx measured in the attempt that just ended.
    pub fn fact(&self, fact: Fact) -> Option<Vec<u8>> {
        if fact == Fact::Address {
            return self.choice().map(|choice| choice.name().to_vec());
        }
        let value = self.transport.measured(self.subject, fact)?;
        let set = value != usize::MAX && (fact != Fact::Status || value != 0);
        set.then(|| value.to_string().into_bytes())
    }
}
