//! What the host keeps for one instance.

use std::ptr::NonNull;

use wasmtime::{Memory, StoreLimits, TypedFunc};
use wick_abi::attempt::KNOWN_BYTES;

use crate::world::World;

pub(crate) struct State {
    pub limits: StoreLimits,
    pub memory: Option<Memory>,
    /// The function by which the policy is asked for memory.
    pub allocate: Option<TypedFunc<i32, i32>>,
    /// Address and length of the attempt record, when the policy has one.
    pub record: Option<(i32, i32)>,
    /// The record of one that has none, for `wick_get_attempt`.
    pub shadow: Option<Box<[u8; KNOWN_BYTES]>>,
    /// What `wick_choose_endpoint` said in the call at hand.
    pub chosen: Option<u32>,
    world: Option<NonNull<dyn World>>,
}

impl State {
    pub fn new(limits: StoreLimits) -> State {
        let none = None;
        State {
            limits,
            memory: None,
            allocate: None,
            record: None,
            shadow: None,
            chosen: none,
            world: None,
        }
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
