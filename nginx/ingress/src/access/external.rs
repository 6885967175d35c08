//! The check of an authentication service: nginx makes a request of its own, in the named location of the service and for its
//! backend, and the client's waits. Only a whole answer of that service decides: what nginx makes of an error is none.

mod ambiguous;
mod answer;
mod cookies;
mod escaped_uri;
mod filters;
mod headers;
mod kept;
mod question;
mod service;
mod texts;

use std::cell::{Cell, OnceCell};
use std::ptr::NonNull;
use std::rc::Rc;

use ngx::ffi::NGX_LOG_ERR;
use wick_access::{ExternalAuth, Key, Refusal, ServiceAnswer, Verdict};
use wick_native::conf::Conf;
use wick_native::log;
use wick_native::request::Request;
use wick_tls::BackendTls;

pub use self::kept::TABLE as KEPT;
use self::kept::{Kept, Turn, Waiter};
use self::question::{Outcome, Question};
use self::service::Service;
pub use self::service::{LocConfs, Location};
use crate::script::effects::auth_variables;

const ERROR: Verdict = Verdict::Failed(500);
const FOUND: Verdict = Verdict::Failed(302);

/// The check of a route.
pub struct External(Service);

/// What a request has of it. It lives as long as the request.
#[derive(Default)]
pub struct Progress {
    question: Cell<Option<NonNull<Question>>>,
    /// Under which its answer may be kept.
    key: Cell<Option<Key>>,
    turn: Cell<Option<Turn>>,
    /// It has waited for another one, or does.
    waiter: OnceCell<Rc<Waiter>>,
    has_decided: Cell<bool>,
}

/// What is to be done for an answer.
enum Step {
    Say(Verdict),
    Wait,
    Ask,
}

/// Declares `$escaped_request_uri`, which addresses of services and of their log-in pages name.
pub fn declare(conf: Conf) -> Option<()> {
    escaped_uri::declare(conf)
}

/// Has answers of services end here.
pub fn install() {
    filters::install();
}

impl External {
    /// `route`: what tells it apart from all others.
    pub fn new(asked: Rc<ExternalAuth>, location: Location, route: Vec<u8>) -> External {
        External(Service::new(asked, location, route))
    }

    pub fn location(&self) -> Location {
        self.0.location
    }

    /// How the service is spoken to; `None`: as the location has it.
    pub fn backend_tls(&self) -> Option<&BackendTls> {
        self.0.asked.backend_tls.as_deref()
    }

    /// With what the location is entered; to be there before the first request is asked.
    pub fn confs(&self) -> &Cell<Option<LocConfs>> {
        &self.0.confs
    }

    /// Asks the service, at the first call, unless what it says is known; then what it says.
    pub fn ask(&self, r: Request, progress: &Progress) -> Verdict {
        if let Some(question) = progress.question() {
            return self.heard(r, question, progress);
        }
        match self.step(r, progress) {
            None => ERROR,
            Some(Step::Wait) => Verdict::Waiting,
            Some(Step::Say(verdict)) => verdict,
            Some(Step::Ask) => {
                let Some(question) = question::begin(&self.0, r) else { return ERROR };
                progress.question.set(Some(question));
                Verdict::Waiting
            }
        }
    }

    /// `None`: the key becomes too long, or memory is out.
    fn step(&self, r: Request, progress: &Progress) -> Option<Step> {
        let (Some(template), Some(kept)) = (&self.0.asked.cache_key, Kept::of(r)) else {
            return Some(Step::Ask);
        };
        // What is kept has not all of the answer.
        if auth_variables(r).is_some() {
            return Some(Step::Ask);
        }
        if progress.waiter.get().is_some_and(|waiter| !waiter.is_over()) {
            return Some(Step::Wait);
        }
        if ambiguous::is_ambiguous(template, r) {
            return Some(Step::Ask);
        }
        let key = kept.with_scratch(|text| {
            self.0.texts.cache_key.fill_key(template, r, text)?;
            Some(self.0.key(kept, text))
        })?;
        progress.key.set(Some(key));
        if let Some(verdict) = self.known(r, kept, key, progress) {
            return Some(Step::Say(verdict));
        }
        // Who has waited in vain asks, with all that have.
        if progress.waiter.get().is_none() {
            match kept.turn(key) {
                Some(turn) => progress.turn.set(Some(turn)),
                None => {
                    progress.waiter.get_or_init(|| kept.wait(key, r));
                    return Some(Step::Wait);
                }
            }
        }
        Some(Step::Ask)
    }

    /// What comes of the answer that is kept; `None`: none is.
    fn known(&self, r: Request, kept: &Kept, key: Key, progress: &Progress) -> Option<Verdict> {
        kept.with_scratch(|bytes| {
            kept.find(key, bytes).then(|| {
                let answer = ServiceAnswer::read(bytes, self.0.asked.response_headers.len());
                answer.and_then(|answer| self.judge(r, &answer, progress)).unwrap_or(ERROR)
            })
        })
    }

    /// Whether the service has answered, and what comes of it.
    fn heard(&self, r: Request, question: &Question, progress: &Progress) -> Verdict {
        let verdict = match question.outcome() {
            Outcome::Waiting => return Verdict::Waiting,
            Outcome::Answered(status) if self.0.asked.is_filter => {
                self.judge_filter(r, question, status, progress).unwrap_or(ERROR)
            }
            Outcome::Answered(status) => {
                let answer = answer::of(question, status, &self.0.asked.response_headers);
                self.keep(r, question, &answer, progress);
                let left = cookies::leave(r, question, self.0.asked.always_sets_cookie);
                left.and_then(|()| set_variables(r, question))
                    .and_then(|()| self.judge(r, &answer, progress))
                    .unwrap_or(ERROR)
            }
            Outcome::Failed => {
                self.complain(r, format_args!("it gave no whole answer"));
                ERROR
            }
        };
        // Those that wait for this one go on.
        drop(progress.turn.take());
        verdict
    }

    fn keep(&self, r: Request, question: &Question, answer: &ServiceAnswer, progress: &Progress) {
        if let (Some(key), Some(kept)) = (progress.key.get(), Kept::of(r))
            && let Some(seconds) = answer::freshness(question, answer.status, &self.0.asked)
        {
            kept.keep(key, seconds, &answer.write());
        }
    }

    /// Leaves nothing in the request that only the service may say; for one that gets in without it being asked.
    pub fn strip(&self, r: Request) {
        self.0.strip(r);
    }

    /// `None`: out of memory, or the answer cannot be carried out.
    fn judge(&self, r: Request, answer: &ServiceAnswer, progress: &Progress) -> Option<Verdict> {
        progress.has_decided.set(true);
        match answer.status {
            200..=299 => {
                answer::pass_on(r, &self.0, answer)?;
                Some(Verdict::Granted)
            }
            401 => match &self.0.asked.signin {
                Some(signin) => {
                    let to = self.0.texts.signin.fill(signin, r)?;
                    answer::lead(r, to).map(|()| FOUND)
                }
                None => {
                    answer::challenge(r, answer)?;
                    Some(Verdict::Refused(Refusal::Unauthorized))
                }
            },
            403 => Some(Verdict::Refused(Refusal::Forbidden)),
            status => {
                // The words of nginx's own module, which tools look for in the log.
                let line = format_args!("auth request unexpected status: {status}");
                log::write(r.log(), NGX_LOG_ERR as usize, line);
                Some(ERROR)
            }
        }
    }

    /// Nothing but 200 lets a request in. `None`: as of `judge`.
    fn judge_filter(
        &self,
        r: Request,
        question: &Question,
        status: u16,
        progress: &Progress,
    ) -> Option<Verdict> {
        progress.has_decided.set(true);
        let names = &self.0.asked.response_headers;
        let answer = answer::of(question, status, names);
        Some(match status {
            200 if names.is_empty() => {
                answer::pass_on_all(r, question)?;
                Verdict::Granted
            }
            200 => {
                answer::pass_on(r, &self.0, &answer)?;
                Verdict::Granted
            }
            401 => {
                answer::challenge(r, &answer)?;
                Verdict::Refused(Refusal::Unauthorized)
            }
            _ => Verdict::Refused(Refusal::Forbidden),
        })
    }

    #[cold]
    fn complain(&self, r: Request, why: std::fmt::Arguments<'_>) {
        let backend = self.0.asked.backend.escape_ascii();
        let line = format_args!("Cannot ask the authentication service \"{backend}\": {why}");
        log::write(r.log(), NGX_LOG_ERR as usize, line);
    }
}

/// `None`: out of memory, or a value is too long.
fn set_variables(r: Request, question: &Question) -> Option<()> {
    auth_variables(r).map_or(Some(()), |variables| variables.set(r, question.request()))
}

impl Progress {
    fn question(&self) -> Option<&Question> {
        // SAFETY: it lies in the request's pool, as `self` does.
        self.question.get().map(|question| unsafe { question.as_ref() })
    }

    /// It was for the service to say whether the request gets in.
    pub fn has_decided(&self) -> bool {
        self.has_decided.get()
    }
}
