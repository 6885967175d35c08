//! The attempt record (docs/abi.md): what host and filter tell each other around the upstream callbacks.
//!
//! The record lies in the filter's memory, so all functions take the bytes that are there: as many as the filter
//! says it knows, cut to [`KNOWN_BYTES`]. What does not fit is not written, and reads as what the host put in.

/// Bytes of the record that this host knows; of policies', which have nothing else to find a key by: one of 4 KiB fits.
pub use crate::table::{FILTER_BYTES as KNOWN_BYTES, MAX_TAGS, POLICY_BYTES};
use crate::table::{HOST_VERSION, at, outcomes, wants};

/// No tag: what the host puts in before select.
pub const NO_TAG: u32 = crate::table::NONE;
/// No key, or one that does not fit.
pub const NO_KEY: u32 = crate::table::NONE;
/// A time that is not known.
pub const NO_TIME: u64 = u64::MAX;

/// All numbers but those of the key.
const HEAD_BYTES: usize = at::KEY_LENGTH;

/// What a filter wants to hear of an attempt: bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feedback(u32);

impl Feedback {
    /// What a filter gets that says nothing.
    pub const ALL: Feedback = Feedback(wants::INFO | wants::TIMES);
    /// What a filter gets whose record has no room for times.
    pub const INFO: Feedback = Feedback(wants::INFO);

    /// `proxy_on_upstream_info` shall follow the attempt.
    #[inline]
    pub fn wants_info(self) -> bool {
        self.0 & wants::INFO != 0
    }

    /// … with the attempt's times measured.
    #[inline]
    pub fn wants_times(self) -> bool {
        self.0 & Feedback::ALL.0 == Feedback::ALL.0
    }
}

/// What the filter is told before `proxy_on_upstream_select`.
pub struct Select<'a> {
    /// The attempt's number, from 0.
    pub attempt: u32,
    /// The tags of the earlier ones, latest last.
    pub earlier: &'a [u32],
    /// The filter's note of the latest of them, 0 for the first.
    pub note: u64,
    /// Nanoseconds.
    pub now: u64,
}

/// What the filter left in the record in `proxy_on_upstream_select`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// [`NO_TAG`] for none.
    pub tag: u32,
    pub feedback: Feedback,
    pub note: u64,
}

impl Chosen {
    /// Of a filter without a record.
    pub const UNSAID: Chosen = Chosen { tag: NO_TAG, feedback: Feedback::INFO, note: 0 };
}

/// What became of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Outcome {
    /// A response head came and is used.
    Answered = outcomes::ANSWERED,
    NotConnected = outcomes::NOT_CONNECTED,
    /// Connected, but no valid head came in time.
    NoHead = outcomes::NO_HEAD,
    /// A head whose status counts as failed.
    FailedStatus = outcomes::FAILED_STATUS,
    /// Nothing that speaks for or against the endpoint.
    Inconclusive = outcomes::INCONCLUSIVE,
}

/// What the filter is told before `proxy_on_upstream_info`. Times are nanoseconds, [`NO_TIME`] where not known.
pub struct Info {
    pub attempt: u32,
    pub chosen: Chosen,
    pub outcome: Outcome,
    /// Of the response, 0 if none came.
    pub status: u32,
    pub now: u64,
    pub connect_time: u64,
    pub first_byte_time: u64,
}

/// Bytes of the record that both sides know; `head` are the first four, where the filter put its size, and `most` is how many the
/// host would write.
pub fn known_bytes(head: [u8; 4], most: usize) -> usize {
    const { assert!(at::SIZE == 0) };
    (u32::from_le_bytes(head) as usize).min(most)
}

/// Once, before the first callback: by this a filter knows the host.
pub fn write_host(record: &mut [u8]) {
    put(record, at::VERSION, HOST_VERSION);
}

/// Before `proxy_on_upstream_select`.
#[inline]
pub fn write_select(record: &mut [u8], select: &Select<'_>) {
    if select.earlier.is_empty()
        && let Some(head) = record.first_chunk_mut::<HEAD_BYTES>()
    {
        return write_first(head, select);
    }
    let room = record.len().min(at::WANTS).saturating_sub(at::TAGS) / 4;
    let latest = &select.earlier[select.earlier.len().saturating_sub(room)..];
    put(record, at::ATTEMPT, select.attempt);
    put(record, at::TAG, NO_TAG);
    put(record, at::TRIED, latest.len() as u32);
    for (i, tag) in latest.iter().enumerate() {
        put(record, at::TAGS + i * 4, *tag);
    }
    put(record, at::WANTS, Feedback::ALL.0);
    put_long(record, at::NOTE, select.note);
    put_long(record, at::NOW, select.now);
}

/// The same for a request's first attempt and a record that has room for all: without a look at each place, as most are.
#[inline]
fn write_first(head: &mut [u8; HEAD_BYTES], select: &Select<'_>) {
    head[at::ATTEMPT..at::ATTEMPT + 4].copy_from_slice(&select.attempt.to_le_bytes());
    head[at::TAG..at::TAG + 4].copy_from_slice(&NO_TAG.to_le_bytes());
    head[at::TRIED..at::TRIED + 4].copy_from_slice(&0_u32.to_le_bytes());
    head[at::WANTS..at::WANTS + 4].copy_from_slice(&Feedback::ALL.0.to_le_bytes());
    head[at::NOTE..at::NOTE + 8].copy_from_slice(&select.note.to_le_bytes());
    head[at::NOW..at::NOW + 8].copy_from_slice(&select.now.to_le_bytes());
}

/// Before `proxy_on_upstream_select`: the request's key, [`NO_KEY`] if there is none or it does not fit.
#[inline]
pub fn write_key(record: &mut [u8], key: Option<&[u8]>) {
    let place = key.and_then(|key| record.get_mut(at::KEY..at::KEY + key.len()).zip(Some(key)));
    let len = place.map_or(NO_KEY, |(place, key)| {
        place.copy_from_slice(key);
        key.len() as u32
    });
    put(record, at::KEY_LENGTH, len);
}

/// Before a policy's `proxy_on_upstream_select`, in the place of the outcome; bit 0: some endpoints are to be kept away from.
#[inline]
pub fn write_flags(record: &mut [u8], flags: u32) {
    put(record, at::OUTCOME, flags);
}

/// Before `proxy_on_upstream_info`.
pub fn write_info(record: &mut [u8], info: &Info) {
    put(record, at::ATTEMPT, info.attempt);
    put(record, at::TAG, info.chosen.tag);
    put(record, at::WANTS, info.chosen.feedback.0);
    put(record, at::OUTCOME, info.outcome as u32);
    put(record, at::STATUS, info.status);
    put_long(record, at::NOTE, info.chosen.note);
    put_long(record, at::NOW, info.now);
    put_long(record, at::CONNECT_TIME, info.connect_time);
    put_long(record, at::FIRST_BYTE_TIME, info.first_byte_time);
}

/// After select.
#[inline]
pub fn chosen(record: &[u8]) -> Chosen {
    if let Some(head) = record.first_chunk::<HEAD_BYTES>() {
        let [tag, wants] = [at::TAG, at::WANTS]
            .map(|at| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]));
        let note = head[at::NOTE..at::NOTE + 8].try_into().map_or(0, u64::from_le_bytes);
        return Chosen { tag, feedback: Feedback(wants & Feedback::ALL.0), note };
    }
    let unsaid = Chosen::UNSAID;
    let wants = get(record, at::WANTS).map(u32::from_le_bytes);
    let known = if record.len() < HEAD_BYTES { Feedback::INFO } else { Feedback::ALL };
    Chosen {
        tag: get(record, at::TAG).map_or(unsaid.tag, u32::from_le_bytes),
        feedback: wants.map_or(unsaid.feedback, |bits| Feedback(bits & known.0)),
        note: get(record, at::NOTE).map_or(unsaid.note, u64::from_le_bytes),
    }
}

#[inline]
fn put(record: &mut [u8], at: usize, number: u32) {
    if let Some(place) = record.get_mut(at..at + 4) {
        place.copy_from_slice(&number.to_le_bytes());
    }
}

#[inline]
fn put_long(record: &mut [u8], at: usize, number: u64) {
    if let Some(place) = record.get_mut(at..at + 8) {
        place.copy_from_slice(&number.to_le_bytes());
    }
}

#[inline]
fn get<const N: usize>(record: &[u8], at: usize) -> Option<[u8; N]> {
    record.get(at..)?.first_chunk().copied()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn numbers(record: &[u8]) -> Vec<u32> {
        record.chunks_exact(4).map(|n| u32::from_le_bytes(n.try_into().unwrap())).collect()
    }

    fn long(record: &[u8], at: usize) -> u64 {
        u64::from_le_bytes(record[at..at + 8].try_into().unwrap())
    }

    fn select(attempt: u32, earlier: &[u32]) -> Select<'_> {
        Select { attempt, earlier, note: 5, now: 6 << 40 }
    }

    fn info(attempt: u32, tag: u32) -> Info {
        Info {
            attempt,
            chosen: Chosen { tag, feedback: Feedback(1), note: 9 },
            outcome: Outcome::NoHead,
            status: 504,
            now: 7 << 40,
            connect_time: NO_TIME,
            first_byte_time: 8 << 40,
        }
    }

    #[test]
    fn select_stands_where_the_document_says() {
        let mut record = [0xee; KNOWN_BYTES];
        write_select(&mut record, &select(2, &[70, 71]));
        assert_eq!(numbers(&record)[..7], [0xeeee_eeee, 2, NO_TAG, 2, 70, 71, 0xeeee_eeee]);
        assert_eq!(numbers(&record)[20], 3);
        assert_eq!((long(&record, 96), long(&record, 104)), (5, 6 << 40));
        assert_eq!(chosen(&record), Chosen { tag: NO_TAG, feedback: Feedback::ALL, note: 5 });
    }

    #[test]
    fn info_stands_where_the_document_says() {
        let mut record = [0xee; KNOWN_BYTES];
        write_info(&mut record, &info(1, 71));
        assert_eq!(numbers(&record)[..4], [0xeeee_eeee, 1, 71, 0xeeee_eeee]);
        assert_eq!(numbers(&record)[20..24], [1, 2, 504, 0xeeee_eeee]);
        let longs: Vec<u64> = [96, 104, 112, 120].map(|at| long(&record, at)).into();
        assert_eq!(longs, [9, 7 << 40, NO_TIME, 8 << 40]);
        assert_eq!(chosen(&record), info(1, 71).chosen);
    }

    #[test]
    fn the_host_is_known_by_its_version_which_nothing_takes_away() {
        let mut record = [0; KNOWN_BYTES];
        write_host(&mut record);
        write_select(&mut record, &select(1, &[70]));
        write_key(&mut record, Some(b"k"));
        write_info(&mut record, &info(1, 71));
        assert_eq!(numbers(&record)[23], 1);
    }

    #[test]
    fn times_come_with_info_only() {
        let wants = |bits| (Feedback(bits).wants_info(), Feedback(bits).wants_times());
        assert_eq!(
            [0, 1, 2, 3].map(wants),
            [(false, false), (true, false), (false, false), (true, true)]
        );
    }

    #[test]
    fn only_the_latest_sixteen_tags_are_told() {
        let mut record = [0; KNOWN_BYTES];
        write_select(&mut record, &select(20, &(0..20).collect::<Vec<_>>()));
        assert_eq!(numbers(&record)[3], 16);
        assert_eq!(numbers(&record)[4..20], (4..20).collect::<Vec<_>>());
        assert_eq!(numbers(&record)[20], 3);
    }

    #[test]
    fn the_filter_decides_how_much_it_knows() {
        assert_eq!(known_bytes(20_u32.to_le_bytes(), KNOWN_BYTES), 20);
        assert_eq!(known_bytes(1000_u32.to_le_bytes(), KNOWN_BYTES), KNOWN_BYTES);
        let mut record = [0; 24];
        write_select(&mut record, &select(3, &[70, 71, 72]));
        assert_eq!(numbers(&record)[3..], [2, 71, 72]);
    }

    #[test]
    fn a_key_stands_behind_everything_else_if_it_fits() {
        let mut record = [0; 140];
        write_key(&mut record, Some(b"shop-80"));
        assert_eq!((&record[128..132], &record[132..139]), (&[7, 0, 0, 0][..], &b"shop-80"[..]));
        for key in [Some(&b"nine char"[..]), None] {
            write_key(&mut record, key);
            assert_eq!((&record[128..132], &record[132..139]), (&[0xff; 4][..], &b"shop-80"[..]));
        }
    }

    proptest! {
        #[test]
        fn any_length_is_safe(len in 0..=KNOWN_BYTES, attempt: u32, earlier: Vec<u32>) {
            let mut record = vec![0; len];
            write_select(&mut record, &select(attempt, &earlier));
            let note = if len >= 104 { 5 } else { 0 };
            let feedback = if len >= 128 { Feedback::ALL } else { Feedback::INFO };
            prop_assert_eq!(chosen(&record), Chosen { note, feedback, ..Chosen::UNSAID });
            write_key(&mut record, Some(b"key"));
            write_info(&mut record, &info(attempt, 7));
            prop_assert_eq!(chosen(&record).tag, if len >= 12 { 7 } else { NO_TAG });
        }
    }
}
