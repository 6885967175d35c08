//! Where a request carries its state.

use std::ptr::{NonNull, with_exposed_provenance};

use wick_native::module::ModuleIndex;
use wick_native::request::Request;
use wick_native::variable::{note, noted};

use super::state::State;

pub static MODULE: ModuleIndex = ModuleIndex::unset();

#[derive(Default)]
pub struct MainConf {
    /// Index of the variable in whose place requests carry their state.
    pub noted_at: usize,
}

/// What the request has; `None`: no script has left anything.
#[inline]
pub fn find(r: Request<'_>) -> Option<&State> {
    let word = noted(r, noted_at(r))?;
    // SAFETY: what `of` noted, in memory of the request that lives as long as its subrequests; 0 stands for none.
    NonNull::new(with_exposed_provenance::<State>(word).cast_mut())
        .map(|state| unsafe { state.as_ref() })
}

/// The same, made where there is none. `None`: out of memory.
pub fn of(r: Request<'_>) -> Option<&State> {
    if let Some(state) = find(r) {
        return Some(state);
    }
    let state = r.pool().keep(State::default())?;
    note(r, noted_at(r), state.as_ptr().expose_provenance());
    // SAFETY: it lies in the request's memory, and is changed through cells only.
    Some(unsafe { state.as_ref() })
}

#[inline]
fn noted_at(r: Request) -> usize {
    // SAFETY: the module's main configuration.
    unsafe { (*r.main_conf::<MainConf>(MODULE.get())).noted_at }
}
