//! Passwords are verified in threads of nginx's own, a few at a time, and right ones are remembered by the worker for a minute.
//!
//! A worker's requests never wait for each other's passwords: what bcrypt takes, a quarter of a second, no request takes from the
//! event loop. The threads give way to everything else that wants to run.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::time::Instant;

use ngx::ffi::{NGX_LOG_CRIT, ngx_current_msec};
use rand::TryRng;
use rand::rngs::SysRng;
use wick_native::crypt::crypt;
use wick_native::log;
use wick_native::request::Request;
use wick_native::threads::{ThreadPool, give_way};
use wick_native::timer::Timer;
use wick_native::wake::Wake;
use wick_passwords::{
    Attempts, Claim, ClaimHasher, Joined, Limits, Remembered, Share, UserList, is_right,
};

use super::client;

/// What the configuration calls the threads: `thread_pool wick_passwords threads=2;`.
const THREADS: &[u8] = b"wick_passwords";

/// In each worker. More running than there are threads would wait in nginx's queue, where nobody goes ahead of anybody.
const LIMITS: Limits = Limits { running: 2, client: 16, all: 64 };

/// A name and a password that a client sends.
pub struct Question<'q> {
    pub namespace: &'q [u8],
    /// Id of the list.
    pub list: &'q [u8],
    pub users: &'q UserList,
    pub user: &'q [u8],
    pub password: &'q [u8],
}

pub enum Begun {
    /// It was right within the last minute.
    Known,
    Pending(Pending),
    /// The client has too many, or all places are taken and others have no more.
    TooMany,
    /// There is no key, so nothing can be compared.
    Failed,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Right,
    Wrong,
    /// Somebody who has fewer was given its place.
    TooMany,
    /// There are no threads for it.
    NotVerified,
}

/// What a request waits for. It lies in what the request keeps, and goes with it.
pub struct Pending {
    claim: Claim,
    wait: Rc<Wait>,
}

impl Pending {
    /// `None`: it is not known yet. The request is woken when it is.
    pub fn outcome(&self) -> Option<Outcome> {
        self.wait.outcome.get()
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        let waiter = Waiter(Rc::downgrade(&self.wait));
        with_worker(|worker| {
            worker.attempts.leave(self.claim, &waiter);
            worker.stay();
        });
    }
}

struct Wait {
    wake: Rc<Wake>,
    outcome: Cell<Option<Outcome>>,
}

/// How a request is known here: it may be gone.
struct Waiter(Weak<Wait>);

impl PartialEq for Waiter {
    fn eq(&self, other: &Self) -> bool {
        Weak::ptr_eq(&self.0, &other.0)
    }
}

impl Waiter {
    fn tell(&self, outcome: Outcome) {
        if let Some(wait) = self.0.upgrade() {
            wait.outcome.set(Some(outcome));
            wait.wake.soon();
        }
    }
}

/// A claim on its way to a thread and back: all that the thread needs, and nothing of the request's.
struct Job {
    claim: Claim,
    password: Box<[u8]>,
    hash: Box<[u8]>,
    /// There is such a user, whose hash it is. Another one's is verified all the same, and takes as long.
    is_known: bool,
    outcome: Outcome,
    /// Of a thread.
    spent_us: u64,
}

/// What a worker knows of passwords.
struct Worker {
    hasher: ClaimHasher,
    remembered: Remembered,
    attempts: Attempts<Waiter, Job>,
    /// Runs while there are any: a worker that is asked to exit waits for nothing but timers.
    stay: Pin<Box<Timer<()>>>,
}

/// Of the timer, which is set again when that was not enough.
const STAY_MS: u64 = 60_000;

thread_local! {
    /// Made by the worker itself, so that no two have one key. `None`: the kernel has no randomness to give.
    static WORKER: RefCell<Option<Worker>> = const { RefCell::new(None) };
}

fn with_worker<R>(f: impl FnOnce(&mut Worker) -> R) -> Option<R> {
    WORKER.with_borrow_mut(|worker| {
        if worker.is_none() {
            *worker = Worker::new();
        }
        worker.as_mut().map(f)
    })
}

impl Worker {
    fn new() -> Option<Worker> {
        let mut key = [0; 16];
        SysRng.try_fill_bytes(&mut key).ok()?;
        let (hasher, remembered) = (ClaimHasher::new(&key), Remembered::default());
        let (attempts, stay) = (Attempts::new(LIMITS), Timer::that_holds());
        Some(Worker { hasher, remembered, attempts, stay })
    }

    /// While there are attempts, and no longer.
    fn stay(&self) {
        if self.attempts.is_empty() {
            self.stay.cancel();
        } else {
            self.stay.as_ref().set(STAY_MS, |()| stay(), ());
        }
    }

    fn begin(&mut self, r: Request, question: &Question) -> Begun {
        let Question { namespace, list, user, password, .. } = *question;
        let claim = self.hasher.claim(list, user, password);
        if self.remembered.has(claim, now_ms()) {
            return Begun::Known;
        }
        // SAFETY: `Pending` has it, which the request keeps.
        let wake = unsafe { Wake::of(r) };
        let wait = Rc::new(Wait { wake, outcome: Cell::new(None) });
        let waiter = Waiter(Rc::downgrade(&wait));
        let job = || Job::of(claim, question);
        let (namespace, list, client) = (namespace.into(), list.into(), client::number(r));
        match self.attempts.join(claim, &Share { namespace, list, client }, waiter, job) {
            Joined::First(left) => left.iter().for_each(|waiter| waiter.tell(Outcome::TooMany)),
            Joined::Waits => {}
            Joined::TooMany => return Begun::TooMany,
        }
        self.stay();
        Begun::Pending(Pending { claim, wait })
    }

    /// Only what was right is remembered.
    fn finish(&mut self, &Job { claim, outcome, spent_us, .. }: &Job) {
        if outcome == Outcome::Right {
            self.remembered.note(claim, now_ms());
        }
        for waiter in self.attempts.finish(claim, spent_us) {
            waiter.tell(outcome);
        }
        self.stay();
    }
}

/// Asks whether a claim is right, if nobody has lately.
pub fn begin(r: Request, question: &Question) -> Begun {
    let Some(begun) = with_worker(|worker| worker.begin(r, question)) else {
        let line = format_args!("cannot verify passwords: the kernel has no random bytes");
        log::write(r.log(), NGX_LOG_CRIT as usize, line);
        return Begun::Failed;
    };
    if let Begun::Pending(_) = begun {
        run_next();
    }
    begun
}

fn stay() {
    with_worker(|worker| worker.stay());
}

/// Has threads verify what is next, as long as there are free ones.
fn run_next() {
    while let Some((_, job)) = with_worker(|worker| worker.attempts.begin_next()).flatten() {
        let refused = match ThreadPool::named(THREADS) {
            Some(threads) => threads.run(job, verify, finish).err(),
            None => Some(job),
        };
        if let Some(job) = refused {
            let line = format_args!("cannot verify passwords: no thread of \"wick_passwords\"");
            log::write(log::of_cycle(), NGX_LOG_CRIT as usize, line);
            with_worker(|worker| worker.finish(&job));
        }
    }
}

/// In the event loop.
fn finish(job: Job) {
    with_worker(|worker| worker.finish(&job));
    run_next();
}

/// In a thread.
fn verify(job: &mut Job) {
    thread_local! {
        static GIVES_WAY: () = give_way();
    }
    GIVES_WAY.with(|()| {});
    let begun = Instant::now();
    let is_right = is_right(&job.password, &job.hash, &crypt);
    job.outcome = if is_right && job.is_known { Outcome::Right } else { Outcome::Wrong };
    job.spent_us = u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX);
}

impl Job {
    fn of(claim: Claim, question: &Question) -> Job {
        let known = question.users.hash_of(question.user);
        let hash = known.unwrap_or_else(|| question.users.stand_in(question.user));
        Job {
            claim,
            password: question.password.into(),
            hash: hash.into(),
            is_known: known.is_some(),
            outcome: Outcome::NotVerified,
            spent_us: 0,
        }
    }
}

/// Of nginx's clock, which does not go back.
fn now_ms() -> u64 {
    // SAFETY: only this thread, the event loop's, changes it.
    unsafe { ngx_current_msec as u64 }
}
