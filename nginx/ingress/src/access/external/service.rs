//! The service that a route's clients have to convince, as a worker keeps it.

use std::cell::{Cell, OnceCell};
use std::ffi::c_void;
use std::ptr::NonNull;
use std::rc::Rc;

use ngx::ffi::ngx_http_core_loc_conf_t;
use wick_access::{ExternalAuth, Key};
use wick_native::headers::remove_alike;
use wick_native::request::Request;
use wick_native::variable::{self, Variable};

use super::kept::Kept;
use super::texts::Texts;

/// The named location that passes the question on.
pub type Location = NonNull<ngx_http_core_loc_conf_t>;
/// Its configurations, or a copy with a route's numbers.
pub type LocConfs = NonNull<*mut c_void>;

pub struct Service {
    pub asked: Rc<ExternalAuth>,
    pub texts: Texts,
    pub location: Location,
    /// With what the location is entered. `None` until the first request.
    pub confs: Cell<Option<LocConfs>>,
    /// What the route is told apart by, from others whose answers are kept.
    route: Box<[u8]>,
    /// The same, with all that is said of the service; once it was needed.
    identity: OnceCell<Key>,
    /// Indexes of the variables that hold what the response headers replace; once they were needed.
    replaced: OnceCell<Box<[usize]>>,
}

impl Service {
    pub fn new(asked: Rc<ExternalAuth>, location: Location, route: Vec<u8>) -> Service {
        let (texts, confs, route) = (Texts::default(), Cell::new(None), route.into());
        let (identity, replaced) = (OnceCell::new(), OnceCell::new());
        Service { asked, texts, location, confs, route, identity, replaced }
    }

    /// Leaves nothing in the request that only the service may say, nor in variables that have been asked for before.
    pub fn strip(&self, r: Request) {
        self.asked.response_headers.iter().for_each(|name| strip(r, name));
        let replaced = self.replaced.get_or_init(|| {
            let variables = self.asked.response_headers.iter().flat_map(|name| variables_of(name));
            let indexes = variables.filter_map(|name| match Variable::resolve(r, &name) {
                Variable::Index(index) => Some(index),
                _ => None,
            });
            indexes.collect()
        });
        replaced.iter().for_each(|index| variable::forget(r, *index));
    }

    /// Under which an answer is kept to requests whose key becomes `text`.
    pub fn key(&self, kept: &Kept, text: &[u8]) -> Key {
        let identity = self.identity.get_or_init(|| kept.key([&*self.route, &self.asked.record]));
        kept.key([&identity.bytes()[..], text])
    }
}

/// What frames a message is its own.
const FRAMING: [&[u8]; 9] = [
    b"connection",
    b"content-length",
    b"expect",
    b"keep-alive",
    b"proxy-connection",
    b"te",
    b"trailer",
    b"transfer-encoding",
    b"upgrade",
];

pub fn is_framing(name: &[u8]) -> bool {
    FRAMING.iter().any(|framing| framing.eq_ignore_ascii_case(name))
}

/// Leaves nothing of that name in the request, nor in variables that have been asked for before.
pub fn take_out(r: Request, name: &[u8]) {
    strip(r, name);
    for name in variables_of(name) {
        if let Variable::Index(index) = Variable::resolve(r, &name) {
            variable::forget(r, index);
        }
    }
}

fn strip(r: Request, name: &[u8]) {
    if is_framing(name) {
        return;
    }
    remove_alike(r, name);
    if name.eq_ignore_ascii_case(b"authorization") {
        r.forget_user();
    }
}

/// nginx's variables of a request header.
fn variables_of(name: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let letter = |byte: &u8| if *byte == b'-' { b'_' } else { byte.to_ascii_lowercase() };
    let own = b"http_".iter().copied().chain(name.iter().map(letter)).collect();
    let user = name.eq_ignore_ascii_case(b"authorization").then(|| b"remote_user".to_vec());
    [own].into_iter().chain(user)
}
