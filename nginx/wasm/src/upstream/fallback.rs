//! Peers without the filter: plain rotation over the backend record in the shared zone.

use wick_abi::{Address, EndpointList};

use crate::attempts::peer::Peer;
use crate::worker::Worker;

/// The next endpoint of the upstream's `fallback=KEY` that this subject has not tried, else any;
/// `None` without a readable record.
pub fn endpoint(peer: &Peer, worker: &Worker) -> Option<Address> {
    let key = peer.upstream.fallback.as_ref()?.evaluate(peer.subject)?;
    let zone = worker.environment.zones()[worker.environment.zone_of(key)?];
    let turn = worker.fallback_turn.get();
    worker.fallback_turn.set(turn.wrapping_add(1));
    let tried = |address: &Address| peer.earlier().any(|choice| choice.target.address == *address);
    zone.store().read(&zone.lock(), key, |record, _| choose(record, turn, tried))?
}

fn choose(record: &[u8], turn: usize, tried: impl Fn(&Address) -> bool) -> Option<Address> {
    let list = EndpointList::parse(record).ok()?;
    let first = turn.checked_rem(list.len())?;
    let in_turn = || list.iter().skip(first).chain(list.iter().take(first)).map(|e| e.address);
    in_turn().find(|address| !tried(address)).or_else(|| in_turn().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(ports: &[u16]) -> Vec<u8> {
        let mut record = vec![3, 0, 0, 0];
        record.extend((ports.len() as u32).to_le_bytes());
        record.extend([0; 4]);
        for port in ports {
            record.extend(port.to_le_bytes());
            record.extend([1, 0, 4, 127, 0, 0, 1]);
        }
        record
    }

    fn port(record: &[u8], turn: usize, tried: &[u16]) -> Option<u16> {
        choose(record, turn, |address| tried.contains(&address.port)).map(|address| address.port)
    }

    #[test]
    fn goes_round_and_avoids_what_was_tried_while_another_is_left() {
        let record = record(&[1, 2, 3]);
        let turns: Vec<_> = (0..4).map(|turn| port(&record, turn, &[])).collect();
        assert_eq!(turns, [Some(1), Some(2), Some(3), Some(1)]);
        assert_eq!(port(&record, 0, &[1, 2]), Some(3));
        assert_eq!(port(&record, 2, &[3]), Some(1));
        assert_eq!(port(&record, 1, &[1, 2, 3]), Some(2));
    }

    #[test]
    fn an_empty_or_broken_record_gives_nothing() {
        assert_eq!(port(&record(&[]), 0, &[]), None);
        assert_eq!(port(&record(&[1])[..14], 0, &[]), None);
        assert_eq!(port(b"", 0, &[]), None);
    }
}
