//! What a host asks of its clients' certificates: checked for each request, before a route is looked for.
//!
//! The handshake asked for the certificate and verified it, by server name ([`crate::tls`]), and let everybody pass. Here
//! the host that is requested decides what may pass, as nginx does with `ssl_verify_client`.

mod admitted;
mod error_page;
mod headers;
mod subject;
mod verification;

use std::rc::Rc;

use ngx::ffi::{
    NGX_HTTP_FORBIDDEN, NGX_HTTP_INTERNAL_SERVER_ERROR, NGX_HTTP_MISDIRECTED_REQUEST,
    NGX_HTTPS_CERT_ERROR, NGX_HTTPS_NO_CERT, NGX_LOG_INFO, ngx_int_t,
};
use wick_native::log;
use wick_native::request::Request;
use wick_native::response;
use wick_native::tls::Client;
use wick_routes::{ClientCertificate, HostRoutes};

use self::subject::SubjectPattern;
use self::verification::Refusal;
use super::worker::Worker;
use crate::tls::handshake::handshake;

const INTERNAL_ERROR: ngx_int_t = NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t;
const MISDIRECTED: ngx_int_t = NGX_HTTP_MISDIRECTED_REQUEST as ngx_int_t;
const CERTIFICATE_ERROR: ngx_int_t = NGX_HTTPS_CERT_ERROR as ngx_int_t;
const NO_CERTIFICATE: ngx_int_t = NGX_HTTPS_NO_CERT as ngx_int_t;

/// What one host asks.
pub struct Clients {
    /// What the host's record is called.
    record_name: Box<[u8]>,
    asked: ClientCertificate,
    subject: Option<SubjectPattern>,
}

/// What a request is answered that does not go on: a status, or nginx's code for a response that was sent.
type Answer = ngx_int_t;

impl Clients {
    /// `None`: the host `name` asks nothing.
    pub fn of(name: &[u8], routes: &HostRoutes) -> Option<Rc<Clients>> {
        let asked = routes.client_certificate()?.clone();
        let subject = asked.match_cn.as_deref().map(SubjectPattern::new);
        Some(Rc::new(Clients { record_name: name.into(), asked, subject }))
    }

    /// Admits the request, or says what it is answered. One that comes back, from a redirect inside nginx, is not asked
    /// again.
    #[cold] // Most hosts ask nothing: theirs is the straight way.
    pub fn check(&self, r: Request, worker: &Worker) -> Result<(), Answer> {
        if admitted::was(r) {
            return Ok(());
        }
        let client = Client::of(r);
        if let Some(client) = client
            && let Err(refusal) = verification::verify(r, client, &self.record_name, &self.asked)
        {
            return self.refuse(r, client, refusal);
        }
        let subject = client.map_or(Some(&b""[..]), Client::subject).ok_or(INTERNAL_ERROR)?;
        match &self.subject {
            Some(pattern) if !pattern.matches(subject, r, worker) => Err(unauthorized(r)),
            _ => self.admit(r, client, subject),
        }
    }

    fn admit(&self, r: Request, client: Option<Client>, subject: &[u8]) -> Result<(), Answer> {
        let told = headers::tell(r, client, subject, self.asked.passes_certificate);
        told.and_then(|()| admitted::note(r)).ok_or(INTERNAL_ERROR)
    }

    fn refuse(&self, r: Request, client: Client, refusal: Refusal) -> Result<(), Answer> {
        log::write(r.log(), NGX_LOG_INFO as usize, format_args!("{refusal}"));
        let status = match refusal {
            Refusal::Misdirected => return Err(MISDIRECTED),
            Refusal::Outdated => {
                r.retire_connection();
                return Err(MISDIRECTED);
            }
            Refusal::Invalid(_) => CERTIFICATE_ERROR,
            Refusal::Missing => NO_CERTIFICATE,
        };
        client.forget_session();
        let Some(page) = self.asked.error_page.as_deref() else { return Err(status) };
        error_page::lead(r, page, status)?;
        self.admit(r, Some(client), client.subject().ok_or(INTERNAL_ERROR)?)
    }
}

/// Lets the request go on if its handshake was for the same listener, as is every request in plain text.
///
/// # Errors: what it is answered.
pub fn check_listener(r: Request, listener: &[u8]) -> Result<(), Answer> {
    match handshake(r) {
        Some(handshake) if handshake.listener() != Some(listener) => {
            let why = Refusal::Misdirected;
            log::write(r.log(), NGX_LOG_INFO as usize, format_args!("{why}"));
            Err(MISDIRECTED)
        }
        _ => Ok(()),
    }
}

/// As nginx's `return 403 "…"`, so that no error page takes its place.
fn unauthorized(r: Request) -> Answer {
    response::send_text(r, NGX_HTTP_FORBIDDEN as u16, b"client certificate unauthorized")
}
