//! `proxy_send_local_response`: the filter answers itself.

use wasmtime::Linker;
use wick_abi::{HeaderMap, Status};
use wick_guest::{Answer, define};
use wick_native::headers::{is_field_value, is_token};

use super::current::Step;
use super::guest::{AtHand, Guest, range};
use super::local_response::LocalResponse;
use super::state::Host;

pub fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    define!(linker: Host,
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
    let subject = guest.subject().ok_or(Status::BadArgument)?;
    let open = matches!(
        guest.host().current.step,
        Step::RequestHeaders | Step::RequestBody | Step::ResponseHeaders | Step::UpstreamSelect
    );
    let status = u16::try_from(code).ok().filter(|code| open && (200..600).contains(code));
    let status = status.ok_or(Status::BadArgument)?;
    let (memory, host) = guest.split()?;
    let headers = range(memory, headers, headers_len)?;
    check(headers)?;
    let body = range(memory, body, body_len)?;
    let copy =
        LocalResponse::copy(subject, status, headers, body).ok_or(Status::InternalFailure)?;
    host.wants.local_response = Some(copy);
    Ok(())
}

fn check(headers: &[u8]) -> Result<(), Status> {
    let map = HeaderMap::parse(headers).map_err(|_| Status::BadArgument)?;
    let valid = map.iter().all(|(name, value)| is_token(name) && is_field_value(value));
    if valid { Ok(()) } else { Err(Status::BadArgument) }
}
