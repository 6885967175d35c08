//! `proxy_send_local_response`: the filter answers itself.

use ngx::ffi::ngx_str_t;
use wasmtime::Linker;
use wick_abi::{HeaderMap, Status};
use wick_native::headers::{is_field_value, is_token};
use wick_native::text::bytes;

use super::current::Step;
use super::define::define;
use super::failure::Answer;
use super::guest::Guest;
use super::local_response::LocalResponse;
use super::state::Host;

pub fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    define!(linker,
        "proxy_send_local_response"(code, details, details_len, body, body_len, headers, headers_len, grpc_status) => send;
    );
    Ok(())
}

#[allow(clippy::too_many_arguments)] // Proxy-Wasm's signature
fn send(
    guest: &mut Guest<'_>,
    code: i32,
    _details: i32,
    _details_len: i32,
    body: i32,
    body_len: i32,
    headers: i32,
    headers_len: i32,
    _grpc_status: i32,
) -> Answer {
    let r = guest.request()?;
    let open = matches!(
        guest.host().current.step,
        Step::RequestHeaders | Step::RequestBody | Step::ResponseHeaders | Step::UpstreamSelect
    );
    let status = u16::try_from(code).ok().filter(|code| open && (200..600).contains(code));
    let status = status.ok_or(Status::BadArgument)?;
    let headers = guest.bytes(headers, headers_len)?;
    check(headers)?;
    let headers = r.pool().copy_str(headers).ok_or(Status::InternalFailure)?;
    let body = r.pool().copy_str(guest.bytes(body, body_len)?).ok_or(Status::InternalFailure)?;
    let (body, headers) = (in_pool(body), in_pool(headers));
    guest.host().wants.local_response = Some(LocalResponse { status, body, headers });
    Ok(())
}

fn check(headers: &[u8]) -> Result<(), Status> {
    let map = HeaderMap::parse(headers).map_err(|_| Status::BadArgument)?;
    let valid = map.iter().all(|(name, value)| is_token(name) && is_field_value(value));
    if valid { Ok(()) } else { Err(Status::BadArgument) }
}

// The copy lives as long as the request, and so does whoever sends it.
fn in_pool(copy: ngx_str_t) -> &'static [u8] {
    // SAFETY: a string of the request's pool.
    unsafe { bytes(copy) }
}
