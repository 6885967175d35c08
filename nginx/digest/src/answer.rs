//! What a client answers to a challenge (RFC 7616, 3.4).

use std::borrow::Cow;
use std::hint::black_box;

use crate::algorithm::Algorithm;
use crate::parameters::parameters;

/// Credentials of the scheme Digest with `qop=auth`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer<'a> {
    pub user: Cow<'a, [u8]>,
    pub realm: Cow<'a, [u8]>,
    pub nonce: Cow<'a, [u8]>,
    /// Path and query of the request, as the client says it has sent them.
    pub uri: Cow<'a, [u8]>,
    pub algorithm: Algorithm,
    /// How often it has used the nonce, this time included; from 1.
    pub count: u32,
    /// The same, as written.
    nc: Cow<'a, [u8]>,
    cnonce: Cow<'a, [u8]>,
    response: Cow<'a, [u8]>,
}

impl<'a> Answer<'a> {
    /// Reads the value of `Authorization`. `None`: it is of another scheme, or not as a client writes it that has understood the
    /// challenge; what is there twice could mean two things.
    pub fn parse(value: &'a [u8]) -> Option<Answer<'a>> {
        let (scheme, rest) = value.split_at_checked(7)?;
        if !scheme.eq_ignore_ascii_case(b"Digest ") {
            return None;
        }
        let all = parameters(rest)?;
        let find = |wanted: &str| {
            let is_it = |name: &[u8]| name.eq_ignore_ascii_case(wanted.as_bytes());
            let mut found =
                all.iter().filter(|(name, _)| is_it(name)).map(|(_, value)| value.clone());
            let first = found.next()?;
            found.next().is_none().then_some(first)
        };
        let is_twice = |name: &str| {
            all.iter().filter(|(other, _)| other.eq_ignore_ascii_case(name.as_bytes())).count() > 1
        };
        if is_twice("algorithm") || find("userhash").is_some_and(|value| *value != *b"false") {
            return None;
        }
        // Who names no algorithm means MD5 (RFC 2617).
        let algorithm =
            find("algorithm").map_or(Some(Algorithm::Md5), |name| Algorithm::named(&name))?;
        let nc = find("nc").filter(|nc| nc.len() == 8 && nc.iter().all(u8::is_ascii_hexdigit))?;
        let count = u32::from_str_radix(std::str::from_utf8(&nc).ok()?, 16).ok()?;
        let qop = find("qop")?;
        (qop.eq_ignore_ascii_case(b"auth") && count > 0).then_some(Answer {
            user: find("username")?,
            realm: find("realm")?,
            nonce: find("nonce")?,
            uri: find("uri")?,
            algorithm,
            count,
            nc,
            cnonce: find("cnonce")?,
            response: find("response")?,
        })
    }

    /// Whether it is that of a client which knows the user's password. `hash`: HA1 in hexadecimal digits.
    pub fn is_right(&self, hash: &[u8], method: &[u8]) -> bool {
        let wanted = self.digest(hash, method);
        is_same(&self.response.to_ascii_lowercase(), &wanted)
    }

    /// Value of `Authentication-Info`, by which the client knows that the server knows the hash, too.
    pub fn info(&self, hash: &[u8]) -> Vec<u8> {
        let proof = self.digest(hash, b"");
        let quoted = |text: &[u8]| {
            text.iter()
                .flat_map(|byte| match byte {
                    b'"' | b'\\' => vec![b'\\', *byte],
                    _ => vec![*byte],
                })
                .collect::<Vec<u8>>()
        };
        [
            b"qop=auth, rspauth=\"",
            &*proof,
            b"\", cnonce=\"",
            &*quoted(&self.cnonce),
            b"\", nc=",
            &*self.nc,
        ]
        .concat()
    }

    fn digest(&self, hash: &[u8], method: &[u8]) -> Vec<u8> {
        let request = self.algorithm.hash(&[method, &self.uri]);
        let hash = hash.to_ascii_lowercase();
        self.algorithm.hash(&[&hash, &self.nonce, &self.nc, &self.cnonce, b"auth", &request])
    }
}

/// Takes the same time wherever two texts of one length differ.
fn is_same(a: &[u8], b: &[u8]) -> bool {
    let differing = a.iter().zip(b).fold(0, |sum, (a, b)| black_box(sum | (a ^ b)));
    a.len() == b.len() && differing == 0
}
