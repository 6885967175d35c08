//! Copies of requests for further backends, whose answers are dropped.
//!
//! Which of a route's are to get one is drawn when the route is found; they are sent when the body is there, right before the request is passed on
//! itself. A copy is a subrequest with variables of its own, in the location of the request, with all that was changed in that meanwhile. It
//! keeps the client's connection, though not its answer, waiting, and is not given long.

use std::cell::Cell;
use std::ptr::NonNull;
use std::rc::Rc;

use ngx::ffi::{
    NGX_HTTP_INTERNAL_SERVER_ERROR, ngx_http_core_loc_conf_t, ngx_http_core_run_phases,
    ngx_http_phases_NGX_HTTP_PRECONTENT_PHASE, ngx_http_request_t, ngx_int_t,
};
use wick_native::code::DECLINED;
use wick_native::conf::Conf;
use wick_native::guard::guard;
use wick_native::module::ModuleIndex;
use wick_native::phase::add_handler;
use wick_native::request::Request;
use wick_native::variable::Variable;
use wick_native::{bits, body, http_module, subrequest};
use wick_routes::{BackendTls, Mirror, Spread};

use crate::attempts::{self, Attempts};
use crate::literals::Literals;
use crate::random;
use crate::routes::overrides::{LocConfs, Patches, Wanted};

static MODULE: ModuleIndex = ModuleIndex::unset();

http_module! {
    pub static TABLE at MODULE;
    postconfiguration: install,
}

const INTERNAL_ERROR: ngx_int_t = NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t;
/// How long a copy may take.
const COPY_MS: u32 = 5000;

/// A named location.
type Location = NonNull<ngx_http_core_loc_conf_t>;

/// Who gets copies, as a worker keeps them.
pub struct Mirrors(Box<[ReadyMirror]>);

struct ReadyMirror {
    backend: Box<[u8]>,
    /// `None`: the request's.
    location: Option<Location>,
    /// Goes with the location.
    backend_tls: Option<Box<BackendTls>>,
    /// The location's configurations with it in force, once that was needed.
    patched: Cell<Option<LocConfs>>,
    variables: Literals,
    part: (u32, u32),
    spread: Spread,
}

impl Mirrors {
    /// `None`: nobody gets any. `find`: a location by its name; who needs one that is not there gets none.
    pub fn of(all: &[Mirror], find: impl Fn(&[u8]) -> Option<Location>) -> Option<Rc<Mirrors>> {
        let ready = all.iter().filter_map(|one| {
            let location = one.location.as_deref().map(&find);
            (location != Some(None)).then(|| ReadyMirror::new(one, location.flatten()))
        });
        let ready: Box<[_]> = ready.collect();
        (!ready.is_empty()).then(|| Rc::new(Mirrors(ready)))
    }
}

impl ReadyMirror {
    fn new(one: &Mirror, location: Option<Location>) -> ReadyMirror {
        let [start] = random::words().unwrap_or_default();
        ReadyMirror {
            backend: one.backend.clone(),
            location,
            backend_tls: one.backend_tls.clone(),
            patched: Cell::new(None),
            variables: Literals::of(&one.variables),
            part: one.part,
            spread: Spread::new(start),
        }
    }

    /// Makes ready how it is spoken to. False: that cannot be, and it gets no copies.
    fn is_ready(&self, patches: &Patches) -> bool {
        let (Some(location), Some(tls)) = (self.location, self.backend_tls.as_deref()) else {
            return true;
        };
        if self.patched.get().is_none() {
            // SAFETY: a live location, whose configurations are never null.
            let base = unsafe { NonNull::new_unchecked(location.as_ref().loc_conf) };
            let wanted = Wanted { backend_tls: Some(tls), ..Wanted::default() };
            self.patched.set(patches.of(base, wanted).ok());
        }
        self.patched.get().is_some()
    }

    /// Whether it gets this one.
    fn draws(&self) -> bool {
        let (numerator, denominator) = self.part;
        let nth = (u128::from(self.spread.next()) * u128::from(denominator)) >> 64;
        nth < u128::from(numerator)
    }
}

/// What a request has of it.
struct Kept {
    drawn: Box<[(Rc<Mirrors>, usize)]>,
    step: Cell<Step>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    Drawn,
    Reading,
    Read,
    Sent,
}

/// Draws who gets copies of the request. `None`: out of memory.
#[inline(never)] // Most requests have none.
pub fn draw<'m>(
    r: Request,
    all: impl Iterator<Item = &'m Rc<Mirrors>>,
    patches: &Patches,
) -> Option<()> {
    // Nobody would speak to it on the connection that becomes of the request.
    if Variable::resolve(r, b"http_upgrade").get(r).is_some() {
        return Some(());
    }
    let drawn: Box<[_]> = all
        .flat_map(|mirrors| {
            let gets = |one: &ReadyMirror| one.draws() && one.is_ready(patches);
            let drawn = (0..mirrors.0.len()).filter(move |nth| gets(&mirrors.0[*nth]));
            drawn.map(|nth| (mirrors.clone(), nth))
        })
        .collect();
    if drawn.is_empty() {
        return Some(());
    }
    let kept = r.pool().keep(Kept { drawn, step: Cell::new(Step::Drawn) })?;
    // SAFETY: a registered HTTP module.
    unsafe { r.set_ctx(MODULE.get(), kept.as_ptr()) };
    Some(())
}

fn install(conf: Conf) -> Option<()> {
    add_handler(conf, ngx_http_phases_NGX_HTTP_PRECONTENT_PHASE, precontent)
}

fn of<'r>(r: Request<'r>) -> Option<&'r Kept> {
    // SAFETY: what `draw` stored, in the memory of the request.
    unsafe { r.ctx::<Kept>(MODULE.get()).as_ref() }
}

// Most requests have no copies. Theirs go on before anything is set up that only the others need.
unsafe extern "C" fn precontent(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: a phase handler gets a live request.
    let r = unsafe { Request::from_raw(r) };
    of(r).map_or(DECLINED, |kept| go_on(r, kept))
}

#[inline(never)]
fn go_on(r: Request, kept: &Kept) -> ngx_int_t {
    guard(INTERNAL_ERROR, || match kept.step.get() {
        Step::Drawn if r.has_body() => {
            kept.step.set(Step::Reading);
            // SAFETY: called from a phase handler, which returns the result.
            unsafe { body::read(r, Some(body_read)) }
        }
        Step::Drawn | Step::Read => {
            kept.step.set(Step::Sent);
            // A copy that cannot be sent keeps nobody from an answer.
            let _ = kept.drawn.iter().try_for_each(|(mirrors, nth)| send(r, &mirrors.0[*nth]));
            DECLINED
        }
        Step::Reading | Step::Sent => DECLINED,
    })
}

/// The body is there: the phases go on with the handler that asked for it.
unsafe extern "C" fn body_read(r: *mut ngx_http_request_t) {
    // SAFETY: nginx calls this with the live request whose body was asked for.
    guard((), || unsafe {
        let Some(kept) = of(Request::from_raw(r)) else { return };
        kept.step.set(Step::Read);
        bits::request::PRESERVE_BODY.set(r, 1);
        (*r).write_event_handler = Some(ngx_http_core_run_phases);
        ngx_http_core_run_phases(r);
    })
}

/// `None`: out of memory, or too many subrequests.
fn send(r: Request, mirror: &ReadyMirror) -> Option<()> {
    // SAFETY: in a phase handler of the request, whose location and configurations live as long.
    let to = unsafe {
        let to = subrequest::copy_of(r)?;
        let (location, confs) = match mirror.location {
            Some(location) => {
                let patched = mirror.patched.get().map(NonNull::as_ptr);
                (location, patched.unwrap_or(location.as_ref().loc_conf))
            }
            None => (r.core_loc(), (*r.as_ptr()).loc_conf),
        };
        subrequest::enter(to, location, NonNull::new(confs)?);
        to
    };
    for (name, value) in
        [(&b"proxy_upstream_name"[..], &*mirror.backend), (b"proxy_alternative_upstream_name", b"")]
    {
        Variable::resolve(r, name).set(to, value).ok()?;
    }
    mirror.variables.write(to)?;
    attempts::begin(to, &Attempts::within(COPY_MS))
}
