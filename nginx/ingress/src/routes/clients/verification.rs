//! Whether a handshake stands for what a host asks, in the order and with the words of nginx's `ngx_http_process_request`.

use std::fmt;

use wick_native::request::Request;
use wick_native::tls::{Client, VerifyError};
use wick_routes::{ClientCertificate, Verify};

use crate::tls::handshake::{Handshake, handshake};

/// Why a request is not served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The handshake was made for another host.
    Misdirected,
    /// The handshake was made before something else was asked.
    Outdated,
    Invalid(VerifyError),
    Missing,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Misdirected => f.write_str(
                "client attempted to request the server name different from the one that was negotiated",
            ),
            Refusal::Outdated => {
                f.write_str("client made its TLS handshake before its host asked for something else")
            }
            Refusal::Invalid(error) => {
                let (code, reason) = (error.code(), error.reason());
                write!(f, "client SSL certificate verify error: ({code}:{reason})")
            }
            Refusal::Missing => f.write_str("client sent no required SSL certificate"),
        }
    }
}

/// Whether the client has shown what the host of this record asks.
pub fn verify(
    r: Request,
    client: Client,
    record_name: &[u8],
    asked: &ClientCertificate,
) -> Result<(), Refusal> {
    let handshake = handshake(r);
    let is_same = handshake.is_some_and(|handshake| is_for(r, handshake, record_name));
    let authority = handshake.and_then(Handshake::authority);
    if asked.verify == Verify::Required {
        // Another host of this authority, or this one before, may let clients go on without a certificate.
        let has_shown = authority == Some(&*asked.authority)
            && client.has_certificate()
            && client.verified().is_ok();
        return if has_shown { Ok(()) } else { Err(Refusal::Outdated) };
    }
    let wanted = (asked.verify != Verify::Off).then_some(&*asked.authority);
    if wanted.is_some() && !is_same {
        return match handshake {
            Some(handshake) if was_asked_nothing(handshake) => without_certificate(asked.verify),
            _ => Err(Refusal::Misdirected),
        };
    }
    if authority != wanted {
        return Err(if is_same { Refusal::Outdated } else { Refusal::Misdirected });
    }
    certificate(client, asked.verify)
}

/// Whether the handshake was made for the host that is requested now.
fn is_for(r: Request, handshake: &Handshake, record_name: &[u8]) -> bool {
    let is_name = handshake.server_name().is_none_or(|name| name == r.host());
    is_name && handshake.record_name() == Some(record_name)
}

/// Whether the client named no host, and no host asked it for a certificate: to nginx it is one that has none.
fn was_asked_nothing(handshake: &Handshake) -> bool {
    handshake.server_name().is_none() && handshake.authority().is_none()
}

fn without_certificate(verify: Verify) -> Result<(), Refusal> {
    if verify == Verify::On { Err(Refusal::Missing) } else { Ok(()) }
}

fn certificate(client: Client, verify: Verify) -> Result<(), Refusal> {
    let tolerated = |error: &VerifyError| verify == Verify::OptionalNoCa && error.is_about_issuer();
    match client.verified() {
        // Nobody was asked, so there is nothing that could fail.
        _ if verify == Verify::Off => Ok(()),
        Err(error) if !tolerated(&error) => Err(Refusal::Invalid(error)),
        _ if verify == Verify::On && !client.has_certificate() => Err(Refusal::Missing),
        _ => Ok(()),
    }
}
