//! What is sent in the place of an error (`error_page`).

use wick_wire::{Fields, RecordError, Template, error_page as ids, numbers};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorPage {
    /// At least one.
    pub codes: Box<[u16]>,
    pub status: PageStatus,
    /// A URL, a path, or `@NAME` of a named location.
    pub to: Template,
}

/// Which status a client sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageStatus {
    /// That of the error.
    Errors,
    /// That of the page (`=`).
    Pages,
    /// `=CODE`
    Own(u16),
}

impl ErrorPage {
    /// # Errors: as of [`super::Level::read`].
    pub fn read(value: &[u8]) -> Result<ErrorPage, RecordError> {
        let (mut codes, mut status, mut to) = (Vec::new(), PageStatus::Errors, None);
        for field in Fields::new(value) {
            let field = field?;
            match field.id {
                ids::CODES => codes.push(numbers::PAGE_CODE.read(field.value)? as u16),
                ids::CODE => status = page_status(numbers::RETURN_CODE.read(field.value)? as u16),
                ids::TO => to = Some(Template::read(field.value)?),
                _ => field.skip()?,
            }
        }
        let to = to.filter(|to| !to.text().is_empty() && !codes.is_empty());
        Ok(ErrorPage { codes: codes.into(), status, to: to.ok_or(RecordError::Missing)? })
    }
}

fn page_status(code: u16) -> PageStatus {
    if code == 0 { PageStatus::Pages } else { PageStatus::Own(code) }
}

#[cfg(test)]
mod tests {
    use super::super::values::field;
    use super::*;

    fn read(code: Option<&[u8]>, to: &[u8]) -> Result<ErrorPage, RecordError> {
        let code = code.map(|code| field(ids::CODE, code)).unwrap_or_default();
        ErrorPage::read(&[field(ids::CODES, &[148, 1]), code, field(ids::TO, to)].concat())
    }

    #[test]
    fn a_page_has_a_status_of_its_own_or_one_of_the_two() {
        assert_eq!(read(None, b"/404").unwrap().status, PageStatus::Errors);
        assert_eq!(read(Some(&[0, 0]), b"@page").unwrap().status, PageStatus::Pages);
        assert_eq!(read(Some(&[200, 0]), b"/404").unwrap().status, PageStatus::Own(200));
    }

    #[test]
    fn a_page_is_for_something_and_somewhere() {
        assert_eq!(read(None, b""), Err(RecordError::Missing));
        assert_eq!(ErrorPage::read(&field(ids::TO, b"/x")), Err(RecordError::Missing));
    }
}
