//! Where those go who bring no good certificate: what nginx's `error_page 495 496 = PAGE` does.

use ngx::ffi::{NGX_HTTP_INTERNAL_SERVER_ERROR, NGX_HTTP_MOVED_TEMPORARILY, ngx_int_t};
use wick_native::request::Request;

use crate::routes::redirect::set_location;

/// Asks for the page in the place of what was requested, if it is a path; its route is looked for next.
///
/// # Errors: what the request is answered: a redirect to a URL, or `status`, as a named location is not entered.
pub fn lead(r: Request, page: &[u8], status: ngx_int_t) -> Result<(), ngx_int_t> {
    const FAILED: ngx_int_t = NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t;
    r.close_after();
    match page.first() {
        Some(b'/') => ask_for(r, page).ok_or(FAILED),
        Some(b'@') => Err(status),
        _ => {
            Err(set_location(r, page).map_or(FAILED, |()| NGX_HTTP_MOVED_TEMPORARILY as ngx_int_t))
        }
    }
}

/// `None`: out of memory.
fn ask_for(r: Request, page: &[u8]) -> Option<()> {
    // The record may be replaced while the request runs.
    let page: &[u8] = r.pool().copy(page)?;
    let end = page.iter().position(|byte| *byte == b'?').unwrap_or(page.len());
    let (path, args) = (&page[..end], page.get(end + 1..).unwrap_or_default());
    // SAFETY: in the request's memory.
    unsafe { r.get_instead(path, args) };
    Some(())
}
