//! Rules that let clients in or refuse them, one after the other, as nginx's `allow` and `deny`.

use std::net::IpAddr;

use wick_wire::{RecordError, words};

use crate::range::Range;
use crate::verdict::{Refusal, Verdict};

/// One rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rule {
    allows: bool,
    from: Whom,
}

/// Whom a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whom {
    All,
    /// Clients on a unix socket, who have no address.
    Unix,
    Network(Range),
}

impl Rule {
    /// Reads u8 action, and behind it whom it is about (docs/wire.md, ACCESS).
    ///
    /// # Errors: `Field` when it is neither `allow` nor `deny`, or about nothing that is known here.
    pub fn read(value: &[u8]) -> Result<Rule, RecordError> {
        let (action, from) = value.split_first().ok_or(RecordError::Field)?;
        let allows = match *action {
            words::access_action::ALLOW => true,
            words::access_action::DENY => false,
            _ => return Err(RecordError::Field),
        };
        let from = match from {
            [] => Whom::All,
            [0] => Whom::Unix,
            network => Whom::Network(Range::read(network)?),
        };
        Ok(Rule { allows, from })
    }

    fn fits(&self, client: Option<IpAddr>) -> bool {
        match (&self.from, client) {
            (Whom::All, _) | (Whom::Unix, None) => true,
            (Whom::Network(range), Some(client)) => range.contains(client),
            (Whom::Unix, Some(_)) | (Whom::Network(_), None) => false,
        }
    }
}

/// The first rule that fits decides. Where none does, they have nothing to say.
pub(crate) fn check_rules(client: Option<IpAddr>, rules: &[Rule]) -> Verdict {
    match rules.iter().find(|rule| rule.fits(client)) {
        None => Verdict::Undecided,
        Some(Rule { allows: true, .. }) => Verdict::Granted,
        Some(Rule { allows: false, .. }) => Verdict::Refused(Refusal::Forbidden),
    }
}
