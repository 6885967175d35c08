//! Whether a session may go on to an endpoint, and how it goes on.

use ngx::ffi::ngx_int_t;
use wick_access::{Verdict, check_address};
use wick_limits::{Answer, Limits};
use wick_native::code::{DECLINED, ERROR};
use wick_native::stream::session::Session;
use wick_streams::{ProxyVersion, Target, proxy_header};

use super::ready::Ready;
use super::refusal::Refusal;
use super::session::{Kept, lacks_proxy_header};
use crate::limits;

/// What the phase answers.
pub fn admit<'s>(s: Session<'s>, kept: &Kept<'s>) -> ngx_int_t {
    kept.count_begin();
    match check(s, kept) {
        Ok((ready, target)) => go_on(s, kept, ready, target).map_or(ERROR, |()| DECLINED),
        Err(why) => refuse(s, kept, why),
    }
}

fn check<'k>(s: Session, kept: &'k Kept<'_>) -> Result<(&'k Ready, &'k Target), Refusal> {
    let ready = match kept.found.as_deref() {
        None => return Err(Refusal::NoRecord),
        Some(Err(_)) => return Err(Refusal::Unreadable),
        Some(Ok(ready)) => ready,
    };
    if lacks_proxy_header(&ready.stream, s) {
        return Err(Refusal::ProxyHeader);
    }
    let target = ready.target(kept.name.get()).ok_or(Refusal::ServerName)?;
    let wants_tls = target.tls.is_some() || target.backend_tls.is_some();
    if wants_tls && !ready.has_tls_for(kept.name.get()) {
        return Err(Refusal::Handshake);
    }
    let has_lists = ready.allow.is_some() || ready.deny.is_some();
    if has_lists && !is_allowed(s, ready) {
        return Err(Refusal::Denied);
    }
    ready.limits.as_ref().map_or(Ok(()), |of_stream| limit(s, kept, ready, of_stream))?;
    Ok((ready, target))
}

/// By the lists of those who may come, and of those who may not.
#[inline(never)] // most streams have none
fn is_allowed(s: Session, ready: &Ready) -> bool {
    let client = s.connection().peer_address().map(|it| it.ip());
    let verdict = check_address(client, ready.allow.as_deref(), ready.deny.as_deref(), &[]);
    !matches!(verdict, Verdict::Refused(_))
}

/// Where clients cannot be counted, none may come.
#[inline(never)] // most streams have none
fn limit(s: Session, kept: &Kept, ready: &Ready, of_stream: &Limits) -> Result<(), Refusal> {
    let zone = limits::zone().ok_or(Refusal::Connections)?;
    let client = s.connection().peer_address().map(|it| it.ip());
    let number = |seed| of_stream.identity.client(client, seed, |_, _| None);
    match zone.ask(of_stream, ready.namespace, number) {
        Answer::Granted(connection, _) => {
            kept.connection.set(connection.map(|connection| (zone, connection)));
            Ok(())
        }
        Answer::TooFast(..) => Err(Refusal::Rate),
        Answer::TooMany => Err(Refusal::Connections),
    }
}

/// `None`: out of memory.
fn go_on<'s>(s: Session<'s>, kept: &Kept<'s>, ready: &Ready, target: &Target) -> Option<()> {
    if let Some(confs) = ready.srv_confs(kept.name.get()) {
        // SAFETY: the record stays with the session.
        unsafe { s.set_srv_confs(confs) };
    }
    if target.tls.is_some() {
        s.expect_tls();
    }
    if let Some(drain_ms) = ready.stream.drain_ms {
        kept.drain(s, drain_ms);
    }
    let connection = s.connection();
    if ready.stream.sends_proxy_protocol == Some(ProxyVersion::V2) && connection.is_stream() {
        let header = proxy_header(connection.peer_address(), connection.local_address());
        connection.put_first(&header)?;
    }
    Some(())
}

#[cold]
fn refuse(s: Session, kept: &Kept, why: Refusal) -> ngx_int_t {
    kept.refusal.set(Some(why));
    kept.record.counters.refused(why);
    let (name, why_not, client) =
        (kept.record.name, why.sentence(), s.connection().peer().escape_ascii());
    let line = format_args!("Cannot serve \"{name}\": {why_not}, client: {client}");
    kept.route.errors.error(s.log(), line);
    why.status()
}
