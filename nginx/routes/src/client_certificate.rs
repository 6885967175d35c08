//! What every request for a host that comes by TLS has to show: the host's own fields.

use wick_wire::{Fields, RecordError, host, max, words};

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
pub fn decode(fields: &[u8]) -> Result<Option<Box<ClientCertificate>>, RecordError> {
    if fields.is_empty() {
        return Ok(None);
    }
    let mut parts = Parts::default();
    for field in Fields::new(fields) {
        let (id, bytes) = field?;
        parts.set(id, bytes)?;
    }
    Ok(Some(Box::new(parts.whole()?)))
}

impl<'a> Parts<'a> {
    fn set(&mut self, id: u8, bytes: &'a [u8]) -> Result<(), RecordError> {
        match id {
            host::AUTHORITY => self.authority = Some(text(bytes, max::ID_BYTES)?),
            host::VERIFY => self.verify = Some(verify(bytes)?),
            host::MATCH_CN => self.match_cn = Some(text(bytes, max::TEXT_BYTES)?),
            host::ERROR_PAGE => self.error_page = Some(text(bytes, max::TEXT_BYTES)?),
            host::PASS_CERTIFICATE if bytes == [1] => self.passes_certificate = true,
            host::PASS_CERTIFICATE => return Err(RecordError::Field),
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
        [words::host_verify::ON] => Ok(Verify::On),
        [words::host_verify::OPTIONAL] => Ok(Verify::Optional),
        [words::host_verify::OPTIONAL_NO_CA] => Ok(Verify::OptionalNoCa),
        [words::host_verify::OFF] => Ok(Verify::Off),
        _ => Err(RecordError::Field),
    }
}

/// What could end a header's line early, as an error page would in a `Location`, is refused: anybody may have written
/// the zone.
fn text(bytes: &[u8], most: usize) -> Result<&[u8], RecordError> {
    let is_text = (1..=most).contains(&bytes.len()) && !bytes.iter().any(u8::is_ascii_control);
    if is_text { Ok(bytes) } else { Err(RecordError::Field) }
}
