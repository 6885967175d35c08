//! Taking over what another store has: how a zone gets another size.

use crate::layout::header;
use crate::lock::{Held, Lock};
use crate::store::Store;
use crate::write::Refusal;

/// What a store counts up, which goes on where the other one was.
const COUNTED: [u64; 4] = [header::CAS, header::KEYS, header::RECOVERIES, header::RESETS];

impl Store {
    /// Takes over all records of `other`, with their cas numbers. This store is empty, and nobody else uses it yet; the other
    /// one may be in use, behind `lock`, and stays as it is. Slots are not taken over.
    ///
    /// # Errors
    /// [`Refusal::Full`]: not all of them fit.
    pub fn copy_from<L: Lock + ?Sized>(&self, other: &Store, lock: &L) -> Result<(), Refusal> {
        let _held = Held::new(*other, lock);
        let (from, to) = (other.heap(), self.heap());
        for bucket in 0..from.layout.buckets {
            for (_, entry) in from.chain(from.layout.bucket_link(bucket)) {
                let key = self.key(from.key(&entry));
                let node = to.write(&key, from.value(&entry), entry.cas).ok_or(Refusal::Full)?;
                to.link(&to.place(&key), node);
            }
        }
        for counter in COUNTED {
            self.memory.store(counter, other.memory.load(counter));
        }
        Ok(())
    }
}
