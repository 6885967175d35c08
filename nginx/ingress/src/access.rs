//! Who gets in: the access phase of requests whose route has checks.
//!
//! A module of its own, because its handler comes long after the route was found ([`crate::routes`]), which leaves the checks
//! with the request. A request without any passes: of a route that has none, or one that nginx has redirected inside,
//! to an error page for instance.

mod asking;
mod checks;
mod client;
mod digest;
mod external;
mod index;
mod lists;
mod nonces;
mod password;
mod proof;
mod quoted;
mod verifier;
mod wrong_user;

use std::rc::Rc;

use ngx::ffi::{
    NGX_HTTP_FORBIDDEN, NGX_HTTP_INTERNAL_SERVER_ERROR, NGX_HTTP_UNAUTHORIZED, NGX_LOG_ERR,
    ngx_http_phases_NGX_HTTP_ACCESS_PHASE, ngx_http_request_t, ngx_int_t,
};
use wick_access::{Refusal, Verdict};
use wick_native::code::{AGAIN, DECLINED, OK};
use wick_native::conf::Conf;
use wick_native::guard::guard;
use wick_native::headers::{self, Side};
use wick_native::phase::add_handler;
use wick_native::request::Request;
use wick_native::{http_module, log};

use self::asking::Asking;
pub use self::checks::Checks;
pub use self::client::TABLE as CLIENTS;
pub use self::external::KEPT;
use self::index::MODULE;
pub use self::lists::Lists;
pub use self::nonces::TABLE as NONCES;

http_module! {
    pub static TABLE at MODULE;
    preconfiguration: external::declare,
    postconfiguration: install,
}

fn install(conf: Conf) -> Option<()> {
    external::install();
    add_handler(conf, ngx_http_phases_NGX_HTTP_ACCESS_PHASE, access)
}

/// Has the request checked when it gets to the access phase. `None`: out of memory.
pub fn keep(r: Request, checks: &Rc<Checks>) -> Option<()> {
    // The address is known since the head was read: who is in all of a route's lists needs nothing kept.
    if checks.are_addresses_only() && !matches!(checks.address(r), Verdict::Refused(_)) {
        return Some(());
    }
    begin(r, checks.clone())
}

/// Has only the password checked that the request brings, if it brings one and the route asks for one, and its service asked if
/// that is wanted: it is explained, not served. `None`: out of memory.
#[cold]
pub fn keep_explained(r: Request, checks: &Checks, asks_service: bool) -> Option<()> {
    let has_password = matches!(r.credentials(), Ok(Some(_)));
    let asked = checks.explained(has_password, asks_service);
    asked.map_or(Some(()), |asked| begin(r, Rc::new(asked)))
}

fn begin(r: Request, checks: Rc<Checks>) -> Option<()> {
    let asking = r.pool().keep(Asking::new(checks))?;
    // SAFETY: a registered HTTP module.
    unsafe { r.set_ctx(MODULE.get(), asking.as_ptr()) };
    Some(())
}

// Most requests have no checks. Theirs go on before anything is set up that only the others need. nginx calls for the
// requests of clients only, not for subrequests.
unsafe extern "C" fn access(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: handlers get live requests; the type is what `keep` stored.
    let (r, asking) = unsafe {
        let r = Request::from_raw(r);
        (r, r.ctx::<Asking>(MODULE.get()).as_ref())
    };
    asking.map_or(DECLINED, |asking| check(r, asking))
}

/// The answer is for nginx, which calls again while checks wait, and whose own checks of the location come afterwards.
#[inline(never)]
fn check(r: Request, asking: &Asking) -> ngx_int_t {
    guard(NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t, || match asking.ask(r) {
        Verdict::Granted => granted(r, asking),
        Verdict::Undecided => DECLINED,
        Verdict::Waiting => AGAIN,
        Verdict::Refused(Refusal::Forbidden) => forbidden(r),
        Verdict::Refused(Refusal::Unauthorized) => NGX_HTTP_UNAUTHORIZED as ngx_int_t,
        Verdict::Failed(status) => status as ngx_int_t,
    })
}

/// With `satisfy any` a check may have asked for a password before another one let the request in.
fn granted(r: Request, asking: &Asking) -> ngx_int_t {
    if asking.needs_one_only() {
        headers::remove(r, Side::Response, b"WWW-Authenticate");
    }
    if asking.takes_credentials() && headers::hide_authorization(r).is_none() {
        return NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t;
    }
    if let Some(user) = asking.user()
        && asking.takes_credentials()
        && headers::name_user(r, user).is_none()
    {
        return NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t;
    }
    OK
}

/// The words of nginx's own module, which tools look for in the log.
fn forbidden(r: Request) -> ngx_int_t {
    log::write(r.log(), NGX_LOG_ERR as usize, format_args!("access forbidden by rule"));
    NGX_HTTP_FORBIDDEN as ngx_int_t
}
