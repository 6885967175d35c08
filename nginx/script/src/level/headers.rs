//! What becomes of headers, of a response and of the request itself.

use wick_wire::{
    Fields, RecordError, Template, input_header, mark, numbers, response_header as ids, words,
};

use super::values::{line, token};

/// Statuses for which `add_header` adds unless it says `always`. Source: nginx, `ngx_http_headers_filter`.
#[inline]
pub fn is_safe_status(status: u16) -> bool {
    matches!(status, 200 | 201 | 204 | 206 | 301..=304 | 307 | 308)
}

/// A change of a response's headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResponseHeader {
    pub op: HeaderOp,
    /// Of [`HeaderOp::Clear`] it may end in `*`: every name that begins so.
    pub name: Box<[u8]>,
    /// Empty where there is none.
    pub value: Template,
    /// Of responses of this status; empty: of any.
    pub statuses: Box<[u16]>,
    /// Of responses of these types, in their letters; empty: of any.
    pub types: Box<[Box<[u8]>]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaderOp {
    /// `add_header`; `always`: whatever the status.
    Add {
        always: bool,
    },
    /// `more_set_headers`, and with `-a`.
    Set,
    Append,
    /// `more_clear_headers`
    Clear,
}

impl ResponseHeader {
    /// # Errors: as of [`super::Level::read`].
    pub fn read(value: &[u8]) -> Result<ResponseHeader, RecordError> {
        let (mut op, mut name, mut always) = (None, None, false);
        let (mut text, mut statuses, mut types) = (Template::read(b"")?, Vec::new(), Vec::new());
        for field in Fields::new(value) {
            let field = field?;
            match field.id {
                ids::OP => op = Some(header_op(field.value)?),
                ids::NAME => name = Some(token(field.value)?),
                ids::VALUE => text = Template::read(field.value)?,
                ids::ALWAYS => always = mark(field.value)?,
                ids::STATUSES => statuses.push(numbers::HEADER_STATUS.read(field.value)? as u16),
                ids::TYPES => types.push(media_type(field.value)?),
                _ => field.skip()?,
            }
        }
        let op = match op.ok_or(RecordError::Missing)? {
            HeaderOp::Add { .. } => HeaderOp::Add { always },
            other => other,
        };
        let name = name.ok_or(RecordError::Missing)?;
        Ok(ResponseHeader { op, name, value: text, statuses: statuses.into(), types: types.into() })
    }
}

/// What follows a type is passed over, as headers-more does it.
fn media_type(text: &[u8]) -> Result<Box<[u8]>, RecordError> {
    line(text.split(|byte| *byte == b';').next().unwrap_or_default())
}

fn header_op(value: &[u8]) -> Result<HeaderOp, RecordError> {
    match value {
        [words::header_op::ADD] => Ok(HeaderOp::Add { always: false }),
        [words::header_op::SET] => Ok(HeaderOp::Set),
        [words::header_op::CLEAR] => Ok(HeaderOp::Clear),
        [words::header_op::APPEND] => Ok(HeaderOp::Append),
        _ => Err(RecordError::Field),
    }
}

/// A change of the request's headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputHeader {
    pub op: InputOp,
    /// Of [`InputOp::Clear`] it may end in `*`: every name that begins so.
    pub name: Box<[u8]>,
    /// Empty where there is none.
    pub value: Template,
    /// Of requests of these types, in their letters; empty: of any.
    pub types: Box<[Box<[u8]>]>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputOp {
    /// `more_set_input_headers`; `only_present`: where the request has one of the name (`-r`).
    Set { only_present: bool },
    /// `more_clear_input_headers`
    Clear,
}

impl InputHeader {
    /// # Errors: as of [`super::Level::read`].
    pub fn read(value: &[u8]) -> Result<InputHeader, RecordError> {
        let (mut op, mut name, mut only_present) = (None, None, false);
        let (mut text, mut types) = (Template::read(b"")?, Vec::new());
        for field in Fields::new(value) {
            let field = field?;
            match field.id {
                input_header::OP => op = Some(field.value),
                input_header::NAME => name = Some(token(field.value)?),
                input_header::VALUE => text = Template::read(field.value)?,
                input_header::REPLACES => only_present = mark(field.value)?,
                input_header::TYPES => types.push(media_type(field.value)?),
                _ => field.skip()?,
            }
        }
        let op = match op.ok_or(RecordError::Missing)? {
            [words::input_header_op::SET] => InputOp::Set { only_present },
            [words::input_header_op::CLEAR] => InputOp::Clear,
            _ => return Err(RecordError::Field),
        };
        let name = name.ok_or(RecordError::Missing)?;
        Ok(InputHeader { op, name, value: text, types: types.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::super::values::field;
    use super::*;

    fn response(fields: &[(u8, &[u8])]) -> Result<ResponseHeader, RecordError> {
        let bytes: Vec<_> = fields.iter().flat_map(|(id, value)| field(*id, value)).collect();
        ResponseHeader::read(&bytes)
    }

    #[test]
    fn a_header_is_read_with_what_it_is_about() {
        let read = response(&[
            (ids::OP, &[words::header_op::ADD]),
            (ids::NAME, b"X-A"),
            (ids::VALUE, b"$host"),
            (ids::ALWAYS, &[1]),
            (ids::STATUSES, &[200, 0]),
            (ids::STATUSES, &[148, 1]),
            (ids::TYPES, b"text/html"),
        ])
        .unwrap();
        assert_eq!(read.op, HeaderOp::Add { always: true });
        assert_eq!((&*read.name, read.value.text()), (&b"X-A"[..], &b"$host"[..]));
        assert_eq!((&*read.statuses, &*read.types[0]), (&[200u16, 404][..], &b"text/html"[..]));
    }

    #[test]
    fn a_header_has_an_operation_and_a_name() {
        assert_eq!(response(&[(ids::NAME, b"X-A")]), Err(RecordError::Missing));
        assert_eq!(response(&[(ids::OP, &[1])]), Err(RecordError::Missing));
        assert_eq!(response(&[(ids::OP, &[9]), (ids::NAME, b"X")]), Err(RecordError::Field));
        let status = response(&[(ids::OP, &[1]), (ids::NAME, b"X"), (ids::STATUSES, &[9, 0])]);
        assert_eq!(status, Err(RecordError::Field));
    }

    #[test]
    fn a_header_of_the_request_is_set_or_cleared() {
        let set = [
            field(input_header::OP, &[words::input_header_op::SET]),
            field(input_header::NAME, b"X-A"),
            field(input_header::REPLACES, &[1]),
        ];
        let read = InputHeader::read(&set.concat()).unwrap();
        assert_eq!(read.op, InputOp::Set { only_present: true });
        assert_eq!(read.value.text(), b"");
        assert_eq!(InputHeader::read(&set[0]), Err(RecordError::Missing));
    }
}
