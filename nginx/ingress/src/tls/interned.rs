//! Things that are made once and shared while anybody uses them.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::{Rc, Weak};

use wick_hosts::Seeded;

/// Below so many entries nobody looks for those that are not used any more.
const FEW: usize = 64;

/// By key, everything that is in use. What is not used is dropped at once; its entry goes when there are twice as many
/// as at the last look.
pub struct Interned<T> {
    entries: RefCell<HashMap<Box<[u8]>, Weak<T>, Seeded>>,
    sweep_at: Cell<usize>,
}

impl<T> Interned<T> {
    pub fn new() -> Interned<T> {
        Interned { entries: RefCell::default(), sweep_at: Cell::new(FEW) }
    }

    /// What is in use under this key.
    pub fn get(&self, key: &[u8]) -> Option<Rc<T>> {
        self.entries.borrow().get(key)?.upgrade()
    }

    /// Shares `made` under its key from now on.
    pub fn share(&self, key: &[u8], made: T) -> Rc<T> {
        let made = Rc::new(made);
        let mut entries = self.entries.borrow_mut();
        if entries.len() >= self.sweep_at.get() {
            entries.retain(|_, entry| entry.strong_count() > 0);
            self.sweep_at.set(FEW.max(2 * entries.len()));
        }
        entries.insert(key.into(), Rc::downgrade(&made));
        made
    }
}
