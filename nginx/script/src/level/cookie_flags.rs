//! What becomes of the flags of cookies that a backend sets (`proxy_cookie_flags`).

use wick_wire::{Fields, RecordError, cookie_flags as ids, words};

use super::replacement::{Reading, Sought};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CookieFlags {
    /// The name of the cookie, whatever the case of a text.
    pub cookie: Sought,
    pub changes: FlagChanges,
}

/// `None`: as the backend has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FlagChanges {
    pub secure: Option<bool>,
    pub http_only: Option<bool>,
    /// `Some(None)`: the cookie has none.
    pub same_site: Option<Option<SameSite>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SameSite {
    Strict,
    Lax,
    None,
}

impl CookieFlags {
    /// # Errors: as of [`super::Level::read`].
    pub fn read(value: &[u8]) -> Result<CookieFlags, RecordError> {
        let (mut cookie, mut changes) = (Reading::default(), FlagChanges::default());
        for field in Fields::new(value) {
            let field = field?;
            match field.id {
                ids::SECURE => changes.secure = Some(flag(field.value)?),
                ids::HTTP_ONLY => changes.http_only = Some(flag(field.value)?),
                ids::SAME_SITE => changes.same_site = Some(same_site(field.value)?),
                _ if cookie.take(field.id, field.value)? => {}
                _ => field.skip()?,
            }
        }
        Ok(CookieFlags { cookie: cookie.sought()?, changes })
    }
}

impl FlagChanges {
    pub fn is_nothing(&self) -> bool {
        *self == FlagChanges::default()
    }
}

fn flag(value: &[u8]) -> Result<bool, RecordError> {
    match value {
        [0] => Ok(false),
        [1] => Ok(true),
        _ => Err(RecordError::Field),
    }
}

fn same_site(value: &[u8]) -> Result<Option<SameSite>, RecordError> {
    match value {
        [words::same_site_change::STRICT] => Ok(Some(SameSite::Strict)),
        [words::same_site_change::LAX] => Ok(Some(SameSite::Lax)),
        [words::same_site_change::NONE] => Ok(Some(SameSite::None)),
        [words::same_site_change::OFF] => Ok(None),
        _ => Err(RecordError::Field),
    }
}

#[cfg(test)]
mod tests {
    use super::super::values::field;
    use super::*;

    fn read(id: u8, value: &[u8]) -> Result<FlagChanges, RecordError> {
        let fields = [field(ids::COOKIE, b"a"), field(id, value)].concat();
        CookieFlags::read(&fields).map(|flags| flags.changes)
    }

    #[test]
    fn what_is_absent_stays_as_it_is() {
        let none = CookieFlags::read(&field(ids::PATTERN, b"a")).unwrap();
        assert!(none.changes.is_nothing());
        let secure = FlagChanges { secure: Some(true), ..FlagChanges::default() };
        assert_eq!(read(ids::SECURE, &[1]), Ok(secure));
        let http_only = FlagChanges { http_only: Some(false), ..FlagChanges::default() };
        assert_eq!(read(ids::HTTP_ONLY, &[0]), Ok(http_only));
    }

    #[test]
    fn same_site_is_one_of_four_words() {
        let of = |word| read(ids::SAME_SITE, &[word]).map(|changes| changes.same_site);
        assert_eq!(of(words::same_site_change::LAX), Ok(Some(Some(SameSite::Lax))));
        assert_eq!(of(words::same_site_change::OFF), Ok(Some(None)));
        assert_eq!(of(0), Err(RecordError::Field));
        assert_eq!(CookieFlags::read(&field(ids::SECURE, &[1])), Err(RecordError::Missing));
    }
}
