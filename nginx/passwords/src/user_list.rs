//! The users that a route lets in, each with the hash of a password.

use std::collections::HashMap;

use wick_wire::{Field, RecordError, fields, max, user_list};

/// At least one user.
pub struct UserList {
    /// Those of one Secret are under nobody's control but its owner's: the default hasher will do.
    hashes: HashMap<Box<[u8]>, Box<[u8]>>,
    /// Of the first user.
    stand_in: Box<[u8]>,
}

impl UserList {
    /// Reads a record (docs/wire.md 2, USER_LIST). Of several users with one name the first counts.
    ///
    /// # Errors: when the bytes are not such a record; never panics.
    pub fn decode(record: &[u8]) -> Result<UserList, RecordError> {
        let mut hashes = HashMap::new();
        let mut stand_in = None;
        let mut count = 0;
        for field in fields(user_list::VERSION, record)? {
            let Some((name, hash)) = user_in(field?)? else { continue };
            count += 1;
            stand_in.get_or_insert_with(|| hash.into());
            hashes.entry(name.into()).or_insert_with(|| hash.into());
        }
        match stand_in {
            None => Err(RecordError::Missing),
            Some(_) if count > max::USERS => Err(RecordError::Field),
            Some(stand_in) => Ok(UserList { hashes, stand_in }),
        }
    }

    /// The hash of a user's password; names are compared byte for byte.
    pub fn hash_of(&self, user: &[u8]) -> Option<&[u8]> {
        self.hashes.get(user).map(|hash| &**hash)
    }

    /// Those of all users, in no order.
    pub fn hashes(&self) -> impl Iterator<Item = &[u8]> {
        self.hashes.values().map(|hash| &**hash)
    }

    /// What a password is verified with where there is no such user, so that a client cannot tell that by the time it takes.
    pub fn stand_in(&self) -> &[u8] {
        &self.stand_in
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
