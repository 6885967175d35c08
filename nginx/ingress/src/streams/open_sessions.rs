//! How many sessions of each port each process has open, so that those of a worker that was killed are known to have ended.
//!
//! A process that has sessions takes a place: a word with its id, and a word for each port, which it alone writes. Whoever finds its process gone
//! takes what those words say, and frees the place: its word has the finder's id, and a mark, for that time. A free place's words are zero.

use std::cell::Cell;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

/// Sessions of further processes stay open in the counters when those are killed.
const PLACES: usize = 256;
const PID: u64 = 0xffff_ffff;
/// Beside the id of the process that frees the place.
const FREED: u64 = 1 << 32;

thread_local! {
    /// The place of this process, and the words that it is in.
    static PLACE: Cell<Option<(*const AtomicU64, u64, usize)>> = const { Cell::new(None) };
}

/// The places of all processes, over words that they share.
#[derive(Clone, Copy)]
pub struct OpenSessions<'m> {
    owners: &'m [AtomicU64],
    /// Place by place, a word for each port.
    counts: &'m [AtomicU64],
    ports: usize,
}

impl<'m> OpenSessions<'m> {
    /// Words that are needed for so many ports.
    pub const fn words(ports: usize) -> usize {
        PLACES * (1 + ports)
    }

    /// Words that were all zero at first.
    pub fn new(words: &'m [AtomicU64], ports: usize) -> OpenSessions<'m> {
        let (owners, counts) = words.split_at(PLACES);
        OpenSessions { owners, counts, ports }
    }

    /// Where the process `pid`, which is this one, counts those of a port. `None`: all places belong to others. `ended` is told of places that it
    /// finds to be nobody's any more.
    pub fn of_port(
        &self,
        port: usize,
        pid: u32,
        is_alive: impl Fn(u32) -> bool,
        ended: impl Fn(usize, u64),
    ) -> Option<&'m AtomicU64> {
        let (words, owner) = (self.owners.as_ptr(), u64::from(pid));
        let known = PLACE.get().filter(|known| (known.0, known.1) == (words, owner));
        let place = known.map(|(_, _, place)| place).or_else(|| {
            // An earlier process may have had this id.
            self.free(pid, |other| other != pid && is_alive(other), ended);
            self.take(owner)
        })?;
        PLACE.set(Some((words, owner, place)));
        self.counts.get(place * self.ports + port)
    }

    fn take(&self, owner: u64) -> Option<usize> {
        self.owners.iter().position(|it| it.compare_exchange(0, owner, AcqRel, Relaxed).is_ok())
    }

    /// Frees the places of processes that are no more. `pid` is this one; `ended` is told of ports, and how many sessions of theirs went.
    pub fn free(&self, pid: u32, is_alive: impl Fn(u32) -> bool, ended: impl Fn(usize, u64)) {
        for (owner, counts) in self.owners.iter().zip(self.counts.chunks(self.ports)) {
            let was = owner.load(Acquire);
            if was == 0 || is_alive((was & PID) as u32) {
                continue;
            }
            let freed = FREED | u64::from(pid);
            if owner.compare_exchange(was, freed, AcqRel, Relaxed).is_ok() {
                take_all(counts, &ended);
                owner.store(0, Release);
            }
        }
    }
}

fn take_all(counts: &[AtomicU64], ended: impl Fn(usize, u64)) {
    for (port, count) in counts.iter().enumerate() {
        match count.swap(0, Relaxed) {
            0 => {}
            left => ended(port, left),
        }
    }
}

/// Adds to a count of this process's own.
#[inline]
pub fn change(count: &AtomicU64, by: u64) {
    count.store(count.load(Relaxed).wrapping_add(by), Relaxed);
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    const PORTS: usize = 3;

    fn words() -> Vec<AtomicU64> {
        (0..OpenSessions::words(PORTS)).map(|_| AtomicU64::new(0)).collect()
    }

    #[test]
    fn what_a_process_has_left_open_is_told_once_when_it_is_gone() {
        let words = words();
        let open = OpenSessions::new(&words, PORTS);
        let count = open.of_port(1, 10, |_| true, |_, _| unreachable!()).expect("a place");
        change(count, 3);
        change(count, 1_u64.wrapping_neg());
        let told = RefCell::new(Vec::new());
        for _ in 0..2 {
            open.free(11, |pid| pid != 10, |port, left| told.borrow_mut().push((port, left)));
        }
        assert_eq!(*told.borrow(), [(1, 2)]);
        assert!(words.iter().all(|word| word.load(Relaxed) == 0));
    }

    #[test]
    fn who_frees_a_place_and_is_killed_has_it_freed_by_others() {
        let words = words();
        let open = OpenSessions::new(&words, PORTS);
        words[0].store(FREED | 10, Relaxed);
        words[PLACES].store(4, Relaxed);
        let told = Cell::new(0);
        open.free(11, |pid| pid == 10, |_, left| told.set(left));
        assert_eq!(told.get(), 0, "while it is at it, nobody else is");
        open.free(11, |_| false, |_, left| told.set(left));
        assert_eq!((told.get(), words[0].load(Relaxed)), (4, 0));
    }

    #[test]
    fn an_earlier_process_with_the_same_id_is_gone() {
        let words = words();
        let open = OpenSessions::new(&words, PORTS);
        words[0].store(12, Relaxed);
        words[PLACES + 2].store(5, Relaxed);
        let told = Cell::new((0, 0));
        let count = open.of_port(2, 12, |_| true, |port, left| told.set((port, left)));
        assert_eq!(told.get(), (2, 5));
        assert_eq!(count.expect("a place").load(Relaxed), 0);
    }

    #[test]
    fn without_a_free_place_nothing_is_counted() {
        let words = words();
        let open = OpenSessions::new(&words, PORTS);
        words[..PLACES].iter().for_each(|owner| owner.store(1, Relaxed));
        assert!(open.of_port(0, 13, |_| true, |_, _| unreachable!()).is_none());
    }
}
