//! The table of what clients have requested, as a worker uses it.

use std::cell::Cell;
use std::hash::{BuildHasher, RandomState};

use ngx::ffi::{ngx_current_msec, ngx_pid};
use wick_limits::{Answer, Capacity, Client, Connection, Limits, Process, Table};
use wick_native::process::is_alive;
use wick_native::word_zone::WordZone;

/// The zone of `ingress_limits`.
#[derive(Clone, Copy)]
pub struct LimitZone {
    zone: WordZone,
    capacity: Capacity,
}

thread_local! {
    /// The row of this process, and the table it is in.
    static PROCESS: Cell<Option<(*const u8, u32, Process)>> = const { Cell::new(None) };
}

impl LimitZone {
    pub fn new(zone: WordZone, capacity: Capacity) -> LimitZone {
        LimitZone { zone, capacity }
    }

    /// Whether a client may go on, who is told apart by the table's seed. Somebody else's limits are not waited for longer than a few
    /// hundred instructions.
    pub fn ask(self, limits: &Limits, namespace: u64, client: impl FnOnce(u64) -> u128) -> Answer {
        // SAFETY: a word that nginx updates in this very thread.
        let now_ms = unsafe { ngx_current_msec } as u64;
        self.zone.locked(|_| {
            let table = self.table();
            let number = client(table.seed());
            let client = Client { ingress: limits.key, namespace, number };
            let process = limits.connections.and_then(|_| self.process(&table));
            table.ask(client, limits, now_ms, process, is_alive)
        })
    }

    pub fn give_back(self, connection: Connection) {
        if !self.table().give_back(connection) {
            self.zone.locked(|_| self.table().give_back_moved(connection));
        }
    }

    /// How many clients had to leave although something of them counts, since the zone is there.
    pub fn shortages(self) -> u64 {
        self.zone.locked(|_| self.table().shortages())
    }

    /// Under the lock, as long as there may be none.
    fn table(self) -> Table<'static> {
        let (words, capacity) = (self.zone.words(), self.capacity);
        let made = Table::attach(words, capacity).or_else(|| {
            Table::create(words, capacity, RandomState::new().hash_one(capacity.clients))
        });
        made.expect("the zone has room for its table")
    }

    fn process(self, table: &Table<'static>) -> Option<Process> {
        let place = self.zone.words().as_ptr().cast::<u8>();
        // SAFETY: set once in each process.
        let pid = unsafe { ngx_pid } as u32;
        if let Some((at, owner, process)) = PROCESS.get()
            && at == place
            && owner == pid
        {
            return Some(process);
        }
        let process = table.register(pid, is_alive)?;
        PROCESS.set(Some((place, pid, process)));
        Some(process)
    }
}
