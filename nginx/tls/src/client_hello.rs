//! The first message of a TLS connection, as far as the name in it: RFC 8446 4.1.2 and 5.1, RFC 6066 3.
//!
//! Bytes come in as they lie in the socket, from the first on, perhaps not all of them yet. A message may be spread over
//! any number of records. Nothing is copied but the name, and no length in it is believed before it was compared with
//! what it lies in.

use crate::server_name::{MAX_NAME_BYTES, name_in_extension, normalise};

const HANDSHAKE: u8 = 22;
/// Of SSL 3.0 to TLS 1.3: all of them say 3 here.
const MAJOR_VERSION: u8 = 3;
const HEADER_BYTES: usize = 5;
const MAX_RECORD_BYTES: usize = 1 << 14;

const CLIENT_HELLO: usize = 1;
const SERVER_NAME: usize = 0;
/// Of the extension around a name with a dot at its end: two lengths and a type.
const MAX_EXTENSION_BYTES: usize = 5 + MAX_NAME_BYTES + 1;

/// What the first bytes of a connection are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientHello<'n> {
    /// A ClientHello that asks for this name, normalised. What follows the name was not looked at, and need not have come.
    Named(&'n [u8]),
    /// A whole ClientHello without a name, or with one that no host can have.
    Nameless,
    /// So far the beginning of a ClientHello; more bytes will tell.
    Partial,
    /// Something else, or a ClientHello that contradicts itself; SSL 2.0's too.
    Foreign,
}

impl<'n> ClientHello<'n> {
    /// `buffer` takes the name.
    pub fn read(bytes: &[u8], buffer: &'n mut [u8; MAX_NAME_BYTES]) -> ClientHello<'n> {
        match server_name(Records { fragment: &[], rest: bytes }, buffer) {
            Ok(Some(name)) => ClientHello::Named(name),
            Ok(None) => ClientHello::Nameless,
            Err(Stop::AtEnd) => ClientHello::Partial,
            Err(Stop::Broken) => ClientHello::Foreign,
        }
    }
}

/// Why reading does not go on.
enum Stop {
    /// The bytes that came so far are used up.
    AtEnd,
    Broken,
}

fn server_name<'n>(
    mut records: Records,
    buffer: &'n mut [u8; MAX_NAME_BYTES],
) -> Result<Option<&'n [u8]>, Stop> {
    if records.number(1)? != CLIENT_HELLO {
        return Err(Stop::Broken);
    }
    let left = records.number(3)?;
    let mut hello = Part { records, left };
    hello.skip(2 + 32)?; // version, random
    hello.skip_vector(1)?; // session id
    hello.skip_vector(2)?; // cipher suites
    hello.skip_vector(1)?; // compression methods
    if hello.left == 0 {
        return Ok(None); // without extensions, as before TLS 1.2
    }
    if hello.number(2)? != hello.left {
        return Err(Stop::Broken);
    }
    while hello.left > 0 {
        let (extension, len) = (hello.number(2)?, hello.number(2)?);
        if extension == SERVER_NAME {
            return hello.first(len)?.host_name(buffer);
        }
        hello.skip(len)?;
    }
    Ok(None)
}

/// The next `left` bytes of the message.
struct Part<'a> {
    records: Records<'a>,
    left: usize,
}

impl<'a> Part<'a> {
    fn spend(&mut self, len: usize) -> Result<(), Stop> {
        self.left = self.left.checked_sub(len).ok_or(Stop::Broken)?;
        Ok(())
    }

    fn number(&mut self, len: usize) -> Result<usize, Stop> {
        self.spend(len)?;
        self.records.number(len)
    }

    fn skip(&mut self, len: usize) -> Result<(), Stop> {
        self.spend(len)?;
        self.records.take(len, |_| ())
    }

    /// Skips bytes behind a number of `len_bytes` bytes that counts them.
    fn skip_vector(&mut self, len_bytes: usize) -> Result<(), Stop> {
        let len = self.number(len_bytes)?;
        self.skip(len)
    }

    /// The first `len` bytes as a part of their own.
    fn first(mut self, len: usize) -> Result<Part<'a>, Stop> {
        self.spend(len)?;
        Ok(Part { left: len, ..self })
    }

    /// The name in the content of the extension `server_name`.
    fn host_name(mut self, buffer: &mut [u8; MAX_NAME_BYTES]) -> Result<Option<&[u8]>, Stop> {
        let mut content = [0; MAX_EXTENSION_BYTES];
        let Some(content) = content.get_mut(..self.left) else { return Ok(None) };
        let mut place = &mut *content;
        self.records.take(self.left, |bytes| {
            let (to, rest) = std::mem::take(&mut place).split_at_mut(bytes.len());
            to.copy_from_slice(bytes);
            place = rest;
        })?;
        let name = name_in_extension(content).ok_or(Stop::Broken)?;
        Ok(normalise(name, buffer))
    }
}

/// The bytes of handshake messages, without the records around them.
struct Records<'a> {
    /// What is left of the record at hand, as far as it has come.
    fragment: &'a [u8],
    /// What follows it.
    rest: &'a [u8],
}

impl<'a> Records<'a> {
    /// Big endian.
    fn number(&mut self, len: usize) -> Result<usize, Stop> {
        let mut number = 0;
        self.take(len, |bytes| {
            number = bytes.iter().fold(number, |number, byte| number << 8 | usize::from(*byte));
        })?;
        Ok(number)
    }

    /// Shows `use_bytes` the next `len` bytes, in as many pieces as they came in.
    fn take(&mut self, len: usize, mut use_bytes: impl FnMut(&[u8])) -> Result<(), Stop> {
        let mut left = len;
        while left > 0 {
            while self.fragment.is_empty() {
                self.next_record()?;
            }
            let (bytes, fragment) = self.fragment.split_at(left.min(self.fragment.len()));
            use_bytes(bytes);
            left -= bytes.len();
            self.fragment = fragment;
        }
        Ok(())
    }

    /// A record may be empty.
    fn next_record(&mut self) -> Result<(), Stop> {
        let begins = [HANDSHAKE, MAJOR_VERSION];
        let alike = self.rest.iter().zip(begins).all(|(byte, expected)| *byte == expected);
        if !alike {
            return Err(Stop::Broken);
        }
        let Some((header, body)) = self.rest.split_first_chunk::<HEADER_BYTES>() else {
            return Err(Stop::AtEnd);
        };
        let len = usize::from(u16::from_be_bytes([header[3], header[4]]));
        if len > MAX_RECORD_BYTES {
            return Err(Stop::Broken);
        }
        (self.fragment, self.rest) = body.split_at(len.min(body.len()));
        Ok(())
    }
}
