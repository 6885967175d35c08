//! What addresses and cookies in a backend's response become: `proxy_redirect`, `proxy_cookie_domain` and its kin.

mod budget;
mod flags;
mod replacing;
mod sought;

use wick_native::request::Request;
use wick_script::Level;
use wick_script::cookie::Cookie;

pub use self::budget::Budget;
use self::flags::Flags;
use self::replacing::{Replacing, replace_first};

pub struct Rewriting {
    redirects: Box<[Replacing]>,
    cookie_domains: Box<[Replacing]>,
    cookie_paths: Box<[Replacing]>,
    cookie_flags: Box<[Flags]>,
}

impl Rewriting {
    /// `None`: all stay as they are.
    pub fn of(level: &Level) -> Option<Rewriting> {
        let rewriting = Rewriting {
            redirects: level.redirects.iter().map(Replacing::of_beginning).collect(),
            cookie_domains: level.cookie_domains.iter().map(Replacing::of_domain).collect(),
            cookie_paths: level.cookie_paths.iter().map(Replacing::of_beginning).collect(),
            cookie_flags: level.cookie_flags.iter().map(Flags::of).collect(),
        };
        (!rewriting.redirects.is_empty() || rewriting.has_cookies()).then_some(rewriting)
    }

    pub fn has_redirects(&self) -> bool {
        !self.redirects.is_empty()
    }

    pub fn has_cookies(&self) -> bool {
        !self.cookie_domains.is_empty()
            || !self.cookie_paths.is_empty()
            || !self.cookie_flags.is_empty()
    }

    /// What the URL becomes that stands behind `prefix` bytes. `None`: out of memory; inside: it stays.
    pub fn redirect(
        &self,
        r: Request,
        header: &[u8],
        prefix: usize,
        budget: &mut Budget,
    ) -> Option<Option<Vec<u8>>> {
        let (before, url) = header.split_at_checked(prefix)?;
        let url = replace_first(&self.redirects, r, url, budget)?;
        Some(url.map(|url| [before, &url].concat()))
    }

    /// What the cookie becomes; as above.
    pub fn cookie(
        &self,
        r: Request,
        header: &[u8],
        budget: &mut Budget,
    ) -> Option<Option<Vec<u8>>> {
        let Some(mut cookie) = Cookie::read(header) else { return Some(None) };
        let mut is_changed = false;
        for attribute in cookie.attributes() {
            for (name, all) in
                [(&b"domain"[..], &self.cookie_domains), (b"path", &self.cookie_paths)]
            {
                let Some(value) = attribute.value_of(name).filter(|_| !all.is_empty()) else {
                    continue;
                };
                if let Some(value) = replace_first(all, r, value, budget)? {
                    attribute.set_value(value);
                    is_changed = true;
                }
            }
        }
        if let Some(changes) = Flags::first(&self.cookie_flags, r, cookie.name(), budget)? {
            cookie.change_flags(changes);
            is_changed = true;
        }
        Some(is_changed.then(|| cookie.write()))
    }
}
