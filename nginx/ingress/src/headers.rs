//! Response headers: those of the configuration, and those that the request's route brings along.
//!
//! A module of its own, because its filter stands where headers are complete, behind `add_header` and before
//! compression, while the handler of routes comes first of all.

use std::ffi::c_void;
use std::rc::Rc;

use ngx::ffi::{
    NGX_CONF_NOARGS, NGX_CONF_TAKE1, NGX_CONF_TAKE2, NGX_CONF_TAKE3, NGX_HTTP_MAIN_CONF,
    NGX_LOG_INFO, ngx_http_request_t, ngx_int_t,
};
use wick_native::bits;
use wick_native::code::ERROR;
use wick_native::complex::Complex;
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf};
use wick_native::filter::HeaderFilter;
use wick_native::guard::guard;
use wick_native::headers::{Replacing, is_field_value, is_framing};
use wick_native::module::ModuleIndex;
use wick_native::request::Request;
use wick_native::{http_module, log};
use wick_routes::{Actions, Cors, Header, Route};

use crate::cors;
use crate::script::effects::{self, Effects};

static MODULE: ModuleIndex = ModuleIndex::unset();

http_module! {
    pub static TABLE at MODULE;
    directives {
        "ingress_set_header": NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE2 | NGX_CONF_TAKE3, main_conf => set;
        "ingress_clear_header": NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE1, main_conf => set;
        "ingress_only_their_server": NGX_HTTP_MAIN_CONF | NGX_CONF_NOARGS, main_conf => only_theirs;
    }
    main_conf: MainConf,
    postconfiguration: install,
}

#[derive(Default)]
struct MainConf {
    /// In the order of their directives.
    settings: Vec<Setting>,
    /// `Server`, where a backend that says none gets none; they are whose server it is.
    server: Option<Replacing>,
    /// Of requests whose route has none, and whose level has some.
    none: RouteHeaders,
}

impl MainConf {
    fn is_empty(&self) -> bool {
        self.settings.is_empty() && self.server.is_none()
    }
}

struct Setting {
    header: Replacing,
    /// `None`: the header is removed.
    value: Option<Complex>,
    /// Responses on connections without TLS stay as they are.
    is_tls_only: bool,
}

/// The headers of a route, in order; requests share them, because the record may be replaced while they run.
#[derive(Default)]
pub struct RouteHeaders {
    own: Box<[Own]>,
    /// Come last, and depend on the request.
    cors: Option<Rc<Cors>>,
}

struct Own {
    header: Replacing,
    value: Box<[u8]>,
    /// As one more line, not in the place of all.
    is_added: bool,
}

impl Own {
    /// `None`: it would frame messages.
    fn new(header: &Header, is_added: bool) -> Option<Own> {
        Some(Own { header: Replacing::new(&header.name)?, value: header.value.clone(), is_added })
    }

    /// # Safety
    /// It lives as long as the request.
    unsafe fn put(&self, r: Request) -> Option<()> {
        // SAFETY: as promised, and values of records have no control characters.
        unsafe {
            if self.is_added {
                self.header.add(r, &self.value)
            } else {
                self.header.put(r, &self.value)
            }
        }
    }
}

impl RouteHeaders {
    /// `None` for a route without any. What would frame messages is left out.
    pub fn of(route: &Route) -> Option<Rc<RouteHeaders>> {
        Self::with(route, None)
    }

    /// With those of one of its backends behind its own.
    pub fn with(route: &Route, backend: Option<&Actions>) -> Option<Rc<RouteHeaders>> {
        let edits = route.actions.as_deref().into_iter().chain(backend).map(|all| &all.response);
        let set = route.headers.iter().map(|header| Own::new(header, false));
        let edited = edits.flat_map(|edits| {
            let set = edits.set.iter().map(|header| Own::new(header, false));
            set.chain(edits.add.iter().map(|header| Own::new(header, true)))
        });
        let own: Box<[_]> = set.chain(edited).flatten().collect();
        let cors = route.cors.clone();
        (!own.is_empty() || cors.is_some()).then(|| Rc::new(RouteHeaders { own, cors }))
    }

    /// Whether the request is a preflight that the route answers, with 204. `None`: out of memory.
    pub fn answer_preflight(&self, r: Request) -> Option<bool> {
        self.cors.as_deref().map_or(Some(false), |cors| cors::answers(cors, r))
    }

    /// # Safety
    /// They live as long as the request.
    unsafe fn put(&self, r: Request) -> Option<()> {
        // SAFETY: as promised.
        unsafe {
            self.put_own(r)?;
            self.put_cors(r)
        }
    }

    /// # Safety
    /// They live as long as the request.
    unsafe fn put_own(&self, r: Request) -> Option<()> {
        // SAFETY: as promised.
        self.own.iter().try_for_each(|one| unsafe { one.put(r) })
    }

    /// # Safety
    /// They live as long as the request.
    unsafe fn put_cors(&self, r: Request) -> Option<()> {
        // SAFETY: as promised.
        self.cors.as_deref().map_or(Some(()), |cors| unsafe { cors::put(cors, r) })
    }
}

static FILTER: HeaderFilter = HeaderFilter::new();

fn set(cf: Conf, conf: &mut MainConf) -> Answer {
    let words: Vec<&[u8]> = cf.words().collect();
    let (directive, name) = (words[0].escape_ascii(), words[1]);
    let Some(header) = Replacing::new(name) else {
        let why =
            if is_framing(name) { "header that frames messages" } else { "invalid header name" };
        let name = name.escape_ascii();
        return cf.error(format_args!("{why} \"{name}\" in \"{directive}\""));
    };
    let value = match words.get(2) {
        None => None,
        Some(text) => match Complex::compile(cf, text) {
            None => return CONF_ERROR,
            value => value,
        },
    };
    let is_tls_only = match words.get(3) {
        None => false,
        Some(&b"tls") => true,
        Some(word) => {
            let word = word.escape_ascii();
            return cf.error(format_args!("invalid parameter \"{word}\" in \"{directive}\""));
        }
    };
    conf.settings.push(Setting { header, value, is_tls_only });
    CONF_OK
}

fn only_theirs(_: Conf, conf: &mut MainConf) -> Answer {
    conf.server = Replacing::new(b"Server");
    CONF_OK
}

/// Puts the filter in front of the chain.
fn install(_: Conf) -> Option<()> {
    FILTER.install(header);
    Some(())
}

/// Gives the request the headers of its route, until it leaves the route's location; CORS also on its error pages. `None`: out of memory.
pub fn keep(r: Request, headers: &Rc<RouteHeaders>) -> Option<()> {
    let kept = Rc::into_raw(headers.clone()).cast_mut();
    // SAFETY: a registered HTTP module.
    unsafe { r.set_ctx(MODULE.get(), kept) };
    r.pool().on_destroy(release, kept.cast())
}

/// Begins a level for the request ([`effects::begin`]). `None`: out of memory.
pub fn begin_level(r: Request, level: &Rc<Effects>, is_answered: bool) -> Option<()> {
    look_for(r, level);
    effects::begin(r, level, is_answered)
}

/// Leaves the location of a level ([`effects::leave`]). `None` as above.
pub fn leave_level(r: Request, level: &Rc<Effects>) -> Option<()> {
    look_for(r, level);
    effects::leave(r, level)
}

/// The filter asks for a level only where a request has headers of its route: most have neither.
#[inline]
fn look_for(r: Request, level: &Effects) {
    // SAFETY: the module's configuration, which lives longer than the request, and its own place in it.
    unsafe {
        if !level.leaves_response && r.ctx::<RouteHeaders>(MODULE.get()).is_null() {
            let none = &raw mut (*r.main_conf::<MainConf>(MODULE.get())).none;
            r.set_ctx(MODULE.get(), none);
        }
    }
}

/// The request has left its route for another one, whose headers it gets: none of those that it was to have. `None`: out of memory.
#[cold]
pub fn leave(r: Request) -> Option<()> {
    keep(r, &Rc::default())
}

unsafe extern "C" fn release(kept: *mut c_void) {
    // SAFETY: what `keep` made of an Rc, once.
    guard((), || drop(unsafe { Rc::from_raw(kept.cast::<RouteHeaders>()) }));
}

// Most requests have no such headers. Theirs go on before anything is set up that only the others need.
unsafe extern "C" fn header(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: filters get live requests; the types are what this module stored.
    let (r, conf, kept) = unsafe {
        let r = Request::from_raw(r);
        (r, &*r.main_conf::<MainConf>(MODULE.get()), r.ctx::<RouteHeaders>(MODULE.get()).as_ref())
    };
    let is_changed = !conf.is_empty() || kept.is_some() || is_error_page(r);
    if is_changed && r.is_main() && change(r, conf, kept).is_none() {
        return ERROR;
    }
    // SAFETY: what nginx called this with.
    unsafe { FILTER.next(r.as_ptr()) }
}

/// Whether an error has led the request out of its location, or may have.
#[inline]
fn is_error_page(r: Request) -> bool {
    // SAFETY: a live request.
    unsafe { bits::request::ERROR_PAGE.is_set(r.as_ptr()) }
}

/// In another location a page of another origin still has to learn of the error. `None`: out of memory.
#[cold]
fn put_left(r: Request) -> Option<()> {
    let Some(left) = r.pool().kept_for(release) else { return Some(()) };
    // SAFETY: what `keep` left with the request.
    unsafe { left.cast::<RouteHeaders>().as_ref().put_cors(r) }
}

/// In the order of ingress-nginx: those of CORS, of snippets and of the route, and what `add_header` says.
///
/// # Safety
/// All live as long as the request.
#[inline(always)] // Called once.
unsafe fn put_with(r: Request, kept: Option<&RouteHeaders>, effects: &Effects) -> Option<()> {
    // SAFETY: as promised.
    unsafe {
        if let Some(kept) = kept {
            kept.put_cors(r)?;
        }
        effects.response.change(r)?;
        if let Some(kept) = kept {
            kept.put_own(r)?;
        }
        effects.response.add(r)?;
    }
    effects.rate.as_ref().map_or(Some(()), |rate| rate.limit(r))
}

/// nginx would name itself. Errors that it makes in the place of a backend are its own.
fn is_from_backend_without_server(r: Request) -> bool {
    // SAFETY: a live request.
    let (server, error) = unsafe { ((*r.as_ptr()).headers_out.server, (*r.as_ptr()).err_status) };
    r.upstream().is_some() && error == 0 && server.is_null()
}

/// `None`: out of memory.
#[inline(never)]
fn change(r: Request, conf: &MainConf, kept: Option<&RouteHeaders>) -> Option<()> {
    guard(None, || {
        let is_for = |setting: &&Setting| !setting.is_tls_only || r.is_tls();
        if let Some(server) = &conf.server
            && is_from_backend_without_server(r)
        {
            // SAFETY: the directive's header lives as long as the configuration.
            unsafe { server.put(r, b"")? };
        }
        conf.settings.iter().filter(is_for).try_for_each(|setting| setting.put(r))?;
        // SAFETY: the request shares them.
        unsafe {
            match (kept, effects::of(r)) {
                (kept, Some(in_force)) => put_with(r, kept, &in_force.effects),
                (Some(kept), None) => kept.put(r),
                (None, None) if is_error_page(r) => put_left(r),
                (None, None) => Some(()),
            }
        }
    })
}

impl Setting {
    /// A value that could end the header's line early is not put.
    fn put(&self, r: Request) -> Option<()> {
        let value = self.value.as_ref().map_or(Some(&b""[..]), |value| value.evaluate(r))?;
        if is_field_value(value) {
            // SAFETY: the directive's name lives as long as the configuration, the value as long as the request.
            return unsafe { self.header.put(r, value) };
        }
        let line = format_args!("A header's value has control characters: it is not set");
        log::write(r.log(), NGX_LOG_INFO as usize, line);
        Some(())
    }
}
