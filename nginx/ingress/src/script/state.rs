//! Variables and memory of one request.

use std::cell::{Cell, RefCell};

use wick_native::captures::Offsets;

/// What the scripts of one request have left.
pub struct State {
    /// Most scripts set few.
    variables: RefCell<Vec<Variable>>,
    /// Bytes of texts that scripts may still make.
    room: Cell<usize>,
    /// Where groups are kept.
    pub offsets: Offsets,
    /// The named location that an error leads to, with its `@`, until it is entered. It lives as long as the configuration; empty: none.
    page: Cell<*const [u8]>,
}

struct Variable {
    /// In lower case.
    name: Box<[u8]>,
    /// Lives as long as the request.
    value: *const [u8],
}

/// All texts that the scripts of one request make: a variable may double itself in each of 256 steps, ten times.
const ROOM: usize = 256 << 10;

impl Default for State {
    fn default() -> Self {
        State {
            variables: RefCell::default(),
            room: Cell::new(ROOM),
            offsets: Offsets::default(),
            page: Cell::new(&[]),
        }
    }
}

impl State {
    /// `name`: in lower case. `None`: nobody has set it.
    pub fn get(&self, name: &[u8]) -> Option<&[u8]> {
        let variables = self.variables.borrow();
        let variable = variables.iter().find(|variable| *variable.name == *name)?;
        // SAFETY: it lives as long as the request, as `self` does.
        Some(unsafe { &*variable.value })
    }

    /// `name`: in lower case.
    ///
    /// # Safety
    /// `value` lives as long as the request.
    pub unsafe fn set(&self, name: &[u8], value: &[u8]) {
        let mut variables = self.variables.borrow_mut();
        match variables.iter_mut().find(|variable| *variable.name == *name) {
            Some(variable) => variable.value = value,
            None => variables.push(Variable { name: name.into(), value }),
        }
    }

    /// An error leads to this named location.
    ///
    /// # Safety
    /// `name` lives as long as the configuration.
    pub unsafe fn lead_to(&self, name: *const [u8]) {
        self.page.set(name);
    }

    /// The named location that an error leads to, once; `None`: to none.
    pub fn take_page(&self) -> Option<&[u8]> {
        // SAFETY: it lives as long as the configuration, which is longer than the request does.
        Some(unsafe { &*self.page.replace(&[]) }).filter(|name| !name.is_empty())
    }

    /// False: there is no room for so many bytes more.
    pub fn takes(&self, bytes: usize) -> bool {
        let left = self.room.get().checked_sub(bytes);
        left.inspect(|left| self.room.set(*left)).is_some()
    }
}
