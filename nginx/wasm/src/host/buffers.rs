//! Buffers: the request's body, the VM's and the plugin's configuration.

use wasmtime::Linker;
use wick_abi::{Buffer, Status};
use wick_guest::{Answer, define};
use wick_native::body;

use super::current::Step;
use super::guest::{AtHand, Guest};
use super::state::Host;

pub fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    define!(linker: Host,
        "proxy_get_buffer_bytes"(buffer, start, max, data_at, size_at) => get;
        "proxy_get_buffer_status"(buffer, size_at, unused_at) => status;
    );
    Ok(())
}

const REQUEST_BODY: i32 = Buffer::HttpRequestBody as i32;

fn get(
    guest: &mut Guest<'_>,
    buffer: i32,
    start: i32,
    max: i32,
    data_at: i32,
    size_at: i32,
) -> Answer {
    if buffer != REQUEST_BODY {
        let text = configuration(guest, buffer)?;
        return guest.give_part(text, (start, max), data_at, size_at);
    }
    let len = length(guest, buffer)?;
    let (start, max) = (start as u32 as usize, max as u32 as usize);
    let part = len.saturating_sub(start).min(max);
    let r = guest.request()?;
    guest.give_with(part, data_at, size_at, |to, _| {
        body::copy(r, start, to).map(drop).ok_or(Status::InternalFailure)
    })
}

fn status(guest: &mut Guest<'_>, buffer: i32, size_at: i32, unused_at: i32) -> Answer {
    let len = length(guest, buffer)?;
    guest.write_u32(size_at, len as u32)?;
    guest.write_u32(unused_at, 0)?;
    Ok(())
}

/// The body is there from `proxy_on_request_body` on, the configurations always.
fn length(guest: &mut Guest<'_>, buffer: i32) -> Result<usize, Status> {
    if buffer != REQUEST_BODY {
        return configuration(guest, buffer).map(|text| text.len());
    }
    let r = guest.request()?;
    match guest.host().current.step {
        Step::RequestHeaders => Err(Status::NotFound),
        _ => Ok(body::len(r)),
    }
}

// Configurations live as long as the worker.
fn configuration(guest: &mut Guest<'_>, buffer: i32) -> Result<&'static [u8], Status> {
    let host = guest.host();
    match Buffer::try_from(buffer) {
        Ok(Buffer::VmConfiguration) => Ok(host.environment.vm_configuration(host.module)),
        Ok(Buffer::PluginConfiguration) => {
            Ok(host.environment.plugin_configuration(host.current.root))
        }
        Ok(_) => Err(Status::Unimplemented),
        Err(_) => Err(Status::BadArgument),
    }
}
