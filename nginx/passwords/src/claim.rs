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
    #[inline]
    pub fn claim(&self, list: &[u8], user: &[u8], password: &[u8]) -> Claim {
        let bytes = 3 * LENGTH_BYTES + list.len() + user.len() + password.len();
        // One piece takes half of what many short ones do.
        let mut short = [0; 192];
        let mut long = Vec::new();
        let text = short.get_mut(..bytes).unwrap_or_else(|| {
            long.resize(bytes, 0);
            &mut long
        });
        let mut rest = &mut text[..];
        for part in [list, user, password] {
            let (length, behind) = rest.split_at_mut(LENGTH_BYTES);
            length.copy_from_slice(&(part.len() as u64).to_le_bytes());
            let (place, behind) = behind.split_at_mut(part.len());
            place.copy_from_slice(part);
            rest = behind;
        }
        let mut hasher = self.0;
        hasher.write(text);
        let digest = hasher.finish128();
        Claim([digest.h1, digest.h2])
    }
}

const LENGTH_BYTES: usize = size_of::<u64>();
