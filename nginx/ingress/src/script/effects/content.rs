//! When a request is passed on, so that headers stand among its own no longer than nginx takes to write what a backend gets: choosing an endpoint,
//! logs and error pages see those of the client.
//!
//! The location's module begins, and often writes at once. When it has, nginx asks the block of servers next (`peer.init`): that is where ours are
//! taken away again. Where it waits for the body, the function that will write it (`create_request`) waits in the upstream, and is called by ours.

use ngx::ffi::{
    NGX_HTTP_INTERNAL_SERVER_ERROR, ngx_http_request_t, ngx_http_upstream_srv_conf_t, ngx_int_t,
};
use wick_native::code::{ERROR, OK};
use wick_native::guard::guard;
use wick_native::request::Request;

use super::in_force::{InForce, of};
use super::index::{MODULE, MainConf};
use super::passing::Passing;
use super::protocols::{Protocol, blocks};

const INTERNAL_ERROR: ngx_int_t = NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t;

/// Has the request's location begin with us.
pub fn begin(r: Request) {
    // SAFETY: a live request in the rewrite phase; a location that passes nothing on has no handler.
    unsafe {
        if r.core_loc().as_ref().handler.is_some() {
            (*r.as_ptr()).content_handler = Some(content);
        }
    }
}

#[inline]
fn main_conf(r: Request<'_>) -> &MainConf {
    // SAFETY: the module's main configuration, which lives longer than requests.
    unsafe { &*r.main_conf::<MainConf>(MODULE.get()) }
}

unsafe extern "C" fn content(r: *mut ngx_http_request_t) -> ngx_int_t {
    guard(INTERNAL_ERROR, || {
        // SAFETY: nginx calls with a live request, whose location has a handler.
        let (r, handler) = unsafe {
            let r = Request::from_raw(r);
            (r, r.core_loc().as_ref().handler)
        };
        let (Some(handler), Some((in_force, passing))) = (handler, passing_of(r)) else {
            return INTERNAL_ERROR;
        };
        if write(r, passing).is_none() {
            return INTERNAL_ERROR;
        }
        // The request may be gone afterwards.
        let writing = &main_conf(r).writing;
        // SAFETY: as nginx would.
        let rc = unsafe { handler(r.as_ptr()) };
        if writing.borrow_mut().end().is_some() {
            wait(r, in_force);
        }
        rc
    })
}

fn passing_of<'r>(r: Request<'r>) -> Option<(&'r InForce, &'r Passing)> {
    let in_force = of(r)?;
    Some((in_force, in_force.effects.passing.as_ref()?))
}

/// Puts the headers among the request's, until nginx asks a block. `None`: out of memory, or a value is too long.
#[inline]
fn write(r: Request, passing: &Passing) -> Option<()> {
    let main = main_conf(r);
    let (protocol, block) = main.protocols.of(r);
    // SAFETY: the request shares it.
    let passed = unsafe { passing.begin(r, protocol)? };
    let own = block.as_ref().map_or(blocks(r), std::slice::from_ref);
    main.writing.borrow_mut().begin((r, passed, protocol), own, Some(written));
    Some(())
}

/// nginx has not written it: it waits for the body, or could not.
fn wait(r: Request, in_force: &InForce) {
    let Some(upstream) = r.upstream() else { return };
    // SAFETY: the request's upstream, which nginx has not used yet.
    unsafe {
        let create = &mut (*upstream.as_ptr()).create_request;
        in_force.create_request.set(*create);
        *create = Some(create_request);
    }
}

/// nginx has written it, and asks for a server.
unsafe extern "C" fn written(
    r: *mut ngx_http_request_t,
    block: *mut ngx_http_upstream_srv_conf_t,
) -> ngx_int_t {
    guard(ERROR, || {
        // SAFETY: nginx calls with a live request, and a block, which then has its own function again.
        unsafe {
            let request = Request::from_raw(r);
            let protocol = main_conf(request).writing.borrow_mut().end();
            if protocol.is_some_and(|protocol| finish(request, protocol).is_none()) {
                return ERROR;
            }
            (*block).peer.init.map_or(ERROR, |init| init(r, block))
        }
    })
}

/// The body is there.
unsafe extern "C" fn create_request(r: *mut ngx_http_request_t) -> ngx_int_t {
    guard(ERROR, || {
        // SAFETY: nginx calls with a live request.
        let r = unsafe { Request::from_raw(r) };
        let Some((in_force, passing)) = passing_of(r) else { return ERROR };
        // SAFETY: the request shares it; nginx would call the same.
        unsafe {
            let (protocol, _) = main_conf(r).protocols.of(r);
            let Some(passed) = passing.begin(r, protocol) else { return ERROR };
            let rc = in_force.create_request.get().map_or(ERROR, |create| create(r.as_ptr()));
            passed.as_ref().end(r);
            if rc == OK && finish(r, protocol).is_none() { ERROR } else { rc }
        }
    })
}

/// `None`: as of [`write`].
#[inline]
fn finish(r: Request, protocol: Protocol) -> Option<()> {
    let Some((_, passing)) = passing_of(r) else { return Some(()) };
    // SAFETY: the request shares it; nothing was sent yet.
    unsafe { passing.finish(r, protocol) }
}
