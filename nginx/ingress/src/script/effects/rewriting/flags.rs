//! Which flags cookies get or lose. Source: nginx, `ngx_http_proxy_rewrite_cookie_flags`.

use wick_native::request::Request;
use wick_script::level::{CookieFlags, FlagChanges};

use super::budget::Budget;
use super::sought::{Sought, filled};

pub struct Flags {
    cookie: Sought,
    changes: FlagChanges,
}

impl Flags {
    pub fn of(of: &CookieFlags) -> Flags {
        Flags { cookie: Sought::of(&of.cookie), changes: of.changes }
    }

    /// What the first that is for a cookie of this name says. `None`: out of memory; inside: nothing.
    pub fn first(
        all: &[Flags],
        r: Request,
        name: &[u8],
        budget: &mut Budget,
    ) -> Option<Option<FlagChanges>> {
        for one in all {
            if one.is_for(r, name, budget)? {
                return Some(Some(one.changes).filter(|changes| !changes.is_nothing()));
            }
        }
        Some(None)
    }

    fn is_for(&self, r: Request, name: &[u8], budget: &mut Budget) -> Option<bool> {
        match &self.cookie {
            Sought::Pattern(pattern) => pattern.is_match(r, name, budget),
            Sought::Text(wanted) => Some(
                filled(wanted, r, budget)?.is_some_and(|wanted| wanted.eq_ignore_ascii_case(name)),
            ),
        }
    }
}
