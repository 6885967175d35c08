//! The users that a route lets in, each with the hash of a password.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use wick_wire::{Field, RecordError, fields, max, user_list};

/// At least one user.
pub struct UserList {
    /// Where the hash of each is. Those of one Secret are under nobody's control but its owner's: the default hasher will do.
    places: HashMap<Box<[u8]>, usize>,
    /// In the record's order.
    hashes: Vec<Box<[u8]>>,
}

impl UserList {
    /// Reads a record (docs/wire.md 2, USER_LIST). Of several users with one name the first counts.
    ///
    /// # Errors: when the bytes are not such a record; never panics.
    pub fn decode(record: &[u8]) -> Result<UserList, RecordError> {
        let (mut places, mut hashes) = (HashMap::new(), Vec::new());
        for field in fields(user_list::VERSION, record)? {
            let Some((name, hash)) = user_in(field?)? else { continue };
            if hashes.len() == max::USERS {
                return Err(RecordError::Field);
            }
            places.entry(name.into()).or_insert(hashes.len());
            hashes.push(hash.into());
        }
        if hashes.is_empty() { Err(RecordError::Missing) } else { Ok(UserList { places, hashes }) }
    }

    /// The hash of a user's password; names are compared byte for byte.
    pub fn hash_of(&self, user: &[u8]) -> Option<&[u8]> {
        self.places.get(user).map(|place| &*self.hashes[*place])
    }

    /// Those of all users.
    pub fn hashes(&self) -> impl Iterator<Item = &[u8]> {
        self.hashes.iter().map(|hash| &**hash)
    }

    /// What a password is verified with where there is no such user, so that a client cannot tell that by the time it takes:
    /// the hash of some user, of whatever scheme and cost that is, and in all workers the same one for the same name. Which
    /// one depends on what only the owner of the list knows.
    pub fn stand_in(&self, user: &[u8]) -> &[u8] {
        let mut hasher = DefaultHasher::new();
        self.hashes[0].hash(&mut hasher);
        user.hash(&mut hasher);
        let place = hasher.finish() % self.hashes.len() as u64;
        &self.hashes[place as usize]
    }
}

/// Name and hash.
type User<'r> = (&'r [u8], &'r [u8]);

/// `None`: the field is another one, and may be passed over.
fn user_in(field: Field<'_>) -> Result<Option<User<'_>>, RecordError> {
    if field.id != user_list::USERS {
        return field.skip().map(|()| None);
    }
    let (&length, texts) = field.value.split_first().ok_or(RecordError::Field)?;
    let (name, hash) = texts.split_at_checked(length.into()).ok_or(RecordError::Field)?;
    // nginx's functions end a hash at a zero.
    let is_hash = (1..=max::PASSWORD_HASH_BYTES).contains(&hash.len()) && !hash.contains(&0);
    if name.is_empty() || !is_hash { Err(RecordError::Field) } else { Ok(Some((name, hash))) }
}
