//! Why a session is closed before it got to an endpoint.

use ngx::ffi::{
    NGX_STREAM_BAD_GATEWAY, NGX_STREAM_BAD_REQUEST, NGX_STREAM_FORBIDDEN,
    NGX_STREAM_INTERNAL_SERVER_ERROR, NGX_STREAM_SERVICE_UNAVAILABLE, ngx_int_t,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Nobody serves the port.
    NoRecord,
    /// What is said of the port cannot be read, or names a list that is not there.
    Unreadable,
    /// The client has to send a PROXY header, and did not.
    ProxyHeader,
    /// The client asks for a server name that nobody serves.
    ServerName,
    /// By the lists of addresses.
    Denied,
    /// Too many at a time.
    Connections,
    /// Too many in a while.
    Rate,
    /// Of TLS that ends here.
    Handshake,
}

impl Refusal {
    pub const ALL: [Refusal; 8] = [
        Refusal::NoRecord,
        Refusal::Unreadable,
        Refusal::ProxyHeader,
        Refusal::ServerName,
        Refusal::Denied,
        Refusal::Connections,
        Refusal::Rate,
        Refusal::Handshake,
    ];

    /// In logs and counters.
    pub fn name(self) -> &'static str {
        match self {
            Refusal::NoRecord => "no_record",
            Refusal::Unreadable => "unreadable",
            Refusal::ProxyHeader => "proxy_header",
            Refusal::ServerName => "server_name",
            Refusal::Denied => "denied",
            Refusal::Connections => "connections",
            Refusal::Rate => "rate",
            Refusal::Handshake => "handshake",
        }
    }

    /// How the log line of the error goes on.
    pub fn sentence(self) -> &'static str {
        match self {
            Refusal::NoRecord => "nothing is known of it",
            Refusal::Unreadable => "what is known of it cannot be read",
            Refusal::ProxyHeader => "the client has sent no PROXY header",
            Refusal::ServerName => "the client asks for no server name that is served",
            Refusal::Denied => "the client's address is not allowed",
            Refusal::Connections => "the client has too many connections",
            Refusal::Rate => "the client opens connections too fast",
            Refusal::Handshake => "there is nothing to make its handshakes with",
        }
    }

    /// As nginx has it in `$status`.
    pub fn status(self) -> ngx_int_t {
        let status = match self {
            Refusal::NoRecord | Refusal::ServerName => NGX_STREAM_BAD_GATEWAY,
            Refusal::Unreadable | Refusal::Handshake => NGX_STREAM_INTERNAL_SERVER_ERROR,
            Refusal::ProxyHeader => NGX_STREAM_BAD_REQUEST,
            Refusal::Denied => NGX_STREAM_FORBIDDEN,
            Refusal::Connections | Refusal::Rate => NGX_STREAM_SERVICE_UNAVAILABLE,
        };
        status as ngx_int_t
    }
}
