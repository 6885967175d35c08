//! The web application firewall of a route.

use wick_wire::{Fields, RecordError, Template, mark, max, waf};

/// What inspects the requests of a route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waf {
    /// Whose rules these are: 1 to 1024 bytes.
    pub owner: Box<[u8]>,
    /// SHA-256 of the rule set's file, in hexadecimal digits in lower case.
    pub rules: [u8; DIGITS],
    /// `None`: a transaction is called as the request is.
    pub transaction_id: Option<Template>,
    /// Where it cannot be asked requests pass.
    pub fails_open: bool,
}

const DIGITS: usize = 64;

impl Waf {
    /// # Errors: `Critical` when something in it must be understood and is not; `Missing` and `Field` as of any record.
    pub(crate) fn read(bytes: &[u8]) -> Result<Waf, RecordError> {
        let (mut owner, mut rules) = (None, None);
        let (mut transaction_id, mut fails_open) = (None, false);
        for field in Fields::new(bytes) {
            let field = field?;
            match field.id {
                waf::OWNER => owner = Some(self::owner(field.value)?),
                waf::RULES => rules = Some(digest(field.value)?),
                waf::TRANSACTION_ID => transaction_id = Some(Template::read(field.value)?),
                waf::FAIL_OPEN => fails_open = mark(field.value)?,
                _ => field.skip()?,
            }
        }
        let owner = owner.ok_or(RecordError::Missing)?;
        Ok(Waf { owner, rules: rules.ok_or(RecordError::Missing)?, transaction_id, fails_open })
    }
}

fn owner(bytes: &[u8]) -> Result<Box<[u8]>, RecordError> {
    let fits = (1..=max::OWNER_BYTES).contains(&bytes.len());
    if fits { Ok(bytes.into()) } else { Err(RecordError::Field) }
}

/// It becomes the name of a file.
fn digest(bytes: &[u8]) -> Result<[u8; DIGITS], RecordError> {
    let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let digits = <[u8; DIGITS]>::try_from(bytes).ok();
    digits.filter(|digits| digits.iter().all(is_digit)).ok_or(RecordError::Field)
}
