//! The handler of the log phase: one sample for each request of a client.

use ngx::ffi::{ngx_http_request_t, ngx_http_upstream_state_t, ngx_int_t, ngx_msec_t};
use wick_metrics::{Cells, Family, Handle};
use wick_native::bits;
use wick_native::code::OK;
use wick_native::guard::guard;
use wick_native::request::Request;
use wick_native::variable;

use super::attempt::cause;
use super::canaries;
use super::conf::LocConf;
use super::endpoint_count;
use super::index::MODULE;
use super::noted::{UNCOUNTED, metrics, noted};
use super::shared::now_ms;
use super::table::Metrics;
use crate::waf;

/// `NATIVE`: with native histograms. Where there are none, nobody asks whether there are.
pub unsafe extern "C" fn log<const NATIVE: bool>(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: handlers get live requests; every location has our LocConf.
    let (r, counts) = unsafe {
        let r = Request::from_raw(r);
        (r, (*r.loc_conf::<LocConf>(MODULE.get())).counts())
    };
    if counts && r.is_main() {
        guard((), || {
            if let Some(metrics) = metrics(r) {
                count::<NATIVE>(r, metrics);
            }
            endpoint_count::count(r);
        });
    }
    OK
}

fn count<const NATIVE: bool>(r: Request, metrics: &Metrics) {
    let handle = match noted(r, metrics) {
        Some(UNCOUNTED) => return,
        Some(bits) => Handle::from_bits(bits),
        None => metrics.nobody(),
    };
    let handle = match canary(r, metrics) {
        Some(canary) => match canaries::set(r, metrics, handle, canary) {
            Some(handle) => handle,
            None => return,
        },
        None => handle,
    };
    let status = r.logged_status() as u16;
    let cells = metrics.with_worker(|worker| {
        let locked = |f: &mut dyn FnMut()| metrics.locked(f);
        worker.cells(metrics.table(), handle, r.method_number(), status, now_ms(), locked)
    });
    if let Some(cells) = cells {
        observe::<NATIVE>(r, &cells);
        if let Some(outcome) = waf::outcome(r) {
            cells.inspected(outcome);
        }
    }
}

/// The canary that took the request. Almost none: their variable is empty, and nginx is not asked for it.
#[inline]
fn canary<'r>(r: Request<'r>, metrics: &Metrics) -> Option<&'r [u8]> {
    let index = metrics.settings.alternative_at;
    // SAFETY: the array has a place for each index.
    let len = unsafe { bits::value::LEN.get((*r.as_ptr()).variables.add(index)) };
    if len == 0 {
        return None;
    }
    variable::at(r, index).filter(|canary| !canary.is_empty())
}

#[inline]
fn observe<const NATIVE: bool>(r: Request, cells: &Cells) {
    cells.request();
    observe_in::<NATIVE>(cells, Family::RequestDuration, r.age_ms());
    observe_in::<NATIVE>(cells, Family::RequestSize, r.length());
    let sent = r.bytes_sent();
    observe_in::<NATIVE>(cells, Family::ResponseSize, sent);
    cells.observe(Family::BytesSent, sent);
    // Those without a peer stand between the attempts before an internal redirect and those behind it.
    let attempts = r.attempts();
    for attempt in attempts.iter().filter(|attempt| !attempt.peer.is_null()) {
        observe_attempt::<NATIVE>(attempt, cells);
    }
    for pair in attempts.windows(2) {
        if let [failed, again] = pair
            && !failed.peer.is_null()
            && !again.peer.is_null()
        {
            cells.failed(cause(failed));
        }
    }
}

#[inline]
fn observe_attempt<const NATIVE: bool>(attempt: &ngx_http_upstream_state_t, cells: &Cells) {
    for (family, ms) in [
        (Family::ConnectDuration, attempt.connect_time),
        (Family::HeaderDuration, attempt.header_time),
        (Family::ResponseDuration, attempt.response_time),
    ] {
        if ms != ngx_msec_t::MAX {
            observe_in::<NATIVE>(cells, family, ms as u64);
        }
    }
}

#[inline(always)]
fn observe_in<const NATIVE: bool>(cells: &Cells, family: Family, value: u64) {
    cells.observe(family, value);
    if NATIVE {
        cells.observe_native(family, value);
    }
}
