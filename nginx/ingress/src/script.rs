//! What a request keeps of the scripts that were run for it: variables of its own; what their levels do is in `effects`.
//!
//! A module of nginx's by itself, because others than [`crate::routes`], which runs scripts, ask for it: templates of records find `$name` here
//! first, text of the configuration as `$script_name`. It outlives internal redirects, and subrequests see it.

pub mod effects;
pub mod groups; // for effects
pub mod kept; // for templates, which effects use
mod ready;
pub mod state;
mod variable;

use wick_native::conf::Conf;
use wick_native::http_module;
use wick_native::variable::{declare_note, index};

pub use self::groups::{NamedPattern, keep_groups};
use self::kept::{MODULE, MainConf};
pub use self::kept::{find, of};
pub use self::ready::ReadyScript;
pub use self::state::State;

http_module! {
    pub static TABLE at MODULE;
    main_conf: MainConf,
    preconfiguration: declare,
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
