//! What a request keeps of the scripts that were run for it: variables of its own, and which level is in force.
//!
//! A module of nginx's by itself, because others than [`crate::routes`], which runs scripts, ask for it: templates of records find `$name` here
//! first, text of the configuration as `$script_name`. It outlives internal redirects, and subrequests see it.

mod ready;
mod state;
mod variable;

use std::ptr::{NonNull, with_exposed_provenance};
use std::rc::Rc;

use wick_native::conf::Conf;
use wick_native::http_module;
use wick_native::module::ModuleIndex;
use wick_native::request::Request;
use wick_native::variable::{declare_note, index, note, noted};

pub use self::ready::ReadyScript;
pub use self::state::State;

static MODULE: ModuleIndex = ModuleIndex::unset();

http_module! {
    pub static TABLE at MODULE;
    main_conf: MainConf,
    preconfiguration: declare,
}

#[derive(Default)]
struct MainConf {
    /// Index of the variable in whose place requests carry their state.
    noted_at: usize,
}

/// The variable, which has no value that anybody could read.
const NAME: &[u8] = b"ingress_script";

fn declare(conf: Conf) -> Option<()> {
    declare_note(conf, NAME, 0, 0)?;
    variable::declare(conf)?;
    let noted_at = index(conf, NAME)?;
    // SAFETY: the parser is inside `http`, and nothing else refers to the configuration.
    unsafe { (*conf.http_main::<MainConf>(MODULE.get())).noted_at = noted_at };
    Some(())
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

/// The script and the index of its level that is in force for the request. `None`: no level is.
#[expect(dead_code, reason = "what levels change is not applied yet")]
pub fn level(r: Request) -> Option<(Rc<ReadyScript>, u8)> {
    find(r)?.level()
}

#[inline]
fn noted_at(r: Request) -> usize {
    // SAFETY: the module's main configuration.
    unsafe { (*r.main_conf::<MainConf>(MODULE.get())).noted_at }
}
