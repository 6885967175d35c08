//! Basic authentication (RFC 7617): whether a request has the name and password of a user.

use std::cell::OnceCell;
use std::rc::Rc;

use ngx::ffi::{
    NGX_HTTP_INTERNAL_SERVER_ERROR, NGX_HTTP_SERVICE_UNAVAILABLE, NGX_HTTP_TOO_MANY_REQUESTS,
    NGX_LOG_INFO, NGX_LOG_WARN,
};
use wick_access::{Password, RecordError, Refusal, Verdict};
use wick_hosts::ReadOther;
use wick_native::headers::{self, Side};
use wick_native::log;
use wick_native::request::Request;
use wick_native::request::client::Credentials;
use wick_passwords::UserList;

use super::lists::Lists;
use super::quoted::quoted;
use super::verifier::{self, Begun, Outcome, Pending, Question};
use super::wrong_user::complain;

/// Whose password a route asks for.
#[derive(Clone)]
pub struct PasswordCheck {
    users: Rc<UserList>,
    /// Of the list.
    id: Box<[u8]>,
    /// Of the route: its lists share the threads' time.
    namespace: Box<[u8]>,
    /// Value of `WWW-Authenticate`.
    challenge: Box<[u8]>,
}

/// How far the check of one request has come.
pub type Asked = OnceCell<Pending>;

impl PasswordCheck {
    /// # Errors: its list is not there, or cannot be read.
    pub fn of(
        password: &Password,
        namespace: &[u8],
        lists: &Lists,
        others: &mut ReadOther<'_>,
    ) -> Result<PasswordCheck, RecordError> {
        let users = lists.users(&password.users, others)?;
        let challenge = [b"Basic realm=", &*quoted(&password.realm)].concat().into();
        let (id, namespace) = (password.users.clone(), namespace.into());
        Ok(PasswordCheck { users, id, namespace, challenge })
    }

    /// May be called any number of times while it says `Waiting`.
    pub fn ask(&self, r: Request, asked: &Asked) -> Verdict {
        let Ok(credentials) = r.credentials() else { return FAILED };
        let Some(Credentials { user, password }) = credentials else {
            let line = "no user/password was provided for basic authentication";
            log::write(r.log(), NGX_LOG_INFO as usize, format_args!("{line}"));
            return self.refused(r);
        };
        match asked.get() {
            Some(pending) => self.verdict(r, user, pending.outcome()),
            None => self.begin(r, user, password, asked),
        }
    }

    fn begin(&self, r: Request, user: &[u8], password: &[u8], asked: &Asked) -> Verdict {
        let (namespace, list) = (&*self.namespace, &*self.id);
        let question = Question { namespace, list, users: &self.users, user, password };
        match verifier::begin(r, &question) {
            Begun::Known => Verdict::Granted,
            Begun::Pending(pending) => {
                // What was found out at once is known from the next question on.
                let pending = asked.get_or_init(|| pending);
                self.verdict(r, user, pending.outcome())
            }
            Begun::TooMany => too_many(r),
            Begun::Failed => FAILED,
        }
    }

    fn verdict(&self, r: Request, user: &[u8], outcome: Option<Outcome>) -> Verdict {
        // Its place is for those who wait for it.
        r.end_with_client(outcome.is_none());
        match outcome {
            None => Verdict::Waiting,
            Some(Outcome::TooMany) => too_many(r),
            Some(Outcome::Right) => Verdict::Granted,
            Some(Outcome::Wrong) => {
                complain(r, user, &self.users, &self.id);
                self.refused(r)
            }
            Some(Outcome::NotVerified) => Verdict::Failed(NGX_HTTP_SERVICE_UNAVAILABLE as u16),
        }
    }

    fn refused(&self, r: Request) -> Verdict {
        match headers::replace(r, Side::Response, b"WWW-Authenticate", &self.challenge) {
            Ok(()) => Verdict::Refused(Refusal::Unauthorized),
            Err(_) => FAILED,
        }
    }
}

#[cold]
fn too_many(r: Request) -> Verdict {
    let line = format_args!("too many passwords are being verified");
    log::write(r.log(), NGX_LOG_WARN as usize, line);
    Verdict::Failed(NGX_HTTP_TOO_MANY_REQUESTS as u16)
}

const FAILED: Verdict = Verdict::Failed(NGX_HTTP_INTERNAL_SERVER_ERROR as u16);
