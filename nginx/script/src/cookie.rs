//! A cookie as a backend sets it: its attributes, read and written as nginx does for `proxy_cookie_domain` and its kin.
//! Source: nginx, `ngx_http_proxy_parse_cookie`, `ngx_http_proxy_edit_cookie_flags`.

use std::borrow::Cow;

use crate::level::{FlagChanges, SameSite};

pub struct Cookie<'v> {
    name: &'v [u8],
    value: &'v [u8],
    attributes: Vec<Attribute<'v>>,
}

pub struct Attribute<'v> {
    name: &'v [u8],
    /// `None`: there is no `=`.
    value: Option<Cow<'v, [u8]>>,
}

impl<'v> Cookie<'v> {
    /// Reads the value of `Set-Cookie`. `None`: there is no `=`, so that it is none.
    pub fn read(header: &'v [u8]) -> Option<Cookie<'v>> {
        let mut parts = header.split(|byte| *byte == b';').map(part);
        let (name, value) = parts.next()?;
        let attribute = |(name, value): (_, Option<&'v [u8]>)| Attribute {
            name,
            value: value.map(Cow::Borrowed),
        };
        Some(Cookie { name, value: value?, attributes: parts.map(attribute).collect() })
    }

    pub fn name(&self) -> &'v [u8] {
        self.name
    }

    pub fn attributes(&mut self) -> &mut [Attribute<'v>] {
        &mut self.attributes
    }

    /// What is said of a flag is done to the first of its name: of several a backend sends more than it should.
    pub fn change_flags(&mut self, mut left: FlagChanges) {
        self.attributes.retain_mut(|attribute| match attribute.flag() {
            Some(Flag::Secure) => keep(&mut left.secure),
            Some(Flag::HttpOnly) => keep(&mut left.http_only),
            Some(Flag::SameSite) => attribute.keep_same_site(&mut left.same_site),
            None => true,
        });
        let missing = [
            (left.secure == Some(true)).then(|| Attribute::flag_named(b"Secure")),
            (left.http_only == Some(true)).then(|| Attribute::flag_named(b"HttpOnly")),
            left.same_site
                .flatten()
                .map(|it| Attribute { name: b"SameSite", value: Some(word(it).into()) }),
        ];
        self.attributes.extend(missing.into_iter().flatten());
    }

    /// As it stands in the header.
    pub fn write(&self) -> Vec<u8> {
        let mut text = [self.name, b"=", self.value].concat();
        for Attribute { name, value } in &self.attributes {
            text.extend_from_slice(b"; ");
            text.extend_from_slice(name);
            if let Some(value) = value {
                text.push(b'=');
                text.extend_from_slice(value);
            }
        }
        text
    }
}

enum Flag {
    Secure,
    HttpOnly,
    SameSite,
}

impl<'v> Attribute<'v> {
    /// Whether it is the one of this name, in small letters, and has a value.
    pub fn value_of(&self, name: &[u8]) -> Option<&[u8]> {
        self.value.as_deref().filter(|_| self.name.eq_ignore_ascii_case(name))
    }

    pub fn set_value(&mut self, value: Vec<u8>) {
        self.value = Some(Cow::Owned(value));
    }

    fn flag(&self) -> Option<Flag> {
        match &*self.name.to_ascii_lowercase() {
            b"secure" => Some(Flag::Secure),
            b"httponly" => Some(Flag::HttpOnly),
            b"samesite" => Some(Flag::SameSite),
            _ => None,
        }
    }

    fn flag_named(name: &'static [u8]) -> Attribute<'v> {
        Attribute { name, value: None }
    }

    /// False: it goes.
    fn keep_same_site(&mut self, change: &mut Option<Option<SameSite>>) -> bool {
        match *change {
            None => return true,
            Some(None) => return false,
            Some(Some(wanted)) => {
                let is_it = |value: &[u8]| value.eq_ignore_ascii_case(word(wanted));
                if !self.value.as_deref().is_some_and(is_it) {
                    *self = Attribute { name: b"SameSite", value: Some(word(wanted).into()) };
                }
            }
        }
        *change = None;
        true
    }
}

/// Whether a flag stays; that it is to be there is done with it.
fn keep(change: &mut Option<bool>) -> bool {
    let is_kept = *change != Some(false);
    if is_kept {
        *change = None;
    }
    is_kept
}

fn word(same_site: SameSite) -> &'static [u8] {
    match same_site {
        SameSite::Strict => b"Strict",
        SameSite::Lax => b"Lax",
        SameSite::None => b"None",
    }
}

/// The name and what follows `=`, without blanks around them.
fn part(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    match text.iter().position(|byte| *byte == b'=') {
        Some(at) => (trim(&text[..at]), Some(trim(&text[at + 1..]))),
        None => (trim(text), None),
    }
}

/// nginx takes nothing else for a blank here.
fn trim(mut text: &[u8]) -> &[u8] {
    while let [b' ', rest @ ..] | [rest @ .., b' '] = text {
        text = rest;
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn changed(cookie: &str, changes: FlagChanges) -> String {
        let mut read = Cookie::read(cookie.as_bytes()).unwrap();
        read.change_flags(changes);
        String::from_utf8(read.write()).unwrap()
    }

    #[test]
    fn attributes_are_between_semicolons() {
        let mut cookie = Cookie::read(b" a = b c ;Path=/x=y ;; SECURE").unwrap();
        assert_eq!(cookie.name(), b"a");
        let attributes = cookie.attributes();
        assert_eq!(attributes[0].value_of(b"path"), Some(&b"/x=y"[..]));
        assert_eq!(attributes[2].value_of(b"secure"), None);
        attributes[0].set_value(b"/".to_vec());
        assert_eq!(cookie.write(), b"a=b c; Path=/; ; SECURE");
    }

    #[test]
    fn without_a_value_it_is_no_cookie() {
        assert!(Cookie::read(b"a; Path=/").is_none());
        assert!(Cookie::read(b"").is_none());
        assert_eq!(Cookie::read(b"a=").unwrap().write(), b"a=");
    }

    #[test]
    fn flags_come_and_go() {
        let on = FlagChanges { secure: Some(true), http_only: Some(true), same_site: None };
        assert_eq!(changed("a=b", on), "a=b; Secure; HttpOnly");
        assert_eq!(changed("a=b; httponly; Path=/", on), "a=b; httponly; Path=/; Secure");
        let off = FlagChanges { secure: Some(false), http_only: Some(false), same_site: None };
        assert_eq!(changed("a=b; Secure; x; HTTPONLY; secure", off), "a=b; x");
    }

    #[test]
    fn same_site_is_changed_where_it_is_another() {
        let to = |it| FlagChanges { same_site: Some(it), ..FlagChanges::default() };
        assert_eq!(changed("a=b", to(Some(SameSite::Lax))), "a=b; SameSite=Lax");
        assert_eq!(changed("a=b; samesite=LAX", to(Some(SameSite::Lax))), "a=b; samesite=LAX");
        assert_eq!(
            changed("a=b; samesite=lax; x", to(Some(SameSite::None))),
            "a=b; SameSite=None; x"
        );
        assert_eq!(changed("a=b; SameSite", to(Some(SameSite::Strict))), "a=b; SameSite=Strict");
        assert_eq!(changed("a=b; SameSite=x; y", to(None)), "a=b; y");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_and_what_is_written_is_read_again(header: Vec<u8>) {
            if let Some(cookie) = Cookie::read(&header) {
                let text = cookie.write();
                prop_assert_eq!(Cookie::read(&text).unwrap().write(), text);
            }
        }
    }
}
