//! What `ingress_route` is told besides its zone: `[server=NAME] [ports=PORT,…] [scheme=VALUE] [host=VALUE] [explain=LOCATION] [locations=SERVER_NAME]`.

use wick_native::complex::Complex;
use wick_native::conf::Conf;

pub struct Parameters<'w> {
    pub server: &'w [u8],
    /// Those of that server, where listeners may have servers of their own, which are asked first.
    pub ports: Option<Box<[u16]>>,
    /// Decides about redirects to HTTPS.
    pub scheme: Complex,
    /// What `$redirect_host` is made of.
    pub host: Complex,
    /// The named location that every request enters, whatever its route names; the answer says which route was found.
    pub explain: Option<&'w [u8]>,
    /// The `server_name` of the server block whose named locations are entered; `None`: the one around.
    pub locations: Option<&'w [u8]>,
}

impl<'w> Parameters<'w> {
    /// `None`: a word is wrong, and the log says so.
    pub fn read(conf: Conf, words: &[&'w [u8]]) -> Option<Parameters<'w>> {
        let (mut server, mut ports, mut scheme, mut host) = (None, None, None, None);
        let (mut explain, mut locations) = (None, None);
        for word in words {
            let fresh = match parameter(word) {
                (b"server=", name) if is_server_name(name) => server.replace(name).is_none(),
                (b"ports=", list) if ports_in(list).is_some() => {
                    ports.replace(ports_in(list)).is_none()
                }
                (b"scheme=", value) if !value.is_empty() => scheme.replace(value).is_none(),
                (b"host=", value) if !value.is_empty() => host.replace(value).is_none(),
                (b"explain=", name) if !name.is_empty() => explain.replace(name).is_none(),
                (b"locations=", name) if !name.is_empty() => locations.replace(name).is_none(),
                _ => false,
            };
            if !fresh {
                let word = word.escape_ascii();
                conf.error(format_args!("invalid parameter \"{word}\" in \"ingress_route\""));
                return None;
            }
        }
        Some(Parameters {
            server: server.unwrap_or(b"main"),
            ports: ports.flatten(),
            scheme: Complex::compile(conf, scheme.unwrap_or(b"$scheme"))?,
            host: Complex::compile(conf, host.unwrap_or(b"$host"))?,
            explain,
            locations,
        })
    }
}

/// A word up to its first `=`, and what follows.
fn parameter(word: &[u8]) -> (&[u8], &[u8]) {
    word.split_at(word.iter().position(|byte| *byte == b'=').map_or(0, |at| at + 1))
}

/// One at least, with commas between them.
fn ports_in(list: &[u8]) -> Option<Box<[u16]>> {
    std::str::from_utf8(list).ok()?.split(',').map(port).collect()
}

fn port(text: &str) -> Option<u16> {
    text.parse().ok().filter(|port| *port > 0)
}

/// Server names as docs/wire.md 1 has them.
fn is_server_name(name: &[u8]) -> bool {
    let allowed = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    (1..=63).contains(&name.len()) && name.iter().all(allowed)
}
