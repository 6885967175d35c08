//! Countries and autonomous systems that may request a route, or may not.

use wick_wire::{RecordError, max, numbers};

use crate::verdict::{Refusal, Verdict};

/// A country: two capital letters (ISO 3166-1).
pub type Country = [u8; 2];

/// What is known of where a client is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found<T> {
    /// There is nothing in which it could stand, or that is damaged: the check cannot be carried out.
    NoDatabase,
    /// The client has no address, or one of which the database says nothing.
    Unknown,
    Known(T),
}

/// Who is asked where the client is.
pub trait Whereabouts {
    fn country(&self) -> Found<Country>;

    /// The number of the autonomous system that the address belongs to.
    fn asn(&self) -> Found<u32>;
}

/// The lists of a route. One that is empty says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GeoLists {
    pub allow_countries: Box<[Country]>,
    pub deny_countries: Box<[Country]>,
    pub allow_asns: Box<[u32]>,
    pub deny_asns: Box<[u32]>,
}

impl GeoLists {
    pub fn are_empty(&self) -> bool {
        self.allow_countries.is_empty()
            && self.deny_countries.is_empty()
            && self.allow_asns.is_empty()
            && self.deny_asns.is_empty()
    }

    /// Who is in a list of those that are denied stays out; who is not in each list of those that are allowed does, too. Of whom nothing is known is in no
    /// list. Without a database for a list nobody gets in.
    pub fn check(&self, client: &impl Whereabouts) -> Verdict {
        let countries = of(&self.allow_countries, &self.deny_countries, || client.country());
        match countries {
            Verdict::Granted | Verdict::Undecided => {}
            _ => return countries,
        }
        match of(&self.allow_asns, &self.deny_asns, || client.asn()) {
            Verdict::Undecided => countries,
            verdict => verdict,
        }
    }
}

/// Asks nobody for lists that say nothing.
fn of<T: PartialEq>(allow: &[T], deny: &[T], ask: impl FnOnce() -> Found<T>) -> Verdict {
    if allow.is_empty() && deny.is_empty() {
        return Verdict::Undecided;
    }
    let known = match ask() {
        Found::NoDatabase => return Verdict::Failed(SERVICE_UNAVAILABLE),
        Found::Unknown => None,
        Found::Known(known) => Some(known),
    };
    let is_in = |list: &[T]| known.as_ref().is_some_and(|known| list.contains(known));
    match (is_in(deny), is_in(allow), allow.is_empty()) {
        (true, ..) | (_, false, false) => Verdict::Refused(Refusal::Forbidden),
        (_, true, _) => Verdict::Granted,
        _ => Verdict::Undecided,
    }
}

const SERVICE_UNAVAILABLE: u16 = 503;

/// Reads one country of a record.
///
/// # Errors: `Field` when it is not two capital letters.
pub(crate) fn country(value: &[u8]) -> Result<Country, RecordError> {
    let country: Country = value.try_into().map_err(|_| RecordError::Field)?;
    if country.iter().all(u8::is_ascii_uppercase) { Ok(country) } else { Err(RecordError::Field) }
}

/// Reads one number of a record.
///
/// # Errors: `Field` when it is none.
pub(crate) fn asn(value: &[u8]) -> Result<u32, RecordError> {
    let number = numbers::AS_NUMBER.read(value)?;
    u32::try_from(number).map_err(|_| RecordError::Field)
}

/// The lists while a record is read.
#[derive(Default)]
pub(crate) struct Reading {
    pub allow_countries: Vec<Country>,
    pub deny_countries: Vec<Country>,
    pub allow_asns: Vec<u32>,
    pub deny_asns: Vec<u32>,
}

impl Reading {
    /// # Errors: `Field` when a list is too long.
    pub fn finish(self) -> Result<GeoLists, RecordError> {
        let countries = [self.allow_countries.len(), self.deny_countries.len()];
        let asns = [self.allow_asns.len(), self.deny_asns.len()];
        if countries.iter().any(|len| *len > max::COUNTRIES)
            || asns.iter().any(|len| *len > max::AS_NUMBERS)
        {
            return Err(RecordError::Field);
        }
        Ok(GeoLists {
            allow_countries: self.allow_countries.into(),
            deny_countries: self.deny_countries.into(),
            allow_asns: self.allow_asns.into(),
            deny_asns: self.deny_asns.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Client(Found<Country>, Found<u32>);

    impl Whereabouts for Client {
        fn country(&self) -> Found<Country> {
            self.0
        }

        fn asn(&self) -> Found<u32> {
            self.1
        }
    }

    const FORBIDDEN: Verdict = Verdict::Refused(Refusal::Forbidden);
    const CLOSED: Verdict = Verdict::Failed(503);

    fn lists(
        allow_countries: &[Country],
        deny_countries: &[Country],
        allow_asns: &[u32],
        deny_asns: &[u32],
    ) -> GeoLists {
        GeoLists {
            allow_countries: allow_countries.into(),
            deny_countries: deny_countries.into(),
            allow_asns: allow_asns.into(),
            deny_asns: deny_asns.into(),
        }
    }

    #[test]
    fn a_list_of_allowed_countries_keeps_out_all_others_and_whom_nothing_is_known_of() {
        let lists = lists(&[*b"DE", *b"FR"], &[], &[], &[]);
        let check = |country| lists.check(&Client(country, Found::NoDatabase));
        assert_eq!(check(Found::Known(*b"FR")), Verdict::Granted);
        assert_eq!(check(Found::Known(*b"US")), FORBIDDEN);
        assert_eq!(check(Found::Unknown), FORBIDDEN);
        assert_eq!(check(Found::NoDatabase), CLOSED);
    }

    #[test]
    fn a_list_of_denied_countries_keeps_out_those_and_everybody_without_a_database() {
        let lists = lists(&[], &[*b"DE"], &[], &[]);
        let check = |country| lists.check(&Client(country, Found::NoDatabase));
        assert_eq!(check(Found::Known(*b"DE")), FORBIDDEN);
        assert_eq!(check(Found::Known(*b"US")), Verdict::Undecided);
        assert_eq!(check(Found::Unknown), Verdict::Undecided);
        assert_eq!(check(Found::NoDatabase), CLOSED);
    }

    #[test]
    fn who_is_denied_stays_out_although_allowed() {
        let lists = lists(&[*b"DE"], &[*b"DE"], &[], &[]);
        assert_eq!(lists.check(&Client(Found::Known(*b"DE"), Found::Unknown)), FORBIDDEN);
    }

    #[test]
    fn each_list_has_to_let_a_client_in() {
        let lists = lists(&[*b"DE"], &[], &[3320], &[64512]);
        let check = |country: &Country, asn| lists.check(&Client(Found::Known(*country), asn));
        assert_eq!(check(b"DE", Found::Known(3320)), Verdict::Granted);
        assert_eq!(check(b"DE", Found::Known(64512)), FORBIDDEN);
        assert_eq!(check(b"DE", Found::Unknown), FORBIDDEN);
        assert_eq!(check(b"FR", Found::Known(3320)), FORBIDDEN);
        assert_eq!(check(b"DE", Found::NoDatabase), CLOSED);
    }

    #[test]
    fn a_denied_system_leaves_what_the_countries_say() {
        let lists = lists(&[*b"DE"], &[], &[], &[64512]);
        let client = Client(Found::Known(*b"DE"), Found::Known(3320));
        assert_eq!(lists.check(&client), Verdict::Granted);
    }

    #[test]
    fn a_record_has_letters_and_numbers() {
        assert_eq!(country(b"DE"), Ok(*b"DE"));
        for wrong in [&b"de"[..], b"D", b"DEU", b"D1", b""] {
            assert_eq!(country(wrong), Err(RecordError::Field));
        }
        assert_eq!(asn(&3320_u32.to_le_bytes()), Ok(3320));
        assert_eq!(asn(&0_u32.to_le_bytes()), Err(RecordError::Field));
        assert_eq!(asn(&[1, 2]), Err(RecordError::Field));
    }
}
