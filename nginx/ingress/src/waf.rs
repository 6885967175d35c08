//! The web application firewall of routes that have one: rules of ModSecurity, by libmodsecurity.
//!
//! Its part in a request: the line and the headers are inspected as soon as the route is found, before anything answers; the body
//! in the phase before access, behind the limits; the response's head and body in filters that come before all others, so that they
//! see what the backend says. What the rules say of it is written when the request ends. Each request is inspected once, whichever
//! locations it is led to, and subrequests are not. A route without pays for looking into an empty place four times.
//!
//! `ingress_modsecurity DIRECTORY [library=PATH]` says where rule sets lie; wick-waf knows what they are.

mod begin;
mod body;
mod conf;
mod held;
mod inspection;
mod ready;
mod request;
mod response;
mod sets;
mod shown;
mod verdict;

use ngx::ffi::{NGX_CONF_TAKE12, NGX_HTTP_MAIN_CONF, ngx_http_phases_NGX_HTTP_PREACCESS_PHASE};
use wick_native::conf::Conf;
use wick_native::http_module;
use wick_native::phase::add_handler;

pub use self::begin::{begin, has_waited, is_ready, outcome};
use self::conf::{MODULE, MainConf};
pub use self::ready::ReadyWaf;
pub use self::sets::end;

http_module! {
    pub static TABLE at MODULE;
    directives {
        "ingress_modsecurity": NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE12, main_conf => conf::ingress_modsecurity;
    }
    main_conf: MainConf,
    preconfiguration: conf::declare,
    postconfiguration: install,
}

// Without the directive there are no rules, and whoever needs some is refused before anything here has a part in it.
fn install(conf: Conf) -> Option<()> {
    // SAFETY: the parser is inside `http`; our configuration was created.
    if unsafe { (*conf.http_main::<MainConf>(MODULE.get())).places.is_none() } {
        return Some(());
    }
    response::install();
    add_handler(conf, ngx_http_phases_NGX_HTTP_PREACCESS_PHASE, body::preaccess)
}
