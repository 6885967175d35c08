//! Arguments of the foreign functions on shared slots (docs/abi.md); their results take the places of some of them.

/// The arguments are too few or too many, or name a number that a slot does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

/// Which of a slot's numbers is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A cell: 0 to 3.
    Cell(u32),
    Gauge,
}

/// A u64, little endian, unaligned.
pub type Word = [u8; 8];

impl Place {
    const GAUGE: u32 = 4;

    fn parse(number: [u8; 4]) -> Result<Place, Malformed> {
        match u32::from_le_bytes(number) {
            cell @ 0..Self::GAUGE => Ok(Place::Cell(cell)),
            Self::GAUGE => Ok(Place::Gauge),
            _ => Err(Malformed),
        }
    }
}

/// `wick_open_slots`
#[derive(Debug)]
pub struct OpenSlots<'a> {
    pub version: u64,
    /// To be replaced by the slots' numbers.
    pub ids: &'a mut [Word],
    pub key: &'a [u8],
}

impl<'a> OpenSlots<'a> {
    /// # Errors
    /// [`Malformed`].
    pub fn parse(arguments: &'a mut [u8]) -> Result<Self, Malformed> {
        let (version, ids, key) = ids_of_key(arguments)?;
        Ok(OpenSlots { version: u64::from_le_bytes(*version), ids, key })
    }
}

/// `wick_find_slots`
#[derive(Debug)]
pub struct FindSlots<'a> {
    /// To be replaced by what time it is.
    pub now: &'a mut Word,
    /// To be replaced by the slots' numbers.
    pub ids: &'a mut [Word],
    pub key: &'a [u8],
}

impl<'a> FindSlots<'a> {
    /// # Errors
    /// [`Malformed`].
    pub fn parse(arguments: &'a mut [u8]) -> Result<Self, Malformed> {
        let (now, ids, key) = ids_of_key(arguments)?;
        Ok(FindSlots { now, ids, key })
    }
}

/// A word, u32 number of ids, u32 length of the key, the ids, the key.
fn ids_of_key(arguments: &mut [u8]) -> Result<(&mut Word, &mut [Word], &[u8]), Malformed> {
    let (word, rest) = arguments.split_first_chunk_mut().ok_or(Malformed)?;
    let (count, rest) = rest.split_first_chunk_mut().ok_or(Malformed)?;
    let (key_len, rest) = rest.split_first_chunk_mut().ok_or(Malformed)?;
    let ids_len = u32::from_le_bytes(*count) as usize * size_of::<Word>();
    let (ids, key) = rest.split_at_mut_checked(ids_len).ok_or(Malformed)?;
    if key.len() != u32::from_le_bytes(*key_len) as usize {
        return Err(Malformed);
    }
    let (ids, _) = ids.as_chunks_mut();
    Ok((word, ids, key))
}

/// `wick_get_slots`
#[derive(Debug)]
pub struct GetSlots<'a> {
    pub place: Place,
    /// Number of the slot, and what its value is to be written to.
    pub entries: &'a mut [[Word; 2]],
}

impl<'a> GetSlots<'a> {
    /// # Errors
    /// [`Malformed`].
    #[inline]
    pub fn parse(arguments: &'a mut [u8]) -> Result<Self, Malformed> {
        let (place, rest) = arguments.split_first_chunk_mut().ok_or(Malformed)?;
        let (count, rest) = rest.split_first_chunk_mut().ok_or(Malformed)?;
        let (words, more) = rest.as_chunks_mut();
        let (entries, half) = words.as_chunks_mut();
        if !more.is_empty()
            || !half.is_empty()
            || entries.len() != u32::from_le_bytes(*count) as usize
        {
            return Err(Malformed);
        }
        Ok(GetSlots { place: Place::parse(*place)?, entries })
    }
}

/// `wick_add_slot`, `wick_swap_slot`: a place, a slot's number, and N words more.
#[derive(Debug)]
pub struct ChangeSlot<'a, const N: usize> {
    pub place: Place,
    pub number: u64,
    pub words: &'a mut [Word; N],
}

impl<'a, const N: usize> ChangeSlot<'a, N> {
    /// # Errors
    /// [`Malformed`].
    #[inline]
    pub fn parse(arguments: &'a mut [u8]) -> Result<Self, Malformed> {
        let (place, rest) = arguments.split_first_chunk_mut().ok_or(Malformed)?;
        let (zero, rest) = rest.split_first_chunk_mut().ok_or(Malformed)?;
        let (number, rest) = rest.split_first_chunk_mut().ok_or(Malformed)?;
        let (words, more) = rest.as_chunks_mut();
        if *zero != [0; 4] || !more.is_empty() {
            return Err(Malformed);
        }
        let words = words.try_into().map_err(|_| Malformed)?;
        Ok(ChangeSlot { place: Place::parse(*place)?, number: u64::from_le_bytes(*number), words })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(numbers: &[u64]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// Two u32 in the order in which they stand.
    fn pair(first: u32, second: u32) -> u64 {
        u64::from(second) << 32 | u64::from(first)
    }

    #[test]
    fn arguments_are_read_and_replaced_as_documented() {
        let mut open = [words(&[7, pair(2, 3), 100, 200]), b"z/a".to_vec()].concat();
        let parsed = OpenSlots::parse(&mut open).unwrap();
        assert_eq!((parsed.version, parsed.key), (7, &b"z/a"[..]));
        assert_eq!(*parsed.ids, [100_u64, 200].map(u64::to_le_bytes));
        parsed.ids[1] = 9_u64.to_le_bytes();
        assert_eq!(open, [words(&[7, pair(2, 3), 100, 9]), b"z/a".to_vec()].concat());

        let mut get = words(&[pair(4, 2), 100, 1, 200, 2]);
        let parsed = GetSlots::parse(&mut get).unwrap();
        assert_eq!((parsed.place, parsed.entries.len()), (Place::Gauge, 2));
        parsed.entries[1][1] = 9_u64.to_le_bytes();
        assert_eq!(get, words(&[pair(4, 2), 100, 1, 200, 9]));

        let mut swap = words(&[pair(3, 0), 100, 1, 2]);
        let parsed = ChangeSlot::<2>::parse(&mut swap).unwrap();
        assert_eq!((parsed.place, parsed.number), (Place::Cell(3), 100));
        assert_eq!(*parsed.words, [1_u64, 2].map(u64::to_le_bytes));
    }

    #[test]
    fn none_is_less_than_nothing() {
        let mut open = words(&[7, 0]);
        let parsed = OpenSlots::parse(&mut open).unwrap();
        assert!(parsed.ids.is_empty() && parsed.key.is_empty());
        assert!(GetSlots::parse(&mut words(&[0])).unwrap().entries.is_empty());
    }

    #[test]
    fn what_is_no_place_is_refused() {
        for number in [5, 6, u32::MAX] {
            assert_eq!(GetSlots::parse(&mut words(&[pair(number, 0)])).err(), Some(Malformed));
            let mut add = words(&[pair(number, 0), 1, 1]);
            assert_eq!(ChangeSlot::<1>::parse(&mut add).err(), Some(Malformed));
        }
        let mut add = words(&[pair(0, 1), 1, 1]);
        assert_eq!(ChangeSlot::<1>::parse(&mut add).err(), Some(Malformed));
    }

    proptest! {
        #[test]
        fn only_the_right_length_is_taken(count: u32, key_len: u32, len in 0..80_usize, few in 0..4_u32) {
            let mut bytes = vec![0; len];
            for (count, key_len) in [(count, key_len), (few, key_len), (few, few), (count, 0)] {
                let fits = |at: usize, words: u64, more: u64| len as u64 == at as u64 + words * 8 + more;
                if len >= 16 {
                    bytes[8..12].copy_from_slice(&count.to_le_bytes());
                    bytes[12..16].copy_from_slice(&key_len.to_le_bytes());
                }
                let open = OpenSlots::parse(&mut bytes).is_ok();
                prop_assert_eq!(open, len >= 16 && fits(16, count.into(), key_len.into()));
                bytes.fill(0);
                if len >= 8 {
                    bytes[4..8].copy_from_slice(&count.to_le_bytes());
                }
                prop_assert_eq!(GetSlots::parse(&mut bytes).is_ok(), len >= 8 && fits(8, u64::from(count) * 2, 0));
                bytes.fill(0);
                prop_assert_eq!(ChangeSlot::<1>::parse(&mut bytes).is_ok(), len == 24);
                prop_assert_eq!(ChangeSlot::<2>::parse(&mut bytes).is_ok(), len == 32);
            }
        }
    }
}
