//! What the backend is told of a client: headers of the request, which go wherever the request goes.

use wick_native::headers::{Side, add, remove_alike};
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
    [VERIFY, SUBJECT, ISSUER, CERTIFICATE].iter().for_each(|ours| remove_alike(r, ours));
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
