//! Rules want a request stopped: what the client gets, and what the log says.

use ngx::ffi::{NGX_HTTP_FORBIDDEN, NGX_HTTP_MOVED_TEMPORARILY, NGX_LOG_ERR, ngx_int_t};
use wick_metrics::Outcome;
use wick_native::headers::{Side, add};
use wick_native::log;
use wick_native::request::Request;
use wick_waf::Intervention;

use super::inspection::{Inspection, Step};
use super::shown::shown;

/// # Returns
/// The status for nginx, which has error pages for it. Where it is a redirect the response has its Location.
#[cold]
pub fn refuse(
    r: Request,
    inspection: &Inspection,
    intervention: &Intervention,
    outcome: Outcome,
) -> ngx_int_t {
    inspection.step.set(Step::Over);
    inspection.outcome.set(Some(outcome));
    let line = shown(&intervention.log);
    log::write(r.log(), NGX_LOG_ERR as usize, format_args!("{line}"));
    lead_away(r, intervention).unwrap_or_else(|| status(intervention.status))
}

/// `None`: it leads nowhere. What a client had a hand in must not end the header.
fn lead_away(r: Request, intervention: &Intervention) -> Option<ngx_int_t> {
    let url = escaped(intervention.url.as_deref()?);
    add(r, Side::Response, b"Location", &url).ok()?;
    Some(match intervention.status {
        status @ (301 | 302 | 303 | 307 | 308) => status as ngx_int_t,
        _ => NGX_HTTP_MOVED_TEMPORARILY as ngx_int_t,
    })
}

/// One that is no refusal would let the request pass.
fn status(said: u16) -> ngx_int_t {
    match said {
        400..=599 => said as ngx_int_t,
        _ => NGX_HTTP_FORBIDDEN as ngx_int_t,
    }
}

fn escaped(url: &[u8]) -> Vec<u8> {
    let mut escaped = Vec::with_capacity(url.len());
    for byte in url {
        if byte.is_ascii_control() || *byte == b' ' {
            escaped.extend(format!("%{byte:02X}").bytes());
        } else {
            escaped.push(*byte);
        }
    }
    escaped
}
