//! What every request for a host that comes by TLS has to show: the host's own fields.

use wick_hosts::fields::{RecordError, take_field};

const MOST_ID_BYTES: usize = 64;
const MOST_TEXT_BYTES: usize = 4096;

/// What a host asks of the certificates of its clients (docs/wire.md 1, HOST).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientCertificate {
    /// Id of the authority that the handshake must have asked for, unless `verify` is [`Verify::Off`].
    pub authority: Box<[u8]>,
    pub verify: Verify,
    /// A pattern of PCRE for the subject's distinguished name.
    pub match_cn: Option<Box<[u8]>>,
    /// A URL, or a path of the same host; not empty.
    pub error_page: Option<Box<[u8]>>,
    pub passes_certificate: bool,
}

/// How much is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verify {
    /// A certificate, and one that holds.
    On,
    /// One that holds, if there is one.
    Optional,
    /// Whoever has signed it.
    OptionalNoCa,
    /// None: the handshake must not have asked for one.
    Off,
}

#[derive(Default)]
struct Parts<'a> {
    authority: Option<&'a [u8]>,
    verify: Option<Verify>,
    match_cn: Option<&'a [u8]>,
    error_page: Option<&'a [u8]>,
    passes_certificate: bool,
}

/// Reads the host's own fields; without any, nothing is asked. Should a host ask for something that cannot be read, its
/// record is refused as a whole, so that nothing is served without it.
pub fn decode(mut fields: &[u8]) -> Result<Option<Box<ClientCertificate>>, RecordError> {
    if fields.is_empty() {
        return Ok(None);
    }
    let mut parts = Parts::default();
    while !fields.is_empty() {
        let (id, bytes) = take_field(&mut fields).ok_or(RecordError::Length)?;
        parts.set(id, bytes)?;
    }
    Ok(Some(Box::new(parts.whole()?)))
}

impl<'a> Parts<'a> {
    fn set(&mut self, id: u8, bytes: &'a [u8]) -> Result<(), RecordError> {
        match id {
            1 => self.authority = Some(text(bytes, MOST_ID_BYTES)?),
            2 => self.verify = Some(verify(bytes)?),
            3 => self.match_cn = Some(text(bytes, MOST_TEXT_BYTES)?),
            4 => self.error_page = Some(text(bytes, MOST_TEXT_BYTES)?),
            5 if bytes == [1] => self.passes_certificate = true,
            5 => return Err(RecordError::Field),
            _ => {}
        }
        Ok(())
    }

    fn whole(self) -> Result<ClientCertificate, RecordError> {
        Ok(ClientCertificate {
            authority: self.authority.ok_or(RecordError::Missing)?.into(),
            verify: self.verify.ok_or(RecordError::Missing)?,
            match_cn: self.match_cn.map(Box::from),
            error_page: self.error_page.map(Box::from),
            passes_certificate: self.passes_certificate,
        })
    }
}

fn verify(bytes: &[u8]) -> Result<Verify, RecordError> {
    match bytes {
        [1] => Ok(Verify::On),
        [2] => Ok(Verify::Optional),
        [3] => Ok(Verify::OptionalNoCa),
        [4] => Ok(Verify::Off),
        _ => Err(RecordError::Field),
    }
}

/// What could end a header's line early, as an error page would in a `Location`, is refused: anybody may have written
/// the zone.
fn text(bytes: &[u8], most: usize) -> Result<&[u8], RecordError> {
    let is_text = (1..=most).contains(&bytes.len()) && !bytes.iter().any(u8::is_ascii_control);
    if is_text { Ok(bytes) } else { Err(RecordError::Field) }
}
