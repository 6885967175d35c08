//! `expires`, with the Cache-Control that it brings along.

use ngx::ffi::{ngx_cached_time, ngx_http_time, ngx_next_time};
use wick_native::headers::Replacing;
use wick_native::request::Request;
use wick_script::level::{Expires, ExpiresAt};

use super::text::Text;

pub struct Lifetime {
    expires: Expires,
    /// What says it for each request, where there is a variable in it.
    variable: Option<Text>,
    header: Replacing,
    cache_control: Replacing,
}

/// As nginx prints a time: `Mon, 28 Sep 1970 06:00:00 GMT`.
const TIME_BYTES: usize = 29;

impl Lifetime {
    /// `None`: nothing is said.
    pub fn of(expires: Expires) -> Option<Lifetime> {
        let variable = match &expires {
            Expires::Off => return None,
            Expires::Variable(template) => Some(Text::of(template)),
            _ => None,
        };
        let (header, cache_control) =
            (Replacing::new(b"Expires")?, Replacing::new(b"Cache-Control")?);
        Some(Lifetime { expires, variable, header, cache_control })
    }

    /// `None`: out of memory.
    ///
    /// # Safety
    /// It lives as long as the request.
    pub unsafe fn put(&self, r: Request) -> Option<()> {
        let parsed = match &self.variable {
            Some(text) => Expires::parse(text.value(r)?),
            None => None,
        };
        let expires = if self.variable.is_some() { parsed.as_ref() } else { Some(&self.expires) };
        // SAFETY: a time that nginx updates in this very thread, and a live request.
        let (now, modified) =
            unsafe { ((*ngx_cached_time).sec, (*r.as_ptr()).headers_out.last_modified_time) };
        let modified = (modified != -1).then_some(modified);
        // SAFETY: looks at the clock alone.
        let next = |time| unsafe { ngx_next_time(time) };
        let Some(answer) = expires.and_then(|expires| expires.answer(now, modified, next)) else {
            return Some(());
        };
        let age = answer.max_age.map(|age| format!("max-age={age}"));
        let age: &[u8] = age.as_ref().map_or(&b"no-cache"[..], |age| age.as_bytes());
        let (time, age) = (time(r, answer.expires)?, r.pool().copy(age)?);
        // SAFETY: the caller's promise; both are printed here.
        unsafe {
            self.header.put(r, time)?;
            self.cache_control.put(r, age)
        }
    }
}

fn time(r: Request<'_>, at: ExpiresAt) -> Option<&[u8]> {
    let second = match at {
        ExpiresAt::Epoch => return Some(b"Thu, 01 Jan 1970 00:00:01 GMT"),
        ExpiresAt::Max => return Some(b"Thu, 31 Dec 2037 23:55:55 GMT"),
        ExpiresAt::Second(second) => second,
    };
    // nginx ends it with a zero.
    let room = r.pool().copy(&[0; TIME_BYTES + 1])?;
    // SAFETY: there is room for all that it prints.
    unsafe { ngx_http_time(room.as_mut_ptr(), second) };
    Some(&room[..TIME_BYTES])
}
