//! What the backend is told of a client: headers of the request, which go wherever the request goes.

use wick_native::headers::{Side, add, each, remove};
use wick_native::request::Request;
use wick_native::tls::Client;

const VERIFY: &[u8] = b"ssl-client-verify";
const SUBJECT: &[u8] = b"ssl-client-subject-dn";
const ISSUER: &[u8] = b"ssl-client-issuer-dn";
const CERTIFICATE: &[u8] = b"ssl-client-cert";

/// Puts the headers in the place of what the client said under their names; `subject` is that of its certificate.
/// Without TLS, and where there is nothing to tell, the request is left without. `None`: out of memory.
pub fn tell(
    r: Request,
    client: Option<Client>,
    subject: &[u8],
    passes_certificate: bool,
) -> Option<()> {
    let ours = each(r, Side::Request).map(|(name, _)| name).filter(|name| is_ours(name));
    ours.collect::<Vec<_>>().into_iter().for_each(|name| remove(r, Side::Request, name));
    let Some(client) = client else { return Some(()) };
    put(r, VERIFY, client.verify()?)?;
    put(r, SUBJECT, subject)?;
    put(r, ISSUER, client.issuer()?)?;
    if passes_certificate {
        put(r, CERTIFICATE, client.escaped_certificate()?)?;
    }
    Some(())
}

fn put(r: Request, name: &[u8], value: &[u8]) -> Option<()> {
    if value.is_empty() { Some(()) } else { add(r, Side::Request, name, value).ok() }
}

/// Whether a backend may take the name for one of ours: CGI and what came after it make one variable of
/// `ssl-client-verify`, `SSL_Client_Verify` and `ssl.client.verify`.
fn is_ours(name: &[u8]) -> bool {
    [VERIFY, SUBJECT, ISSUER, CERTIFICATE].iter().any(|ours| is_alike(name, ours))
}

fn is_alike(name: &[u8], ours: &[u8]) -> bool {
    let is_alike = |(byte, ours): (&u8, &u8)| {
        byte.eq_ignore_ascii_case(ours) || *ours == b'-' && !byte.is_ascii_alphanumeric()
    };
    name.len() == ours.len() && name.iter().zip(ours).all(is_alike)
}
