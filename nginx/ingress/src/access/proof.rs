//! Who has proved to be a user by Digest authentication. nginx may redirect a request inside, which clears what modules keep with it; its credentials are
//! hidden from backends by then, and a proof counts once.

use std::ptr::with_exposed_provenance;

use wick_native::conf::Conf;
use wick_native::request::Request;
use wick_native::variable::{declare_note, index, note, noted};

/// The variable, which has no value that anybody could read.
const NAME: &[u8] = b"ingress_digest_proof";

struct Proof {
    /// List of users and realm.
    scope: [Box<[u8]>; 2],
    user: Box<[u8]>,
}

/// Its index.
pub fn declare(conf: Conf) -> Option<usize> {
    declare_note(conf, NAME, 0, 0)?;
    index(conf, NAME)
}

/// `at`: the index. `None`: out of memory.
pub fn keep(r: Request, at: usize, scope: [&[u8]; 2], user: &[u8]) -> Option<()> {
    let proof = Proof { scope: scope.map(Into::into), user: user.into() };
    let kept = r.pool().keep(proof)?;
    note(r, at, kept.as_ptr().expose_provenance());
    Some(())
}

/// The user of this scope that the request is proved to come from. `at`: the index.
pub fn of<'r>(r: Request<'r>, at: usize, scope: [&[u8]; 2]) -> Option<&'r [u8]> {
    let word = noted(r, at)?;
    // SAFETY: 0, or what `keep` noted, in memory of the request, which nobody changes.
    let proof: &'r Proof = unsafe { with_exposed_provenance::<Proof>(word).as_ref() }?;
    let is_same = proof.scope.iter().zip(scope).all(|(own, other)| **own == *other);
    is_same.then_some(&*proof.user)
}
