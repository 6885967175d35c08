//! What takes the place of texts in a backend's response (`proxy_redirect`, `proxy_cookie_domain`, `proxy_cookie_path`).

use wick_wire::{Fields, RecordError, Template, mark, replacement as ids};

use super::values::line;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    pub from: Sought,
    /// Also with groups of a pattern.
    pub to: Template,
}

/// What is looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sought {
    Text(Template),
    /// It matches anywhere.
    Pattern {
        text: Box<[u8]>,
        any_case: bool,
    },
}

impl Replacement {
    /// # Errors: as of [`super::Level::read`].
    pub fn read(value: &[u8]) -> Result<Replacement, RecordError> {
        let (mut from, mut to) = (Reading::default(), None);
        for field in Fields::new(value) {
            let field = field?;
            match field.id {
                ids::TO => to = Some(Template::read(field.value)?),
                _ if from.take(field.id, field.value)? => {}
                _ => field.skip()?,
            }
        }
        Ok(Replacement { from: from.sought()?, to: to.ok_or(RecordError::Missing)? })
    }
}

/// What is looked for while its fields are being read, which have the same ids in each record.
#[derive(Default)]
pub struct Reading {
    text: Option<Template>,
    pattern: Option<Box<[u8]>>,
    any_case: bool,
}

impl Reading {
    /// False: the field is about something else.
    pub fn take(&mut self, id: u8, value: &[u8]) -> Result<bool, RecordError> {
        match id {
            ids::FROM => self.text = Some(Template::read(value)?),
            ids::PATTERN => self.pattern = Some(line(value)?),
            ids::ANY_CASE => self.any_case = mark(value)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// # Errors: neither or both of a text and a pattern, or an empty pattern.
    pub fn sought(self) -> Result<Sought, RecordError> {
        match (self.text, self.pattern) {
            (Some(text), None) if !self.any_case => Ok(Sought::Text(text)),
            (None, Some(text)) if !text.is_empty() => {
                Ok(Sought::Pattern { text, any_case: self.any_case })
            }
            (None, None) => Err(RecordError::Missing),
            _ => Err(RecordError::Field),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::values::field;
    use super::*;

    fn read(fields: &[(u8, &[u8])]) -> Result<Replacement, RecordError> {
        let fields = fields.iter().flat_map(|(id, value)| field(*id, value));
        Replacement::read(&fields.collect::<Vec<_>>())
    }

    #[test]
    fn a_text_or_a_pattern_is_replaced() {
        let text = read(&[(ids::FROM, b"http://$host/"), (ids::TO, b"")]).unwrap();
        assert!(matches!(text.from, Sought::Text(from) if from.text() == b"http://$host/"));
        let pattern = read(&[(ids::TO, b"$1"), (ids::PATTERN, b"^(a)"), (ids::ANY_CASE, &[1])]);
        let pattern = pattern.unwrap();
        assert_eq!(pattern.from, Sought::Pattern { text: b"^(a)"[..].into(), any_case: true });
        assert_eq!(pattern.to.text(), b"$1");
    }

    #[test]
    fn one_of_both_is_needed_and_what_takes_its_place() {
        let (from, pattern, to) =
            ((ids::FROM, &b"a"[..]), (ids::PATTERN, &b"a"[..]), (ids::TO, &b"b"[..]));
        assert_eq!(read(&[to]), Err(RecordError::Missing));
        assert_eq!(read(&[from]), Err(RecordError::Missing));
        assert_eq!(read(&[from, pattern, to]), Err(RecordError::Field));
        assert_eq!(read(&[(ids::PATTERN, b""), to]), Err(RecordError::Field));
        assert_eq!(read(&[from, (ids::ANY_CASE, &[1]), to]), Err(RecordError::Field));
    }
}
