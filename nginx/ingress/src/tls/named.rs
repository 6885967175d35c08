//! Something that the record of a TLS host names, found at its first use.

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use super::shelf::{Kind, Unusable, complain};

/// Kept once it was found, or once it turned out to be unusable; looked for again as long as the zone does not have it.
pub struct Named<T> {
    id: Box<[u8]>,
    found: OnceCell<Option<Rc<T>>>,
    is_told: Cell<bool>,
}

impl<T: Kind> Named<T> {
    /// `known`: it was found already, by somebody else.
    pub fn new(id: Box<[u8]>, known: Option<Rc<T>>) -> Named<T> {
        let found = known.map_or_else(OnceCell::new, |known| Some(known).into());
        Named { id, found, is_told: Cell::new(false) }
    }

    pub fn id(&self) -> &[u8] {
        &self.id
    }

    /// `None`: it cannot be used, and the log says so, or it is missing. `host` is who names it.
    #[inline]
    pub fn find(
        &self,
        host: &[u8],
        search: impl FnOnce(&[u8]) -> Result<Rc<T>, Unusable>,
    ) -> Option<&Rc<T>> {
        match self.found.get() {
            Some(found) => found.as_ref(),
            None => self.search(host, search),
        }
    }

    #[cold]
    fn search(
        &self,
        host: &[u8],
        search: impl FnOnce(&[u8]) -> Result<Rc<T>, Unusable>,
    ) -> Option<&Rc<T>> {
        let found = match search(&self.id) {
            Ok(found) => Some(found),
            Err(Unusable::Missing) => return None,
            Err(why) => {
                complain(T::NAME, &self.id, host, why);
                None
            }
        };
        self.found.get_or_init(|| found).as_ref()
    }

    /// It was searched and the zone does not have it.
    pub fn is_missing(&self) -> bool {
        self.found.get().is_none()
    }

    /// Says so, once.
    #[cold]
    pub fn tell_missing(&self, host: &[u8]) {
        if self.is_missing() && !self.is_told.replace(true) {
            complain(T::NAME, &self.id, host, Unusable::Missing);
        }
    }
}
