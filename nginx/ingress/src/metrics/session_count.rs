//! Attempts of a session, each counted at its endpoint when the session has ended, as those of requests are.

use ngx::ffi::{
    NGX_STREAM_BAD_GATEWAY, ngx_cycle, ngx_int_t, ngx_msec_t, ngx_stream_session_t,
    ngx_stream_upstream_state_t,
};
use wick_metrics::{Cause, EndpointLabels, Family};
use wick_native::code::OK;
use wick_native::conf::Conf;
use wick_native::guard::guard;
use wick_native::module::http_main_of_cycle;
use wick_native::stream::phase::{Phase, add_handler};
use wick_native::stream::session::Session;
use wick_native::stream::variable;
use wick_native::stream_module;
use wick_native::text::bytes;

use super::conf::MainConf;
use super::endpoint_table::EndpointMetrics;
use super::index::{MODULE, STREAM};

stream_module! {
    pub static TABLE at STREAM;
    main_conf: Backends,
    postconfiguration: install,
}

/// The indices of variables that name the backend of a session's endpoints: a canary's where one took the session, else its own.
#[derive(Default)]
struct Backends([usize; 2]);

fn install(conf: Conf) -> Option<()> {
    let canary = variable::index(conf, b"proxy_alternative_upstream_name")?;
    let own = variable::index(conf, b"proxy_upstream_name")?;
    // SAFETY: the parser is inside `stream`, and nothing else refers to our configuration.
    unsafe { (*conf.stream_main::<Backends>(STREAM.get())).0 = [canary, own] };
    add_handler(conf, Phase::Log, log)
}

unsafe extern "C" fn log(s: *mut ngx_stream_session_t) -> ngx_int_t {
    // SAFETY: handlers get live sessions, which are those of the process's cycle.
    guard((), || unsafe {
        let main = http_main_of_cycle::<MainConf>(ngx_cycle, MODULE.get());
        if let Some(endpoints) = main.and_then(|main| main.endpoints.as_ref()) {
            count(Session::from_raw(s), endpoints);
        }
    });
    OK
}

fn count(s: Session, endpoints: &EndpointMetrics) {
    let Some(backend) = backend(s) else { return };
    let attempts = s.attempts();
    for (nth, attempt) in attempts.iter().enumerate() {
        if attempt.peer.is_null() {
            continue;
        }
        // SAFETY: a peer's name lives as long as the session.
        let endpoint = unsafe { bytes(*attempt.peer) };
        let Some(cells) = endpoints.cells(&EndpointLabels { backend, endpoint }) else { continue };
        cells.request();
        if attempt.bytes_received > 0 {
            cells.observe(Family::HeaderDuration, attempt.first_byte_time as u64);
        }
        let is_last = nth + 1 == attempts.len();
        if !is_last || (!is_connected(attempt) && s.status() == NGX_STREAM_BAD_GATEWAY as usize) {
            cells.failed(Cause::of(is_connected(attempt), false, false));
        }
    }
}

fn backend(s: Session<'_>) -> Option<&[u8]> {
    // SAFETY: the module's main configuration.
    let Backends(indices) = unsafe { &*s.main_conf::<Backends>(STREAM.get()) };
    let mut named = indices.iter().filter_map(|index| variable::at(s, *index));
    named.find(|backend| !backend.is_empty())
}

fn is_connected(attempt: &ngx_stream_upstream_state_t) -> bool {
    attempt.connect_time != ngx_msec_t::MAX
}
