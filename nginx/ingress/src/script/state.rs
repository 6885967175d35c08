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
        State { variables: RefCell::default(), room: Cell::new(ROOM), offsets: Offsets::default() }
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

    /// False: there is no room for so many bytes more.
    pub fn takes(&self, bytes: usize) -> bool {
        let left = self.room.get().checked_sub(bytes);
        left.inspect(|left| self.room.set(*left)).is_some()
    }
}
