//! `proxy_on_tick`: when each root is called, until it says otherwise.

use std::cell::{Cell, OnceCell};
use std::pin::Pin;

use wick_native::timer::Timer;

pub struct Ticks {
    /// In the order of the roots.
    roots: Vec<Tick>,
    call: OnceCell<Box<dyn Fn(usize)>>,
}

struct Tick {
    period_ms: Cell<u32>,
    timer: Pin<Box<Timer<(&'static Ticks, usize)>>>,
}

impl Ticks {
    pub fn new(roots: usize) -> Ticks {
        let tick = |_| Tick { period_ms: Cell::new(0), timer: Timer::new() };
        Ticks { roots: (0..roots).map(tick).collect(), call: OnceCell::new() }
    }

    /// What a tick does, with the root's index; said once, before the first tick is set.
    pub fn on_tick(&self, call: impl Fn(usize) + 'static) {
        let _ = self.call.set(Box::new(call));
    }

    /// From now on `root` is called every so many milliseconds; 0 stops that.
    pub fn set(&'static self, root: usize, period_ms: u32) {
        self.roots[root].period_ms.set(period_ms);
        self.cancel(root);
        self.wind(root);
    }

    /// Until the root sets it again.
    pub fn cancel(&self, root: usize) {
        self.roots[root].timer.cancel();
    }

    fn wind(&'static self, root: usize) {
        let tick = &self.roots[root];
        if tick.period_ms.get() > 0 {
            let fire = |(ticks, root): (&'static Ticks, usize)| ticks.fire(root);
            tick.timer.as_ref().set(u64::from(tick.period_ms.get()), fire, (self, root));
        }
    }

    fn fire(&'static self, root: usize) {
        self.wind(root);
        if let Some(call) = self.call.get() {
            call(root);
        }
    }
}
