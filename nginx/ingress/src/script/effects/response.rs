//! Headers of the response: `more_set_headers` and `more_clear_headers`, then `expires`, then `add_header`: in this order nginx calls the filters
//! of these. What frames a message stays nginx's.

use ngx::ffi::ngx_parse_http_time;
use wick_native::headers::{Replacing, Same, clear_beginning, media_type, replace_content_type};
use wick_native::request::Request;
use wick_script::Level;
use wick_script::level::{HeaderOp, ResponseHeader, is_safe_status};

use super::lifetime::Lifetime;
use super::text::Text;

const NO_CONTENT: u16 = 204;

/// What a level makes of them.
pub struct Response {
    changes: Box<[Change]>,
    lifetime: Option<Lifetime>,
    added: Box<[Added]>,
    /// All of them, where they are the same for every response with a safe status.
    same: Option<Same>,
}

struct Change {
    action: Action,
    value: Text,
    /// Empty: any.
    statuses: Box<[u16]>,
    /// Empty: any.
    types: Box<[Box<[u8]>]>,
}

enum Action {
    Set(Replacing),
    /// nginx keeps it beside its headers.
    SetType,
    /// Of nothing, where nothing comes.
    SetLength(Replacing),
    Append(Replacing),
    ClearBeginning(Box<[u8]>),
}

struct Added {
    header: Replacing,
    kind: Kind,
    value: Text,
    always: bool,
}

/// What nginx makes of another one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Line,
    /// There is one at most: `ETag`. An empty one takes it away.
    One,
    /// The same with `Last-Modified`, of which later filters ask when that is.
    LastModified,
}

impl Response {
    pub fn of(level: &Level) -> Response {
        let headers = &level.response_headers;
        let added: Box<[_]> = headers.iter().filter_map(Added::of).collect();
        Response {
            changes: headers.iter().filter_map(Change::of).collect(),
            lifetime: level.expires.clone().and_then(Lifetime::of),
            same: added.iter().map(Added::same).collect::<Option<Vec<_>>>().map(Same::new),
            added,
        }
    }

    /// Responses stay as they are.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.lifetime.is_none() && self.added.is_empty()
    }

    /// What other filters of headers come behind. `None`: out of memory, or a value is too long.
    ///
    /// # Safety
    /// It lives as long as the request.
    pub unsafe fn change(&self, r: Request) -> Option<()> {
        let mut own = self.changes.iter().filter(|change| change.is_for(r));
        // SAFETY: the caller's promise.
        own.try_for_each(|change| unsafe { change.put(r) })
    }

    /// What comes last. `None` as above.
    ///
    /// # Safety
    /// As above.
    pub unsafe fn add(&self, r: Request) -> Option<()> {
        let is_safe = is_safe_status(r.status());
        if let Some(lifetime) = self.lifetime.as_ref().filter(|_| is_safe) {
            // SAFETY: the caller's promise.
            unsafe { lifetime.put(r)? };
        }
        if let Some(same) = self.same.as_ref().filter(|_| is_safe) {
            // SAFETY: as above.
            return unsafe { same.add(r) };
        }
        let mut own = self.added.iter().filter(|added| is_safe || added.always);
        // SAFETY: the caller's promise.
        own.try_for_each(|added| unsafe { added.put(r) })
    }
}

impl Change {
    /// `None`: it is added, not changed, or frames the message.
    fn of(header: &ResponseHeader) -> Option<Change> {
        let name = &*header.name;
        let action = match header.op {
            HeaderOp::Add { .. } => return None,
            HeaderOp::Clear => match name.strip_suffix(b"*") {
                Some(beginning) => Action::ClearBeginning(beginning.into()),
                // Its charset stays, for the type that comes next.
                None if name.eq_ignore_ascii_case(b"content-type") => Action::SetType,
                None => Action::Set(Replacing::new(name)?),
            },
            _ if name.eq_ignore_ascii_case(b"content-type") => Action::SetType,
            HeaderOp::Set if name.eq_ignore_ascii_case(b"content-length") => {
                Action::SetLength(Replacing::length())
            }
            HeaderOp::Set => Action::Set(Replacing::new(name)?),
            HeaderOp::Append => Action::Append(Replacing::new(name)?),
        };
        let (value, statuses) = (Text::of(&header.value), header.statuses.clone());
        Some(Change { action, value, statuses, types: header.types.clone() })
    }

    #[inline]
    fn is_for(&self, r: Request) -> bool {
        let has_type = || {
            let own = media_type(r);
            self.types.iter().any(|wanted| **wanted == *own)
        };
        (self.statuses.is_empty() || self.statuses.contains(&r.status()))
            && (self.types.is_empty() || has_type())
    }

    /// # Safety
    /// It lives as long as the request.
    unsafe fn put(&self, r: Request) -> Option<()> {
        // SAFETY: the caller's promise; what the text becomes lives as long, and was looked at.
        unsafe {
            let Some(value) = self.value.header_value(r)? else { return Some(()) };
            match &self.action {
                Action::Set(header) => header.put_absolute(r, value)?,
                Action::SetLength(header) if r.status() == NO_CONTENT && value == b"0" => {
                    header.add(r, value)?;
                }
                Action::SetLength(_) => {}
                Action::Append(_) if value.is_empty() => {}
                Action::Append(header) => header.add(r, value)?,
                Action::SetType => replace_content_type(r, value),
                Action::ClearBeginning(beginning) => clear_beginning(r, beginning),
            }
        }
        Some(())
    }
}

impl Added {
    /// `None`: it hangs on the request.
    fn same(&self) -> Option<(Replacing, Box<[u8]>)> {
        let value = self.value.constant().filter(|value| !value.is_empty())?;
        (self.kind == Kind::Line).then(|| (self.header.clone(), value.into()))
    }

    /// `None`: it is changed, not added, or frames the message.
    fn of(header: &ResponseHeader) -> Option<Added> {
        let HeaderOp::Add { always } = header.op else { return None };
        let kind = match &*header.name.to_ascii_lowercase() {
            b"last-modified" => Kind::LastModified,
            b"etag" => Kind::One,
            _ => Kind::Line,
        };
        let (header, value) = (Replacing::new(&header.name)?, Text::of(&header.value));
        Some(Added { header, kind, value, always })
    }

    /// # Safety
    /// It lives as long as the request.
    unsafe fn put(&self, r: Request) -> Option<()> {
        // SAFETY: as of `Change::put`.
        unsafe {
            let Some(value) = self.value.header_value(r)? else { return Some(()) };
            match self.kind {
                Kind::Line if value.is_empty() => {}
                Kind::Line => self.header.add(r, value)?,
                Kind::One => self.header.put_known(r, value)?,
                Kind::LastModified => {
                    self.header.put(r, value)?;
                    let time = ngx_parse_http_time(value.as_ptr().cast_mut(), value.len());
                    (*r.as_ptr()).headers_out.last_modified_time = time;
                }
            }
        }
        Some(())
    }
}
