//! What filters hand to the host: places in their memory, arguments of foreign functions, texts. The memory is the input.
#![no_main]

use libfuzzer_sys::fuzz_target;
use wick_abi::attempt::{self, Info, MAX_TAGS, NO_TAG, Outcome, Select};
use wick_abi::memory::{range, range_mut};
use wick_abi::shared_data::{DELETE, ListRequest, parse_writes, zone_of};
use wick_abi::slots::{ChangeSlot, GetSlots, OpenSlots};
use wick_abi::{Address, CallbackSet, PropertyPath, cookie, template, two};

fuzz_target!(|bytes: &[u8]| {
    let Some((head, rest)) = bytes.split_first_chunk::<8>() else { return };
    let [at, len] =
        [0, 4].map(|i| i32::from_le_bytes([head[i], head[i + 1], head[i + 2], head[i + 3]]));
    let mut memory = rest.to_vec();
    places(&mut memory, at, len);
    texts(rest, at as u32);
    arguments(&mut memory);
    record(&mut memory, head);
});

fn places(memory: &mut [u8], at: i32, len: i32) {
    let (first, bytes) = (u64::from(at as u32), u64::from(len as u32));
    let fits = first + bytes <= memory.len() as u64;
    assert_eq!(range(memory, at, len).map(<[u8]>::len).ok(), fits.then_some(bytes as usize));
    assert_eq!(range_mut(memory, at, len).is_ok(), fits);
}

fn texts(text: &[u8], port: u32) {
    if let Ok(address) = Address::parse(text, port) {
        let shown = address.text();
        let shown = std::str::from_utf8(shown.as_bytes()).expect("an address is text");
        assert_eq!(shown.parse(), Ok(std::net::SocketAddr::new(address.ip, address.port)));
    }
    let _ = PropertyPath::parse(text);
    let _ = CallbackSet::parse(text);
    let _ = template::parse(text);
    let zone = zone_of(text);
    assert!(zone == b"*" || text.starts_with(zone));
    if let Ok((name, line)) = two(text) {
        assert!(name.len() + line.len() <= text.len());
        let _ = cookie::find(line, name);
    }
}

fn arguments(memory: &mut [u8]) {
    if let Ok(writes) = parse_writes(memory) {
        assert!(writes.len() as u64 <= u64::from(DELETE));
    }
    let _ = ListRequest::parse(memory);
    if let Ok(OpenSlots { ids, .. }) = OpenSlots::parse(memory) {
        ids.iter_mut().for_each(|id| *id = [0xff; 8]);
    }
    if let Ok(GetSlots { entries, .. }) = GetSlots::parse(memory) {
        entries.iter_mut().for_each(|[_, value]| *value = [0xff; 8]);
    }
    if let Ok(ChangeSlot::<1> { words: [word], .. }) = ChangeSlot::parse(memory) {
        *word = [0xff; 8];
    }
    let _ = ChangeSlot::<2>::parse(memory);
}

/// The attempt record, at whatever size the filter says that it knows.
fn record(memory: &mut [u8], head: &[u8; 8]) {
    let size = [head[4], head[5] & 1, 0, 0];
    let known = attempt::known_bytes(size, attempt::KNOWN_BYTES).min(memory.len());
    let record = &mut memory[..known];
    let tags = [1; MAX_TAGS];
    let earlier = &tags[..usize::from(head[0]) % (MAX_TAGS + 1)];
    attempt::write_select(record, &Select { attempt: 1, earlier, note: 2, now: 3 });
    attempt::write_key(record, Some(&head[..usize::from(head[1]) % 8]));
    let chosen = attempt::chosen(record);
    assert_eq!(chosen.tag, NO_TAG);
    let (connect_time, first_byte_time) = (5, 6);
    let (status, outcome) = (200, Outcome::Answered);
    attempt::write_info(
        record,
        &Info { attempt: 1, chosen, outcome, status, now: 4, connect_time, first_byte_time },
    );
}
