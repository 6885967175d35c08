//! The address lists that a worker has read, by their ids: routes with equal lists share one.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use wick_access::{AddressList, RecordError};
use wick_hosts::ReadOther;

/// Where address lists lie (docs/wire.md 2).
const LISTS: &[u8] = b"routes/:addresses/";

/// An id is a hash of its list, so a list that is known never changes.
#[derive(Default)]
pub struct Lists(RefCell<HashMap<Box<[u8]>, Weak<AddressList>>>);

impl Lists {
    /// # Errors: `Absent` when there is no such list; others when its record cannot be read.
    pub fn get(
        &self,
        id: &[u8],
        others: &mut ReadOther<'_>,
    ) -> Result<Rc<AddressList>, RecordError> {
        if let Some(list) = self.0.borrow().get(id).and_then(Weak::upgrade) {
            return Ok(list);
        }
        let mut record = Vec::new();
        if !others(&[LISTS, id].concat(), &mut record) {
            return Err(RecordError::Absent);
        }
        let list = Rc::new(AddressList::decode(&record)?);
        self.keep(id, &list);
        Ok(list)
    }

    /// Those that no route uses any more are dropped before the table grows for further ones.
    fn keep(&self, id: &[u8], list: &Rc<AddressList>) {
        let mut known = self.0.borrow_mut();
        if known.len() == known.capacity() {
            known.retain(|_, list| list.strong_count() > 0);
        }
        known.insert(id.into(), Rc::downgrade(list));
    }
}
