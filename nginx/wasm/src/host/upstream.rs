//! The upstream-selection proposal: choosing a peer, its timeouts, and accepting a response.

use wasmtime::{Error, Linker};
use wick_abi::{LogLevel, Status};
use wick_guest::{Answer, define};

use super::current::Step;
use super::guest::{AtHand, Guest, range};
use super::state::Host;
use crate::attempts::peer::Peer;
use crate::attempts::timeouts::Timeouts;

pub fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    define!(linker: Host,
        "proxy_set_upstream"(address, address_len, port, tls, sni, sni_len) => set_upstream;
        "proxy_accept_upstream_response"() => accept_response;
        "proxy_get_upstream_timeouts"(connect_at, send_at, read_at) => get_timeouts;
        "proxy_set_upstream_timeouts"(connect, send, read) => set_timeouts;
    );
    Ok(())
}

fn set_upstream(
    guest: &mut Guest<'_>,
    address: i32,
    address_len: i32,
    port: i32,
    tls: i32,
    _sni: i32,
    sni_len: i32,
) -> Answer {
    let peer = peer(
        guest,
        &[Step::UpstreamSelect],
        "can only set upstream during \"on_upstream_select\"",
    )?;
    let (memory, host) = guest.split()?;
    let text = range(memory, address, address_len)?;
    let target = host.targets.get(text, port as u32).ok_or(Status::BadArgument)?;
    // The location decides about TLS and its names, see docs/abi.md: more than it does cannot be had.
    if (tls != 0 && !peer.is_tls()) || sni_len != 0 {
        return Err(Status::BadArgument.into());
    }
    if let Some(chosen) = peer.choice() {
        let name = String::from_utf8_lossy(chosen.name());
        let line = format!("upstream \"{name}\" already set, overwriting not allowed");
        host.write_line(LogLevel::Warn, &line);
        return Err(Status::BadArgument.into());
    }
    peer.choose(target).ok_or(Status::InternalFailure)?;
    Ok(())
}

fn accept_response(guest: &mut Guest<'_>) -> Answer {
    peer(guest, &[Step::NextUpstream], "can only accept response during \"on_next_upstream\"")?;
    guest.host().wants.accept = true;
    Ok(())
}

const UPSTREAM_STEPS: [Step; 3] = [Step::UpstreamSelect, Step::NextUpstream, Step::UpstreamInfo];

fn get_timeouts(guest: &mut Guest<'_>, connect_at: i32, send_at: i32, read_at: i32) -> Answer {
    let wrong = "can only get upstream timeouts during \"on_upstream_*\" phases";
    let now = peer(guest, &UPSTREAM_STEPS, wrong)?.timeouts();
    for (at, value) in
        [(connect_at, now.connect_ms), (send_at, now.send_ms), (read_at, now.read_ms)]
    {
        guest.write_u32(at, value)?;
    }
    Ok(())
}

/// They hold for the attempt, and can only shorten what is configured.
fn set_timeouts(guest: &mut Guest<'_>, connect: i32, send: i32, read: i32) -> Answer {
    let wrong = "can only set upstream timeouts during \"on_upstream_select\"";
    peer(guest, &[Step::UpstreamSelect], wrong)?;
    if connect < 0 || send < 0 || read < 0 {
        return Err(Status::BadArgument.into());
    }
    let (connect_ms, send_ms, read_ms) = (connect as u32, send as u32, read as u32);
    guest.host().wants.timeouts = Some(Timeouts { connect_ms, send_ms, read_ms });
    Ok(())
}

/// The attempt at hand; a call at another time is a bug of the filter's, which is stopped.
fn peer<'a>(guest: &mut Guest<'a>, steps: &[Step], wrong: &str) -> Result<&'a Peer<'a>, Error> {
    let is_now = steps.contains(&guest.host().current.step);
    let peer = guest.peer().filter(|_| is_now);
    peer.ok_or_else(|| Error::msg(format!("host trap (bad usage): {wrong}")))
}
