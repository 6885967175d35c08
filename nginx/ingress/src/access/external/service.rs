//! The service that a route's clients have to convince, as a worker keeps it.

use std::cell::{Cell, OnceCell};
use std::ffi::c_void;
use std::ptr::NonNull;
use std::rc::Rc;

use ngx::ffi::ngx_http_core_loc_conf_t;
use wick_access::{ExternalAuth, Key};

use super::kept::Kept;
use super::texts::Texts;

/// The policy's named location.
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
}

impl Service {
    pub fn new(asked: Rc<ExternalAuth>, location: Location, route: Vec<u8>) -> Service {
        let (texts, confs, identity) = (Texts::default(), Cell::new(None), OnceCell::new());
        Service { asked, texts, location, confs, route: route.into(), identity }
    }

    /// Under which an answer is kept to requests whose key becomes `text`.
    pub fn key(&self, kept: &Kept, text: &[u8]) -> Key {
        let identity = self.identity.get_or_init(|| kept.key([&*self.route, &self.asked.record]));
        kept.key([&identity.bytes()[..], text])
    }
}
