//! What rules see of a request: as all other checks and the backend do.

use std::ffi::{CStr, CString};
use std::net::SocketAddr;
use std::sync::Arc;

use ngx::ffi::{
    NGX_HTTP_INTERNAL_SERVER_ERROR, NGX_HTTP_VERSION_10, NGX_HTTP_VERSION_11, NGX_HTTP_VERSION_20,
    NGX_LOG_INFO, ngx_int_t,
};
use wick_metrics::Outcome;
use wick_native::connection::Connection;
use wick_native::headers::{Side, each};
use wick_native::log;
use wick_native::request::Request;
use wick_waf::{Compiled, Transaction};

use super::inspection::{Inspection, Step};
use super::verdict::refuse;

/// # Errors: the answer for nginx.
pub fn inspect_head(
    r: Request,
    inspection: &Inspection,
    set: &Arc<Compiled>,
    id: &CStr,
) -> Result<(), ngx_int_t> {
    let keeps_lines = log::enabled(r.log(), NGX_LOG_INFO as usize);
    let Some(transaction) = Transaction::begin(set, id, keeps_lines) else {
        return Err(NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t);
    };
    *inspection.transaction.borrow_mut() = Some(transaction);
    inspection.step.set(Step::Head);
    inspection.outcome.set(Some(Outcome::Passed));
    let intervention = inspection.with(r, |transaction| {
        show_connection(r, transaction);
        transaction.uri(r.unparsed_uri(), r.method(), version(r));
        each(r, Side::Request).for_each(|(name, value)| transaction.request_header(name, value));
        transaction.request_headers();
        transaction.intervention()
    });
    match intervention.flatten() {
        Some(intervention) => Err(refuse(r, inspection, &intervention, Outcome::RequestHeaders)),
        None => Ok(()),
    }
}

/// The client's address is the one that the realip module and a PROXY header have said.
fn show_connection(r: Request, transaction: &mut Transaction) {
    // SAFETY: a live request has an open connection.
    let connection = unsafe { Connection::from_raw((*r.as_ptr()).connection) };
    let peer = connection.peer_address();
    let text = CString::new(connection.peer()).unwrap_or_default();
    let local = r.local_address();
    let server = local.map(|local| local.ip().to_string()).unwrap_or_default();
    let server = CString::new(server).unwrap_or_default();
    let port = |address: Option<SocketAddr>| address.map_or(0, |address| address.port());
    transaction.connection((&text, port(peer)), (&server, port(local)));
}

/// As rules name it behind `HTTP/`.
pub fn version(r: Request) -> &'static CStr {
    match r.http_version() as u32 {
        NGX_HTTP_VERSION_10 => c"1.0",
        NGX_HTTP_VERSION_11 => c"1.1",
        NGX_HTTP_VERSION_20 => c"2.0",
        3000 => c"3.0",
        _ => c"0.9",
    }
}
