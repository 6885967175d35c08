//! `proxy_hide_header` and `proxy_pass_header`: which headers of a backend's answer clients get.
//!
//! nginx looks names up in a table of the location. The request's upstream is given a copy of the location's settings with another table in it,
//! which is made once for each that locations have.

use std::cell::RefCell;

use ngx::ffi::{ngx_array_t, ngx_hash_t, ngx_http_upstream_conf_t, ngx_str_t};
use wick_native::names::Names;
use wick_native::request::Request;
use wick_native::text::bytes;
use wick_script::Level;

use super::protocols::Protocol;

/// Names in small letters.
type List = Box<[Box<[u8]>]>;

pub struct Hiding {
    hides: List,
    passes: List,
    tables: RefCell<Vec<(Base, Names)>>,
}

/// What a location says of it, as it matters here.
type Base = (Protocol, *mut ngx_array_t, *mut ngx_array_t);

/// What nginx hides by itself. Source: nginx, `ngx_http_proxy_hide_headers` and its kin.
const HIDDEN: [&[u8]; 5] = [
    b"x-accel-expires",
    b"x-accel-redirect",
    b"x-accel-limit-rate",
    b"x-accel-buffering",
    b"x-accel-charset",
];

fn hidden(protocol: Protocol) -> impl Iterator<Item = &'static [u8]> {
    let own: &[&[u8]] = match protocol {
        Protocol::Lines | Protocol::Http => &[b"date", b"server", b"x-pad"],
        Protocol::Grpc => &[b"date", b"server"],
        Protocol::FastCgi => &[b"status"],
    };
    HIDDEN.iter().chain(own).copied()
}

impl Hiding {
    /// `None`: nothing is said of it.
    pub fn of(level: &Level) -> Option<Hiding> {
        let list = |names: &[Box<[u8]>]| -> List {
            names.iter().map(|name| name.to_ascii_lowercase().into()).collect()
        };
        let (hides, passes) = (list(&level.hides), list(&level.passes));
        let says_some = !hides.is_empty() || !passes.is_empty();
        says_some.then(|| Hiding { hides, passes, tables: RefCell::default() })
    }

    /// `None`: out of memory.
    ///
    /// # Safety
    /// It lives as long as the request, whose upstream has read no answer.
    pub unsafe fn put(&self, r: Request, protocol: Protocol) -> Option<()> {
        let upstream = r.upstream()?.as_ptr();
        // SAFETY: the location's settings, which nginx reads by this pointer alone; what they point to lives longer.
        unsafe {
            let mut conf: ngx_http_upstream_conf_t = (*upstream).conf.read();
            conf.hide_headers_hash = self.table((protocol, conf.hide_headers, conf.pass_headers));
            (*upstream).conf = r.pool().put(conf)?.as_ptr();
        }
        Some(())
    }

    /// # Safety
    /// The lists are those of a location.
    unsafe fn table(&self, base: Base) -> ngx_hash_t {
        let mut tables = self.tables.borrow_mut();
        if let Some((_, names)) = tables.iter().find(|(of, _)| *of == base) {
            return names.table();
        }
        // SAFETY: the caller's promise.
        let names = unsafe { self.names(base) };
        let table = names.table();
        tables.push((base, names));
        table
    }

    /// A level that has one of the two lists takes the other one from outside; what is passed is not hidden.
    ///
    /// # Safety
    /// As above.
    unsafe fn names(&self, (protocol, hides, passes): Base) -> Names {
        // SAFETY: the caller's promise.
        let (outer_hides, outer_passes) = unsafe { (lower(hides), lower(passes)) };
        let hides = if self.hides.is_empty() { &outer_hides } else { &self.hides };
        let passes = if self.passes.is_empty() { &outer_passes } else { &self.passes };
        let mut names: Vec<&[u8]> = hides.iter().map(|name| &**name).collect();
        hidden(protocol).for_each(|name| names.push(name));
        names.retain(|name| !passes.iter().any(|passed| **passed == **name));
        names.sort_unstable();
        names.dedup();
        Names::new(&names)
    }
}

/// # Safety
/// A list of names of the configuration, or nginx's words for none.
unsafe fn lower(list: *mut ngx_array_t) -> List {
    const UNSET: usize = usize::MAX;
    if list.is_null() || list.addr() == UNSET {
        return List::default();
    }
    // SAFETY: the caller's promise; names live as long as the configuration.
    unsafe {
        let names: &[ngx_str_t] = (*list).as_slice();
        names.iter().map(|name| bytes(*name).to_ascii_lowercase().into()).collect()
    }
}
