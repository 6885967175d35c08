//! The lists that a worker has read, by their ids: routes with equal lists share one.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use wick_access::{AddressList, RecordError};
use wick_hosts::ReadOther;
use wick_passwords::UserList;

/// Where they lie (docs/wire.md 2).
const ADDRESSES: &[u8] = b"routes/:addresses/";
const USERS: &[u8] = b"routes/:users/";

#[derive(Default)]
pub struct Lists {
    addresses: ById<AddressList>,
    users: ById<UserList>,
}

impl Lists {
    /// # Errors: `Absent` when there is no such list; others when its record cannot be read.
    pub fn addresses(
        &self,
        id: &[u8],
        others: &mut ReadOther<'_>,
    ) -> Result<Rc<AddressList>, RecordError> {
        self.addresses.get(ADDRESSES, id, others, AddressList::decode)
    }

    /// # Errors: likewise.
    pub fn users(
        &self,
        id: &[u8],
        others: &mut ReadOther<'_>,
    ) -> Result<Rc<UserList>, RecordError> {
        self.users.get(USERS, id, others, UserList::decode)
    }
}

/// An id is a hash of its list, so a list that is known never changes.
struct ById<T>(RefCell<HashMap<Box<[u8]>, Weak<T>>>);

impl<T> Default for ById<T> {
    fn default() -> Self {
        ById(RefCell::default())
    }
}

impl<T> ById<T> {
    fn get(
        &self,
        folder: &[u8],
        id: &[u8],
        others: &mut ReadOther<'_>,
        decode: fn(&[u8]) -> Result<T, RecordError>,
    ) -> Result<Rc<T>, RecordError> {
        if let Some(list) = self.0.borrow().get(id).and_then(Weak::upgrade) {
            return Ok(list);
        }
        let mut record = Vec::new();
        if !others(&[folder, id].concat(), &mut record) {
            return Err(RecordError::Absent);
        }
        let list = Rc::new(decode(&record)?);
        self.keep(id, &list);
        Ok(list)
    }

    /// Those that no route uses any more are dropped before the table grows for further ones.
    fn keep(&self, id: &[u8], list: &Rc<T>) {
        let mut known = self.0.borrow_mut();
        if known.len() == known.capacity() {
            known.retain(|_, list| list.strong_count() > 0);
        }
        known.insert(id.into(), Rc::downgrade(list));
    }
}
