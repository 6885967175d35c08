//! What a client claims, as a number: that it is this user of this list, who has this password.

use std::hash::{Hash, Hasher};

use siphasher::sip128::{Hasher128, SipHasher24};

/// A keyed digest. Two claims are the same if their numbers are; a number says nothing of the password to who lacks the key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim([u64; 2]);

impl Hash for Claim {
    /// It is evenly spread as it is.
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0[0]);
    }
}

/// Makes claims with one secret key.
pub struct ClaimHasher(SipHasher24);

impl ClaimHasher {
    /// `key` is known to nobody else: bytes of the operating system.
    pub fn new(key: &[u8; 16]) -> ClaimHasher {
        ClaimHasher(SipHasher24::new_with_key(key))
    }

    /// `list` is the id of a user list, which is a hash of all that is in it.
    pub fn claim(&self, list: &[u8], user: &[u8], password: &[u8]) -> Claim {
        let mut hasher = self.0;
        for part in [list, user, password] {
            hasher.write(&(part.len() as u64).to_le_bytes());
            hasher.write(part);
        }
        let digest = hasher.finish128();
        Claim([digest.h1, digest.h2])
    }
}
