//! Nonces that only we can make: what they say needs no memory before they are used.
//!
//! 64 hexadecimal digits: 16 of the time, 16 that no other nonce has, 32 of a digest over both and what the nonce is for, keyed
//! with what all processes share.

use std::hash::Hasher;
use std::hint::black_box;

use siphasher::sip128::{Hasher128, SipHasher24};

use crate::algorithm::hex;

/// So long a nonce can be used, from when it was made; then clients get another one (`stale`) and need not ask their users.
pub const LIFE_MS: u64 = 300_000;

/// Known to nobody outside.
#[derive(Clone, Copy)]
pub struct Key(pub u128);

/// A nonce of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nonce {
    pub made_ms: u64,
    /// From 1; of no other nonce.
    pub id: u64,
}

/// What a client has shown as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presented {
    Fresh(Nonce),
    /// It was ours, and is too old.
    Stale,
    /// It never was, or it was for something else.
    Unknown,
}

impl Nonce {
    /// As it is sent. `scope`: what it is for, such as a list of users and a realm.
    pub fn text(self, key: Key, scope: &[&[u8]]) -> Vec<u8> {
        let head = [self.made_ms.to_be_bytes(), self.id.to_be_bytes()].concat();
        let proof = self.proof(key, scope).to_be_bytes();
        hex(&[&head[..], &proof].concat())
    }

    /// What a client's nonce is, for the same scope.
    pub fn read(text: &[u8], key: Key, scope: &[&[u8]], now_ms: u64) -> Presented {
        let Some((nonce, proof)) = Nonce::parse(text) else { return Presented::Unknown };
        if black_box(proof ^ nonce.proof(key, scope)) != 0 || nonce.id == 0 {
            return Presented::Unknown;
        }
        match now_ms.checked_sub(nonce.made_ms) {
            Some(age) if age >= LIFE_MS => Presented::Stale,
            // The clocks of processes may differ by what one event takes.
            _ => Presented::Fresh(nonce),
        }
    }

    fn parse(text: &[u8]) -> Option<(Nonce, u128)> {
        let text =
            std::str::from_utf8(text).ok().filter(|text| text.len() == 64 && text.is_ascii())?;
        let number = |at: usize| u64::from_str_radix(&text[at..at + 16], 16).ok();
        let proof = u128::from_str_radix(&text[32..], 16).ok()?;
        Some((Nonce { made_ms: number(0)?, id: number(16)? }, proof))
    }

    fn proof(self, key: Key, scope: &[&[u8]]) -> u128 {
        let mut hasher = SipHasher24::new_with_keys(key.0 as u64, (key.0 >> 64) as u64);
        hasher.write(&self.made_ms.to_le_bytes());
        hasher.write(&self.id.to_le_bytes());
        for part in scope {
            hasher.write(&(part.len() as u64).to_le_bytes());
            hasher.write(part);
        }
        hasher.finish128().as_u128()
    }
}
