//! What the host keeps for one instance.

use std::ptr::NonNull;

use wasmtime::Caller;
use wick_abi::attempt::KNOWN_BYTES;
use wick_abi::{LogLevel, Status};
use wick_guest::{Embedder, Failure, Parts, Taken};

use crate::world::World;

pub(crate) struct State {
    parts: Parts,
    /// The attempt record of one that has none, for `wick_get_attempt`.
    pub shadow: Option<Box<[u8; KNOWN_BYTES]>>,
    /// What `wick_choose_endpoint` said in the call at hand.
    pub chosen: Option<u32>,
    world: Option<NonNull<dyn World>>,
}

impl State {
    /// For an instance with so much linear memory at most.
    pub fn new(memory_bytes: usize) -> State {
        State { parts: Parts::new(memory_bytes), shadow: None, chosen: None, world: None }
    }

    /// Of the call at hand; `None` between calls.
    ///
    /// # Safety
    /// `'w` ends before the call does.
    #[inline]
    pub unsafe fn world<'w>(&self) -> Option<&'w dyn World> {
        // SAFETY: the caller's promise; `enter` was given it for the length of the call.
        self.world.map(|world| unsafe { world.as_ref() })
    }

    /// A call begins. [`State::leave`] must be called before `world` ends, however the call ends.
    #[inline]
    pub fn enter<'w>(&mut self, world: &'w (dyn World + 'w)) {
        let world: NonNull<dyn World + 'w> = NonNull::from(world);
        // SAFETY: only the lifetime changes; `leave` forgets it before that ends.
        self.world = Some(unsafe {
            std::mem::transmute::<NonNull<dyn World + 'w>, NonNull<dyn World>>(world)
        });
        self.chosen = None;
    }

    #[inline]
    pub fn leave(&mut self) {
        self.world = None;
    }
}

/// Fuel for a call into the host, and for each eight bytes that it copies.
const CALL: u64 = 50;

impl Embedder for State {
    const TAKEN: Taken =
        Taken { line_bytes: 1024, output_parts: 16, splits_output: true, random_bytes: 4096 };

    #[inline]
    fn parts(&self) -> &Parts {
        &self.parts
    }

    #[inline]
    fn parts_mut(&mut self) -> &mut Parts {
        &mut self.parts
    }

    fn pay(caller: &mut Caller<'_, State>, bytes: usize) -> Result<(), Failure> {
        let left = caller.get_fuel()?.saturating_sub(CALL + bytes as u64 / 8);
        Ok(caller.set_fuel(left)?)
    }

    /// In start-up there is no log.
    fn print(&mut self, level: LogLevel, text: &str) -> Result<(), Status> {
        // SAFETY: the call that prints goes on afterwards.
        let world = unsafe { self.world() }.ok_or(Status::NotFound)?;
        world.log(level, text.trim_end());
        Ok(())
    }

    /// Whatever the log's level is: no policy needs to know.
    fn log_level(&self) -> LogLevel {
        LogLevel::Info
    }
}
