//! The attempt record (docs/abi.md): what host and filter tell each other around the upstream callbacks.
//!
//! The record lies in the filter's memory, so all functions take the bytes that are there: as many as the filter
//! says it knows, cut to [`KNOWN_BYTES`]. What does not fit is not written.

/// Bytes of the record that this host knows.
pub const KNOWN_BYTES: usize = 344;
/// Tags of earlier attempts that fit.
pub const MAX_TAGS: usize = 16;
/// No tag: what the host puts in before select.
pub const NO_TAG: u32 = u32::MAX;
/// No key, or one that does not fit.
pub const NO_KEY: u32 = u32::MAX;

const SIZE_AT: usize = 0;
const ATTEMPT_AT: usize = 4;
const TAG_AT: usize = 8;
const TRIED_AT: usize = 12;
const TAGS_AT: usize = 16;
const KEY_LEN_AT: usize = TAGS_AT + MAX_TAGS * 4;
const KEY_AT: usize = KEY_LEN_AT + 4;

/// Bytes of the record that both sides know; `head` are the first four, where the filter put its size.
pub fn known_bytes(head: [u8; 4]) -> usize {
    const { assert!(SIZE_AT == 0) };
    (u32::from_le_bytes(head) as usize).min(KNOWN_BYTES)
}

/// Before `proxy_on_upstream_select`: the attempt's number from 0 and the tags of the earlier ones, latest last.
pub fn write_select(record: &mut [u8], attempt: u32, earlier: &[u32]) {
    let room = record.len().min(KEY_LEN_AT).saturating_sub(TAGS_AT) / 4;
    let latest = &earlier[earlier.len().saturating_sub(room.min(MAX_TAGS))..];
    put(record, ATTEMPT_AT, attempt);
    put(record, TAG_AT, NO_TAG);
    put(record, TRIED_AT, latest.len() as u32);
    for (i, tag) in latest.iter().enumerate() {
        put(record, TAGS_AT + i * 4, *tag);
    }
}

/// Before `proxy_on_upstream_select`: the request's key, [`NO_KEY`] if there is none or it does not fit.
#[inline]
pub fn write_key(record: &mut [u8], key: Option<&[u8]>) {
    let place = key.and_then(|key| record.get_mut(KEY_AT..KEY_AT + key.len()).zip(Some(key)));
    let len = place.map_or(NO_KEY, |(place, key)| {
        place.copy_from_slice(key);
        key.len() as u32
    });
    put(record, KEY_LEN_AT, len);
}

/// Before `proxy_on_upstream_info`: which attempt it is about, and the tag that the filter gave it.
pub fn write_info(record: &mut [u8], attempt: u32, tag: u32) {
    put(record, ATTEMPT_AT, attempt);
    put(record, TAG_AT, tag);
}

/// After select: the tag that the filter chose, [`NO_TAG`] for none.
pub fn tag(record: &[u8]) -> u32 {
    record
        .get(TAG_AT..)
        .and_then(|bytes| bytes.first_chunk())
        .map_or(NO_TAG, |bytes| u32::from_le_bytes(*bytes))
}

fn put(record: &mut [u8], at: usize, number: u32) {
    if let Some(place) = record.get_mut(at..at + 4) {
        place.copy_from_slice(&number.to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn numbers(record: &[u8]) -> Vec<u32> {
        record.chunks_exact(4).map(|n| u32::from_le_bytes(n.try_into().unwrap())).collect()
    }

    #[test]
    fn the_fields_stand_where_the_document_says() {
        let mut record = [0xee; KNOWN_BYTES];
        write_select(&mut record, 2, &[70, 71]);
        assert_eq!(numbers(&record)[..7], [0xeeee_eeee, 2, NO_TAG, 2, 70, 71, 0xeeee_eeee]);
        write_info(&mut record, 1, 71);
        assert_eq!(numbers(&record)[..4], [0xeeee_eeee, 1, 71, 2]);
        assert_eq!(tag(&record), 71);
    }

    #[test]
    fn only_the_latest_sixteen_tags_are_told() {
        let mut record = [0; KNOWN_BYTES];
        write_select(&mut record, 20, &(0..20).collect::<Vec<_>>());
        assert_eq!(numbers(&record)[3], 16);
        assert_eq!(numbers(&record)[4..20], (4..20).collect::<Vec<_>>());
    }

    #[test]
    fn the_filter_decides_how_much_it_knows() {
        assert_eq!(known_bytes(20_u32.to_le_bytes()), 20);
        assert_eq!(known_bytes(1000_u32.to_le_bytes()), KNOWN_BYTES);
        let mut record = [0; 24];
        write_select(&mut record, 3, &[70, 71, 72]);
        assert_eq!(numbers(&record)[3..], [2, 71, 72]);
    }

    #[test]
    fn a_key_stands_behind_the_tags_if_it_fits() {
        let mut record = [0; 92];
        write_key(&mut record, Some(b"shop-80"));
        assert_eq!((&record[80..84], &record[84..91]), (&[7, 0, 0, 0][..], &b"shop-80"[..]));
        for key in [Some(&b"nine chars"[..]), None] {
            write_key(&mut record, key);
            assert_eq!((&record[80..84], &record[84..91]), (&[0xff; 4][..], &b"shop-80"[..]));
        }
    }

    proptest! {
        #[test]
        fn any_length_is_safe(len in 0..=KNOWN_BYTES, attempt: u32, earlier: Vec<u32>) {
            let mut record = vec![0; len];
            write_select(&mut record, attempt, &earlier);
            prop_assert_eq!(tag(&record), NO_TAG);
            write_key(&mut record, Some(b"key"));
            write_info(&mut record, attempt, 7);
            prop_assert_eq!(tag(&record), if len >= 12 { 7 } else { NO_TAG });
        }
    }
}
