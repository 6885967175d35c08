//! The check of an authentication service: nginx makes a request of its own, in the named location of the service and for its
//! backend, and the client's waits. Only a whole answer of that service decides: what nginx makes of an error is none.

mod answer;
mod cookies;
mod escaped_uri;
mod filters;
mod headers;
mod question;
mod texts;

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::NonNull;
use std::rc::Rc;

use ngx::ffi::{NGX_LOG_ERR, ngx_http_core_loc_conf_t};
use wick_access::{ExternalAuth, Refusal, Verdict};
use wick_native::conf::Conf;
use wick_native::headers::remove_alike;
use wick_native::log;
use wick_native::request::Request;

use self::question::{Outcome, Question};
use self::texts::Texts;

/// The policy's named location.
pub type Location = NonNull<ngx_http_core_loc_conf_t>;
/// Its configurations, or a copy with a route's numbers.
pub type LocConfs = NonNull<*mut c_void>;

const ERROR: Verdict = Verdict::Failed(500);
const FOUND: Verdict = Verdict::Failed(302);

/// The service that a route's clients have to convince.
pub struct External {
    asked: Rc<ExternalAuth>,
    texts: Texts,
    location: Location,
    /// `None` until the first request.
    confs: Cell<Option<LocConfs>>,
}

/// What a request has of it. It lives as long as the request.
#[derive(Default)]
pub struct Progress(Cell<Option<NonNull<Question>>>);

/// Declares `$escaped_request_uri`, which addresses of services and of their log-in pages name.
pub fn declare(conf: Conf) -> Option<()> {
    escaped_uri::declare(conf)
}

/// Has answers of services end here.
pub fn install() {
    filters::install();
}

impl External {
    pub fn new(asked: Rc<ExternalAuth>, location: Location) -> External {
        External { texts: Texts::default(), asked, location, confs: Cell::new(None) }
    }

    pub fn location(&self) -> Location {
        self.location
    }

    /// With what the location is entered; to be there before the first request is asked.
    pub fn confs(&self) -> &Cell<Option<LocConfs>> {
        &self.confs
    }

    /// Asks the service, at the first call; then what it says.
    pub fn ask(&self, r: Request, progress: &Progress) -> Verdict {
        let Some(question) = progress.question() else {
            let Some(question) = self.begin(r) else { return ERROR };
            progress.0.set(Some(question));
            return Verdict::Waiting;
        };
        match question.outcome() {
            Outcome::Waiting => Verdict::Waiting,
            Outcome::Answered(status) => {
                let always = self.asked.always_sets_cookie;
                let left = cookies::leave(r, question, always);
                left.and_then(|()| self.judge(r, question, status)).unwrap_or(ERROR)
            }
            Outcome::Failed => {
                self.complain(r, format_args!("it gave no whole answer"));
                ERROR
            }
        }
    }

    /// Leaves nothing in the request that only the service may say; for one that gets in without it being asked.
    pub fn strip(&self, r: Request) {
        self.asked.response_headers.iter().for_each(|name| remove_alike(r, name));
    }

    /// `None`: out of memory, or the answer cannot be carried out.
    fn judge(&self, r: Request, question: &Question, status: u16) -> Option<Verdict> {
        match status {
            200..=299 => {
                answer::pass_on(r, question, &self.asked.response_headers)?;
                Some(Verdict::Granted)
            }
            401 => match &self.asked.signin {
                Some(signin) => {
                    let to = self.texts.signin.fill(signin, r)?;
                    answer::lead(r, to).map(|()| FOUND)
                }
                None => {
                    answer::challenge(r, question)?;
                    Some(Verdict::Refused(Refusal::Unauthorized))
                }
            },
            403 => Some(Verdict::Refused(Refusal::Forbidden)),
            _ => {
                // The words of nginx's own module, which tools look for in the log.
                let line = format_args!("auth request unexpected status: {status}");
                log::write(r.log(), NGX_LOG_ERR as usize, line);
                Some(ERROR)
            }
        }
    }

    #[cold]
    fn complain(&self, r: Request, why: std::fmt::Arguments<'_>) {
        let backend = self.asked.backend.escape_ascii();
        let line = format_args!("Cannot ask the authentication service \"{backend}\": {why}");
        log::write(r.log(), NGX_LOG_ERR as usize, line);
    }
}

impl Progress {
    fn question(&self) -> Option<&Question> {
        // SAFETY: it lies in the request's pool, as `self` does.
        self.0.get().map(|question| unsafe { question.as_ref() })
    }

    pub fn has_asked(&self) -> bool {
        self.0.get().is_some()
    }
}
