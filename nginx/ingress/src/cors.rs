//! What browsers are told about pages of other origins (CORS), and the answer to what they ask beforehand (a preflight).

use ngx::ffi::NGX_HTTP_OPTIONS;
use wick_native::headers::{is_field_value, push_fixed, request_header, retain};
use wick_native::request::Request;
use wick_routes::{Cors, Origins};

/// What all names begin with that a route says something about, whatever their case.
const PREFIX: &[u8] = b"access-control-";

/// The value of `Access-Control-Allow-Origin` for this request; `None`: it is not allowed, and nothing is said.
fn allowed_origin<'a>(cors: &'a Cors, r: Request<'a>) -> Option<&'a [u8]> {
    match &cors.origins {
        Origins::All if cors.is_gateway => {
            request_header(r, b"origin").filter(|origin| is_field_value(origin))
        }
        Origins::All => Some(b"*"),
        Origins::Listed(listed) => {
            request_header(r, b"origin").filter(|origin| listed.contains(origin))
        }
    }
}

/// Whether the request is answered here, with 204, and goes no further: any OPTIONS from an origin that is allowed, or by the words of the
/// Gateway API a preflight, whatever its origin. Its headers come with the response, as with any other. `None`: out of memory.
pub fn answers(cors: &Cors, r: Request) -> Option<bool> {
    let is_answered = if cors.is_gateway {
        is_preflight(r)
    } else {
        is_options(r) && allowed_origin(cors, r).is_some()
    };
    if !is_answered {
        return Some(false);
    }
    // nginx itself sends neither with a 204; ingress-nginx does.
    // SAFETY: good values that live for ever. These are not the members of headers_out that nginx looks at.
    unsafe {
        push_fixed(r, b"Content-Type", b"text/plain charset=UTF-8")?;
        push_fixed(r, b"Content-Length", b"0")?;
    }
    Some(true)
}

/// What a browser asks before it sends the request itself (Fetch standard, CORS-preflight request).
fn is_preflight(r: Request) -> bool {
    is_options(r) && request_header(r, METHOD).is_some() && request_header(r, b"origin").is_some()
}

fn is_options(r: Request) -> bool {
    // SAFETY: a live request.
    unsafe { (*r.as_ptr()).method == NGX_HTTP_OPTIONS as usize }
}

const METHOD: &[u8] = b"access-control-request-method";
const HEADERS: &[u8] = b"access-control-request-headers";

/// Says it in the response, in the place of what the backend says. `None`: out of memory.
///
/// # Safety
/// `cors` lives as long as the request.
pub unsafe fn put(cors: &Cors, r: Request) -> Option<()> {
    let origin = allowed_origin(cors, r);
    let mut is_varied = matches!(cors.origins, Origins::All) && !cors.is_gateway;
    retain(r, |name, value| {
        is_varied |= name.eq_ignore_ascii_case(b"vary") && covers_origin(value);
        origin.is_none() || !is_said(cors, name)
    });
    // SAFETY: texts of a record or of the request, which may stand in headers; all of them live as long as the request.
    unsafe {
        if !is_varied {
            push_fixed(r, b"Vary", b"Origin")?;
        }
        origin.map_or(Some(()), |origin| say(cors, r, origin))
    }
}

/// Whether a cache that goes by this `Vary` tells origins apart.
fn covers_origin(vary: &[u8]) -> bool {
    let mut fields = vary.split(|byte| *byte == b',').map(<[u8]>::trim_ascii);
    fields.any(|field| field == b"*" || field.eq_ignore_ascii_case(b"origin"))
}

/// Whether this header is for the route to say.
fn is_said(cors: &Cors, name: &[u8]) -> bool {
    let Some((prefix, rest)) = name.split_at_checked(PREFIX.len()) else { return false };
    if !prefix.eq_ignore_ascii_case(PREFIX) {
        return false;
    }
    let is = |name: &[u8]| rest.eq_ignore_ascii_case(name);
    is(b"allow-origin")
        || is(b"allow-credentials")
        || is(b"allow-methods")
        || is(b"allow-headers")
        || is(b"max-age")
        || (cors.expose_headers.is_some() && is(b"expose-headers"))
}

/// # Safety
/// `cors` and `origin` live as long as the request, and their texts may stand in headers.
unsafe fn say(cors: &Cors, r: Request, origin: &[u8]) -> Option<()> {
    // SAFETY: as promised.
    unsafe {
        push_fixed(r, b"Access-Control-Allow-Origin", origin)?;
        if cors.credentials {
            push_fixed(r, b"Access-Control-Allow-Credentials", b"true")?;
        }
        if let Some(exposed) = &cors.expose_headers {
            push_fixed(r, b"Access-Control-Expose-Headers", exposed)?;
        }
        if cors.is_gateway && !is_preflight(r) {
            return Some(());
        }
        if let Some(methods) = asked(cors, r, cors.allow_methods.as_deref(), METHOD) {
            push_fixed(r, b"Access-Control-Allow-Methods", methods)?;
        }
        if let Some(headers) = asked(cors, r, cors.allow_headers.as_deref(), HEADERS) {
            push_fixed(r, b"Access-Control-Allow-Headers", headers)?;
        }
        push_fixed(r, b"Access-Control-Max-Age", &cors.max_age)
    }
}

/// What is allowed; of everything what is asked for, which with credentials has to be named. `None`: nothing is said.
fn asked<'a>(
    cors: &'a Cors,
    r: Request<'a>,
    allowed: Option<&'a [u8]>,
    by: &'static [u8],
) -> Option<&'a [u8]> {
    let echoes = cors.is_gateway && allowed == Some(b"*");
    if echoes { request_header(r, by).filter(|value| is_field_value(value)) } else { allowed }
}
