//! The phase before access: the body.

use ngx::ffi::{
    NGX_HTTP_INTERNAL_SERVER_ERROR, ngx_http_core_run_phases, ngx_http_request_t, ngx_int_t,
};
use wick_metrics::Outcome;
use wick_native::code::DECLINED;
use wick_native::guard::guard;
use wick_native::request::Request;
use wick_native::{bits, body};

use super::inspection::{Inspection, Step};
use super::verdict::refuse;

const INTERNAL_ERROR: ngx_int_t = NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t;
/// Of the body, at a time.
const CHUNK: usize = 64 << 10;

// Most requests have nothing to inspect. Theirs go on before anything is set up that only the others need.
pub unsafe extern "C" fn preaccess(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: handlers get live requests.
    let r = unsafe { Request::from_raw(r) };
    Inspection::here(r).map_or(DECLINED, |inspection| inspect(r, inspection))
}

#[inline(never)]
fn inspect(r: Request, inspection: &Inspection) -> ngx_int_t {
    guard(INTERNAL_ERROR, || go_on(r, inspection).unwrap_or_else(|answer| answer))
}

/// # Errors: the answer for nginx, too.
fn go_on(r: Request, inspection: &Inspection) -> Result<ngx_int_t, ngx_int_t> {
    match inspection.step.get() {
        Step::Head if r.has_body() && wants_body(inspection) => {
            inspection.step.set(Step::Reading);
            // SAFETY: called from a phase handler, which returns the result.
            Ok(unsafe { body::read(r, Some(body_read)) })
        }
        Step::Head | Step::Read => inspect_body(r, inspection).map(|()| DECLINED),
        _ => Ok(DECLINED),
    }
}

fn wants_body(inspection: &Inspection) -> bool {
    inspection.transaction.borrow().as_ref().is_some_and(|it| it.set().wants.request_body)
}

/// The body is there: the phases go on with the handler that asked for it.
unsafe extern "C" fn body_read(r: *mut ngx_http_request_t) {
    // SAFETY: nginx calls this with the live request whose body was asked for.
    guard((), || unsafe {
        let Some(inspection) = Inspection::here(Request::from_raw(r)) else { return };
        inspection.step.set(Step::Read);
        bits::request::PRESERVE_BODY.set(r, 1);
        (*r).write_event_handler = Some(ngx_http_core_run_phases);
        ngx_http_core_run_phases(r);
    })
}

/// Without a body, too: there are rules that only then look at the arguments.
///
/// # Errors: the answer for nginx.
fn inspect_body(r: Request, inspection: &Inspection) -> Result<(), ngx_int_t> {
    let stopped = |intervention| match intervention {
        Some(intervention) => Err(refuse(r, inspection, &intervention, Outcome::RequestBody)),
        None => Ok(()),
    };
    if inspection.step.get() == Step::Read {
        let (mut chunk, mut at) = (vec![0; CHUNK], 0);
        loop {
            let read = body::copy(r, at, &mut chunk).ok_or(INTERNAL_ERROR)?;
            if read == 0 {
                break;
            }
            at += read;
            let intervention = inspection.with(r, |transaction| {
                transaction.append_request_body(&chunk[..read]);
                transaction.intervention()
            });
            stopped(intervention.flatten())?;
        }
    }
    let intervention = inspection.with(r, |transaction| {
        transaction.request_body();
        transaction.intervention()
    });
    stopped(intervention.flatten())?;
    inspection.step.set(Step::Request);
    Ok(())
}
