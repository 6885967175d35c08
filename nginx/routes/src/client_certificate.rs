//! What every request for a host that comes by TLS has to show: the host's own fields.

use wick_wire::{Field, RecordError, host, max, words};

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
    /// Its issuer.
    OptionalNoCa,
    /// None: the handshake must not have asked for one.
    Off,
    /// That the handshake has verified one, whichever host it was for.
    Required,
}

/// What a host asks while its fields are being read. Should it ask for something that cannot be read, its record is
/// refused as a whole, so that nothing is served without it.
#[derive(Default)]
pub(crate) struct Parts<'a> {
    authority: Option<&'a [u8]>,
    verify: Option<Verify>,
    match_cn: Option<&'a [u8]>,
    error_page: Option<&'a [u8]>,
    passes_certificate: bool,
}

impl<'a> Parts<'a> {
    /// Takes one of the host's own fields.
    pub fn set(&mut self, field: Field<'a>) -> Result<(), RecordError> {
        let bytes = field.value;
        match field.id {
            host::AUTHORITY => self.authority = Some(text(bytes, max::ID_BYTES)?),
            host::VERIFY => self.verify = Some(verify(bytes)?),
            host::MATCH_CN => self.match_cn = Some(text(bytes, max::TEXT_BYTES)?),
            host::ERROR_PAGE => self.error_page = Some(text(bytes, max::TEXT_BYTES)?),
            host::PASS_CERTIFICATE if bytes == [1] => self.passes_certificate = true,
            host::PASS_CERTIFICATE => return Err(RecordError::Field),
            _ => field.skip()?,
        }
        Ok(())
    }

    /// `None`: there was none of these fields, and nothing is asked.
    pub fn whole(self) -> Result<Option<Box<ClientCertificate>>, RecordError> {
        let Self { authority, verify, match_cn, error_page, passes_certificate } = self;
        let is_absent = match_cn.is_none() && error_page.is_none() && !passes_certificate;
        let (authority, verify) = match (authority, verify) {
            (Some(authority), Some(verify)) => (authority.into(), verify),
            (None, None) if is_absent => return Ok(None),
            _ => return Err(RecordError::Missing),
        };
        let (match_cn, error_page) = (match_cn.map(Box::from), error_page.map(Box::from));
        let asked =
            ClientCertificate { authority, verify, match_cn, error_page, passes_certificate };
        Ok(Some(Box::new(asked)))
    }
}

fn verify(bytes: &[u8]) -> Result<Verify, RecordError> {
    match bytes {
        [words::host_verify::ON] => Ok(Verify::On),
        [words::host_verify::OPTIONAL] => Ok(Verify::Optional),
        [words::host_verify::OPTIONAL_NO_CA] => Ok(Verify::OptionalNoCa),
        [words::host_verify::OFF] => Ok(Verify::Off),
        [words::host_verify::REQUIRED] => Ok(Verify::Required),
        _ => Err(RecordError::Field),
    }
}

/// What could end a header's line early, as an error page would in a `Location`, is refused: anybody may have written
/// the zone.
fn text(bytes: &[u8], most: usize) -> Result<&[u8], RecordError> {
    let is_text = (1..=most).contains(&bytes.len()) && !bytes.iter().any(u8::is_ascii_control);
    if is_text { Ok(bytes) } else { Err(RecordError::Field) }
}
