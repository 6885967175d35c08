//! What becomes of the requests of a route, or of one of its backends, beyond where they go.

use std::rc::Rc;

use wick_native::headers::{OwnName, is_framing};
use wick_native::request::Request;
use wick_routes::{Actions, Header, HeaderEdits};

use super::locations::Location;
use super::overrides::Patches;
use crate::attempts::{self, Attempts};
use crate::mirrors::{self, Mirrors};

/// What is done for each of the requests, as a worker keeps it.
pub struct ReadyActions {
    edits: Option<Rc<RequestEdits>>,
    attempts: Option<Rc<Attempts>>,
    mirrors: Option<Rc<Mirrors>>,
}

/// Headers that backends are to get; requests share them, because the record may be replaced while they run.
struct RequestEdits(Box<[Edit]>);

struct Edit {
    name: OwnName,
    /// Empty: the header is removed.
    value: Box<[u8]>,
    /// As one more line, not in the place of all.
    is_added: bool,
}

impl ReadyActions {
    /// `None`: there is nothing to do. `find`: a location by its name.
    pub fn of(
        actions: Option<&Actions>,
        find: impl Fn(&[u8]) -> Option<Location>,
    ) -> Option<Box<ReadyActions>> {
        let actions = actions?;
        let edits = RequestEdits::of(&actions.request);
        let (attempts, mirrors) = (Attempts::of(actions), Mirrors::of(&actions.mirrors, find));
        let has_some = edits.is_some() || attempts.is_some() || mirrors.is_some();
        has_some.then(|| Box::new(ReadyActions { edits, attempts, mirrors }))
    }
}

/// Does what the route says, and what the backend says that was drawn, whose headers come last. `None`: out of memory.
#[inline(never)] // Most routes say nothing.
pub fn act(
    r: Request,
    own: Option<&ReadyActions>,
    of_drawn: Option<&ReadyActions>,
    patches: &Patches,
) -> Option<()> {
    let both = || own.into_iter().chain(of_drawn);
    both().filter_map(|said| said.edits.as_ref()).try_for_each(|edits| edits.make(r))?;
    // Backends have no attempts of their own.
    if let Some(attempts) = own.and_then(|own| own.attempts.as_ref()) {
        attempts::begin(r, attempts)?;
    }
    if both().all(|said| said.mirrors.is_none()) {
        return Some(());
    }
    mirrors::draw(r, both().filter_map(|said| said.mirrors.as_ref()), patches)
}

impl RequestEdits {
    /// `None`: there are none. What frames the request, or names its host, stays.
    fn of(edits: &HeaderEdits) -> Option<Rc<RequestEdits>> {
        let set = edits.set.iter().map(|header| Edit::of(header, false));
        let all: Box<[_]> =
            set.chain(edits.add.iter().map(|header| Edit::of(header, true))).flatten().collect();
        (!all.is_empty()).then(|| Rc::new(RequestEdits(all)))
    }

    /// `None`: out of memory.
    #[inline]
    fn make(self: &Rc<Self>, r: Request) -> Option<()> {
        r.pool().keep(self.clone())?;
        // SAFETY: the request shares them now, and values of records have no control characters.
        self.0.iter().try_for_each(|edit| unsafe { edit.make(r) })
    }
}

impl Edit {
    fn of(Header { name, value }: &Header, is_added: bool) -> Option<Edit> {
        if is_framing(name) || name.eq_ignore_ascii_case(b"host") {
            return None;
        }
        Some(Edit { name: OwnName::new(name)?, value: value.clone(), is_added })
    }

    /// # Safety
    /// It lives as long as the request, and its value may stand in a header.
    #[inline]
    unsafe fn make(&self, r: Request) -> Option<()> {
        // SAFETY: as promised.
        unsafe {
            if self.is_added {
                return self.name.add(r, &self.value);
            }
            if !self.value.is_empty() {
                return self.name.set(r, &self.value);
            }
        }
        self.name.remove(r);
        Some(())
    }
}
