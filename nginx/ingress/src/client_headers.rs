//! Headers that are not a client's to send: what only a proxy in front may say, what only we say, and what would lead a
//! backend past our checks.
//!
//! A backend must not find in a request what route, checks and log did not go by. So a header's name is read here as the
//! most liberal backend may read it (`X_Forwarded_Proto` is `X-Forwarded-Proto` to CGI and what came after it), families
//! are believed whole or not at all, and what is not believed goes before anything has looked at it.

mod family;
mod trust;

use wick_native::headers::{Side, add, each, remove_if, see_all};
use wick_native::request::Request;

use crate::switching;
use family::{Kind, Name};
pub use trust::{Network, Trust};

/// What the configuration says of headers of clients.
#[derive(Default)]
pub struct ClientHeaders {
    /// Whose statements about clients are believed.
    pub trust: Trust,
    /// Headers that reach backends under a second name as well, as they came; both in small letters.
    pub copied: Vec<(Name, Name)>,
    /// Those that we set ourselves, in small letters: in other spellings they are nobody's.
    pub own: Vec<Box<[u8]>>,
}

impl ClientHeaders {
    /// Leaves in the request what its sender may say. One look finds that most requests have nothing else. `None`: out of memory.
    #[inline]
    pub fn clean(&self, r: Request) -> Option<()> {
        let reads_odd_names = r.allows_odd_header_names();
        let mut is_odd = false;
        see_all(r, |header| {
            is_odd |= self.is_suspect(header.lower(), reads_odd_names);
        });
        if is_odd { self.clean_all(r) } else { Some(()) }
    }

    /// Whether the name may be one that is not the client's to send.
    #[inline]
    fn is_suspect(&self, lower: &[u8], reads_odd_names: bool) -> bool {
        family::is_suspect(lower)
            || self.copied.iter().any(|(from, to)| **from == *lower || **to == *lower)
            || reads_odd_names && family::is_odd(lower)
    }

    #[cold]
    fn clean_all(&self, r: Request) -> Option<()> {
        let is_trusted = self.trust.covers(r);
        let copies = self.copies(r);
        remove_if(r, |name| !self.may_stay(&name.to_ascii_lowercase(), is_trusted));
        for (name, value) in copies {
            // What cannot stand in a header is not passed on.
            let _ = add(r, Side::Request, name, &value);
        }
        switching::clean(r)
    }

    fn may_stay(&self, lower: &[u8], is_trusted: bool) -> bool {
        let folded = family::folded(lower);
        let is_spelled = *folded == *lower;
        let kind = family::kind_of(&folded);
        let is_copied = self.copied.iter().any(|(from, _)| **from == *folded);
        if self.copied.iter().any(|(_, to)| **to == *folded) || kind == Kind::Nobodys {
            return false;
        }
        if !is_spelled {
            let is_own = self.own.iter().any(|own| **own == *folded);
            return kind == Kind::Clients && !is_copied && !is_own && !family::is_framing(&folded);
        }
        match kind {
            _ if is_trusted => true,
            // Where somebody is believed, what others say of the same is out of the way: no variable may find it.
            Kind::Replaced => !self.trust.is_anybodys(),
            Kind::Proxys => false,
            _ => !is_copied || !self.trust.is_anybodys(),
        }
    }

    /// What is copied, by the name of the copy: lines of one name become one.
    fn copies<'c>(&'c self, r: Request) -> Vec<(&'c [u8], Vec<u8>)> {
        let values = |from: &[u8]| {
            let same = each(r, Side::Request).filter(|(name, _)| name.eq_ignore_ascii_case(from));
            same.map(|(_, value)| value).collect::<Vec<_>>().join(&b", "[..])
        };
        let copies = self.copied.iter().map(|(from, to)| (&**to, values(from)));
        copies.filter(|(_, value)| !value.is_empty()).collect()
    }
}
