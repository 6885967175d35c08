//! The hashes of RFC 7616 that are offered.

use md5::Md5;
use sha2::{Digest, Sha256};

/// By which a user's hash, HA1, was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    Md5,
    Sha256,
}

impl Algorithm {
    const ALL: [Algorithm; 2] = [Algorithm::Sha256, Algorithm::Md5];

    /// That of a hash in hexadecimal digits; `None`: it is no such hash.
    pub fn of_hash(hash: &[u8]) -> Option<Algorithm> {
        let algorithm = match hash.len() {
            32 => Algorithm::Md5,
            64 => Algorithm::Sha256,
            _ => return None,
        };
        hash.iter().all(u8::is_ascii_hexdigit).then_some(algorithm)
    }

    /// That of a client's `algorithm`, whose case does not matter.
    pub fn named(name: &[u8]) -> Option<Algorithm> {
        Algorithm::ALL
            .into_iter()
            .find(|algorithm| algorithm.name().as_bytes().eq_ignore_ascii_case(name))
    }

    pub fn name(self) -> &'static str {
        match self {
            Algorithm::Md5 => "MD5",
            Algorithm::Sha256 => "SHA-256",
        }
    }

    /// The hash of parts with colons between them, in lower-case digits.
    pub fn hash(self, parts: &[&[u8]]) -> Vec<u8> {
        let text = parts.join(&b':');
        match self {
            Algorithm::Md5 => hex(&Md5::digest(&text)),
            Algorithm::Sha256 => hex(&Sha256::digest(&text)),
        }
    }
}

pub fn hex(bytes: &[u8]) -> Vec<u8> {
    let digit = |nibble: u8| char::from_digit(nibble.into(), 16).map_or(b'0', |digit| digit as u8);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
