//! Digest authentication (RFC 7616): whether a request proves that its client knows the password of a user, without telling it.

use std::cell::OnceCell;
use std::rc::Rc;

use ngx::ffi::{
    NGX_HTTP_INTERNAL_SERVER_ERROR, NGX_HTTP_SERVICE_UNAVAILABLE, NGX_LOG_CRIT, NGX_LOG_ERR,
};
use wick_access::{Password, RecordError, Refusal, Verdict};
use wick_digest::{Algorithm, Counted, Presented};
use wick_hosts::ReadOther;
use wick_native::headers::{Side, add, each};
use wick_native::log;
use wick_native::request::Request;
use wick_passwords::UserList;

use super::client;
use super::lists::Lists;
use super::nonces::{Nonces, noted_at};
use super::proof;
use super::quoted::quoted;
use super::wrong_user::complain;

/// Whose answers a route takes.
pub struct DigestCheck {
    users: Rc<UserList>,
    /// Of the list.
    id: Box<[u8]>,
    realm: Box<[u8]>,
    /// That of the users' hashes. A client takes the first that it is offered, for any user: so there is one.
    algorithm: Algorithm,
}

/// Who sent the request, once that is proved.
pub type Proved = OnceCell<Box<[u8]>>;

/// Of an answer that is not taken.
enum Fault {
    /// There is none, or it is wrong.
    Wrong,
    /// It is right, but for a nonce that is used up: another one will do, and no user need be asked.
    Stale,
}

/// Cannot be carried out.
struct Failed(u32);

impl DigestCheck {
    /// # Errors: its list is not there, or cannot be read, or has no hash for Digest.
    pub fn of(
        password: &Password,
        lists: &Lists,
        others: &mut ReadOther<'_>,
    ) -> Result<DigestCheck, RecordError> {
        let users = lists.users(&password.users, others)?;
        let algorithm = users.hashes().find_map(Algorithm::of_hash).ok_or(RecordError::Missing)?;
        let (id, realm) = (password.users.clone(), password.realm.clone());
        Ok(DigestCheck { users, id, realm, algorithm })
    }

    /// Never waits: hashes of a line of text take a few microseconds.
    pub fn ask(&self, r: Request, proved: &Proved) -> Verdict {
        let Some(nonces) = Nonces::of(r) else {
            return Verdict::Failed(NGX_HTTP_SERVICE_UNAVAILABLE as u16);
        };
        let refused = match self.judge(r, nonces, proved) {
            Ok(Ok(())) => return Verdict::Granted,
            Ok(Err(fault)) => self.challenge(r, nonces, matches!(fault, Fault::Stale)),
            Err(failed) => Err(failed),
        };
        match refused {
            Ok(()) => Verdict::Refused(Refusal::Unauthorized),
            Err(Failed(status)) => Verdict::Failed(status as u16),
        }
    }

    fn judge(
        &self,
        r: Request,
        nonces: Nonces,
        proved: &Proved,
    ) -> Result<Result<(), Fault>, Failed> {
        if let Some(user) = proof::of(r, noted_at(r), self.scope()) {
            let _ = proved.set(user.into());
            return Ok(Ok(()));
        }
        let Some(answer) = only_authorization(r).and_then(wick_digest::Answer::parse) else {
            return Ok(Err(Fault::Wrong));
        };
        // What was hashed has to be this very request, for this route.
        if *answer.realm != *self.realm || *answer.uri != *r.unparsed_uri() {
            return Ok(Err(Fault::Wrong));
        }
        let nonce = nonces.read(&answer.nonce, &self.scope()).ok_or_else(|| no_randomness(r))?;
        if nonce == Presented::Unknown {
            return Ok(Err(Fault::Wrong));
        }
        let known = self.users.hash_of(&answer.user);
        let own = known.filter(|_| answer.algorithm == self.algorithm);
        // Whether there is such a user must not show by the time that it takes.
        let hash = own.map_or_else(|| answer.algorithm.hash(&[]), <[u8]>::to_vec);
        if !answer.is_right(&hash, r.method()) || own.is_none() {
            complain(r, &answer.user, &self.users, &self.id);
            return Ok(Err(Fault::Wrong));
        }
        let Presented::Fresh(nonce) = nonce else { return Ok(Err(Fault::Stale)) };
        match nonces
            .count(nonce, &self.scope(), client::number(r), answer.count)
            .ok_or_else(|| no_randomness(r))?
        {
            Counted::Once => {}
            Counted::Forgotten => return Ok(Err(Fault::Stale)),
            Counted::Again => {
                let user = answer.user.escape_ascii();
                let line = format_args!("user \"{user}\": an answer was sent again");
                log::write(r.log(), NGX_LOG_ERR as usize, line);
                return Ok(Err(Fault::Stale));
            }
        }
        let _ = proved.set((*answer.user).into());
        proof::keep(r, noted_at(r), self.scope(), &answer.user)
            .ok_or(Failed(NGX_HTTP_INTERNAL_SERVER_ERROR))?;
        // A client that wants a proof of the server goes without where one of its own texts cannot stand in a header.
        let _ = add(r, Side::Response, b"Authentication-Info", &answer.info(&hash));
        Ok(Ok(()))
    }

    fn challenge(&self, r: Request, nonces: Nonces, is_stale: bool) -> Result<(), Failed> {
        let nonce = nonces.make(&self.scope()).ok_or_else(|| no_randomness(r))?;
        let stale: &[u8] = if is_stale { b", stale=true" } else { b"" };
        let name = self.algorithm.name().as_bytes();
        let value = [
            b"Digest realm=",
            &*quoted(&self.realm),
            b", qop=\"auth\", algorithm=",
            name,
            b", nonce=\"",
            &*nonce,
            b"\"",
            stale,
        ]
        .concat();
        let added = add(r, Side::Response, b"WWW-Authenticate", &value);
        added.map_err(|_| Failed(NGX_HTTP_INTERNAL_SERVER_ERROR))
    }

    /// A nonce of one list and realm is none of another.
    fn scope(&self) -> [&[u8]; 2] {
        [&self.id, &self.realm]
    }
}

/// Of two nobody knows which one counts.
fn only_authorization<'r>(r: Request<'r>) -> Option<&'r [u8]> {
    let is_it = |(name, _): &(&[u8], &[u8])| name.eq_ignore_ascii_case(b"authorization");
    let mut found = each(r, Side::Request).filter(is_it);
    let (_, value) = found.next()?;
    found.next().is_none().then_some(value)
}

#[cold]
fn no_randomness(r: Request) -> Failed {
    let line = format_args!("cannot make nonces: the kernel has no random bytes");
    log::write(r.log(), NGX_LOG_CRIT as usize, line);
    Failed(NGX_HTTP_SERVICE_UNAVAILABLE)
}
