//! `limit_req` and `limit_conn` on zones that the configuration declares: nginx's own modules limit, by settings that their own directives have read.

use std::ffi::{CStr, CString, c_void};
use std::fmt;
use std::ptr::NonNull;

use wick_native::conf::Conf;
use wick_native::settings::{Configurable, Words};
use wick_script::Level;
use wick_script::level::{ConnectionLimit, Delay, Limiting, RequestLimit};

/// What a level says, as directives of each of the modules.
#[derive(Debug)]
pub struct ZoneLimits {
    requests: Said,
    connections: Said,
}

#[derive(Debug, Default)]
struct Said {
    zones: Box<[Box<[u8]>]>,
    directives: Box<[Words]>,
}

/// The modules, where this nginx has them.
#[derive(Default)]
pub struct Limiters {
    requests: Option<Configurable>,
    connections: Option<Configurable>,
}

/// Why a level's limits cannot be in force.
pub enum Unlimited<'l> {
    NoModule(&'static str),
    /// The configuration has none of this name.
    NoZone(&'l [u8]),
    Refused,
}

impl ZoneLimits {
    /// `None`: nothing is said of it.
    pub fn of(level: &Level) -> Option<ZoneLimits> {
        let requests = Said::of(
            level.request_limits.iter().map(|limit| (&limit.zone, request_limit(limit))),
            ["limit_req_dry_run", "limit_req_log_level", "limit_req_status"],
            level.limit_req,
        );
        let connections = Said::of(
            level.connection_limits.iter().map(|limit| (&limit.zone, connection_limit(limit))),
            ["limit_conn_dry_run", "limit_conn_log_level", "limit_conn_status"],
            level.limit_conn,
        );
        let says = |said: &Said| !said.directives.is_empty();
        (says(&requests) || says(&connections)).then_some(ZoneLimits { requests, connections })
    }
}

impl Said {
    fn of<'l>(
        limits: impl Iterator<Item = (&'l Box<[u8]>, Words)>,
        [dry_run, log_level, status]: [&str; 3],
        limiting: Limiting,
    ) -> Said {
        let (zones, mut directives): (Vec<_>, Vec<_>) =
            limits.map(|(zone, words)| (zone.clone(), words)).unzip();
        let switch = |is_on| if is_on { "on" } else { "off" };
        directives.extend(limiting.dry_run.map(|is_on| words([dry_run, switch(is_on)])));
        directives.extend(limiting.log_level.map(|level| words([log_level, level.word()])));
        directives.extend(limiting.status.map(|code| words([status, &code.to_string()])));
        Said { zones: zones.into(), directives: directives.into() }
    }
}

fn request_limit(limit: &RequestLimit) -> Words {
    let zone = format!("zone={}", text(&limit.zone));
    let burst = limit.burst.map(|burst| format!("burst={burst}"));
    let delay = match limit.delay {
        Delay::All => None,
        Delay::None => Some("nodelay".to_owned()),
        Delay::Above(delay) => Some(format!("delay={delay}")),
    };
    words(["limit_req".to_owned(), zone].into_iter().chain(burst).chain(delay))
}

fn connection_limit(limit: &ConnectionLimit) -> Words {
    words(["limit_conn", &text(&limit.zone), &limit.connections.to_string()])
}

/// Names of zones are tokens.
fn text(zone: &[u8]) -> String {
    String::from_utf8_lossy(zone).into_owned()
}

fn words(all: impl IntoIterator<Item = impl Into<Vec<u8>>>) -> Words {
    all.into_iter().filter_map(|word| CString::new(word).ok()).collect()
}

impl Limiters {
    /// # Safety
    /// The parser is inside `http`.
    pub unsafe fn find(conf: Conf) -> Limiters {
        // SAFETY: the caller's promise; nginx's modules of these names are of HTTP.
        let find = |name: &CStr| unsafe { Configurable::find(conf, name) };
        Limiters {
            requests: find(c"ngx_http_limit_req_module"),
            connections: find(c"ngx_http_limit_conn_module"),
        }
    }

    /// Puts the limits in the place of those of the location whose settings are in `slots`.
    ///
    /// # Errors: they cannot be in force.
    ///
    /// # Safety
    /// As many settings as nginx has modules, of a location of the same configuration.
    pub unsafe fn apply<'l>(
        &self,
        limits: &'l ZoneLimits,
        slots: &mut [*mut c_void],
    ) -> Result<(), Unlimited<'l>> {
        // SAFETY: the caller's promise.
        unsafe {
            apply(self.requests, "ngx_http_limit_req_module", &limits.requests, slots)?;
            apply(self.connections, "ngx_http_limit_conn_module", &limits.connections, slots)
        }
    }
}

/// # Safety
/// As of [`Limiters::apply`].
unsafe fn apply<'l>(
    module: Option<Configurable>,
    name: &'static str,
    said: &'l Said,
    slots: &mut [*mut c_void],
) -> Result<(), Unlimited<'l>> {
    if said.directives.is_empty() {
        return Ok(());
    }
    let module = module.ok_or(Unlimited::NoModule(name))?;
    if let Some(zone) = said.zones.iter().find(|zone| !module.has_zone(zone)) {
        return Err(Unlimited::NoZone(zone));
    }
    let slot = &mut slots[module.slot()];
    let outer = NonNull::new(*slot).ok_or(Unlimited::Refused)?;
    // SAFETY: the caller's promise; the zones are there.
    let made = unsafe { module.settings(&said.directives, outer) };
    *slot = made.ok_or(Unlimited::Refused)?.as_ptr();
    Ok(())
}

impl fmt::Display for Unlimited<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unlimited::NoModule(module) => {
                write!(f, "its limits are those of {module}, which this nginx has not")
            }
            Unlimited::NoZone(zone) => {
                let zone = zone.escape_ascii();
                write!(f, "its limits need zone \"{zone}\", which the configuration has not")
            }
            Unlimited::Refused => f.write_str("nginx's own module does not take its limits"),
        }
    }
}
