//! A policy is tried before anybody uses it: it starts, takes a configuration, and chooses among one, two, ten and a thousand
//! endpoints, as first attempts and as later ones, while the list changes. It may decline; it may not fault, nor choose what is
//! not there.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::net::{IpAddr, Ipv4Addr};

use wick_abi::attempt::{Chosen, Info, NO_TAG, NO_TIME, Outcome, Select};
use wick_abi::{LogLevel, Status};

use crate::abi::{ABI_VERSION, needs};
use crate::endpoints::{Endpoint, Endpoints, Zone};
use crate::instance::{Code, Fault, Instance, Limits, Linked, Opened, Question};
use crate::world::{Number, Side, Swapped, World};

/// Lists of so many endpoints.
const SIZES: [u32; 4] = [1, 2, 10, 1000];
const PICKS: u32 = 1000;
/// The list changes that often in between.
const CHANGE_EVERY: u32 = 100;
/// One attempt of so many fails and is tried again elsewhere.
const FAIL_EVERY: u32 = 7;

/// What was learned of a policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tried {
    pub needs: u32,
    pub abi_version: u32,
    pub picks: u32,
    pub declines: u32,
    pub memory_bytes: usize,
}

/// Tries a policy.
/// # Errors
/// Why nobody should use it: one sentence without a full stop.
pub fn run(code: &Code, linked: &Linked, limits: Limits) -> Result<Tried, String> {
    let failed = |fault: Fault| format!("It fails when it starts: {}", fault.0);
    let mut instance = Instance::start(code, linked, limits).map_err(failed)?;
    let mut tried =
        Tried { needs: instance.needs(), abi_version: instance.abi_version(), ..Tried::default() };
    if tried.abi_version == 0 || tried.abi_version > ABI_VERSION {
        return Err(format!(
            "It is for version {} of the ABI, and this wick has {ABI_VERSION}",
            tried.abi_version
        ));
    }
    if tried.needs & !needs::ALL != 0 {
        return Err(format!(
            "Its wick_policy_needs is {}, which is no sum of 1, 2, 4, 8 and 16: where exports of data are addresses, export a function",
            tried.needs
        ));
    }
    for (root, size) in (1..).zip(SIZES) {
        Backend::new(root, size).run(&mut instance, &mut tried)?;
    }
    tried.memory_bytes = instance.memory_bytes();
    Ok(tried)
}

/// One that is not there.
struct Backend {
    root: i32,
    endpoints: RefCell<&'static Endpoints>,
    own: RefCell<Vec<[u64; 4]>>,
    avoided: RefCell<Vec<u8>>,
    now: Cell<u64>,
    random: Cell<u64>,
}

impl Backend {
    fn new(root: i32, size: u32) -> Backend {
        Backend {
            root,
            endpoints: RefCell::new(list(size)),
            own: RefCell::new(vec![[0; 4]; size as usize]),
            avoided: RefCell::default(),
            now: Cell::new(1 << 40),
            random: Cell::new(0x9e37_79b9_7f4a_7c15 ^ u64::from(size)),
        }
    }

    fn run(&self, instance: &mut Instance, tried: &mut Tried) -> Result<(), String> {
        let size = self.endpoints().len();
        let failed = |what: &str, fault: Fault| {
            format!("It fails {what} with {size} endpoints: {}", fault.0)
        };
        let opened = instance
            .open(self.root, self)
            .map_err(|fault| failed("when a backend comes", fault))?;
        // Without configuration it may have nothing to do.
        let picks = if opened == Opened::Ready { PICKS } else { 0 };
        for pick in 0..picks {
            if pick.is_multiple_of(CHANGE_EVERY) {
                self.change(pick / CHANGE_EVERY, size as u32);
                instance
                    .tell_change(self.root, self)
                    .map_err(|fault| failed("when endpoints change", fault))?;
            }
            self.request(instance, tried, pick).map_err(|problem| match problem {
                Problem::Fault(what, fault) => failed(what, fault),
                Problem::Place(place) => format!(
                    "It chose endpoint {place} of {}: they are counted from 0",
                    self.endpoints().len()
                ),
            })?;
        }
        instance.close(self.root, self).map_err(|fault| failed("when a backend goes", fault))
    }

    /// An endpoint fewer every other time.
    fn change(&self, change: u32, size: u32) {
        let fewer = change % 2 == 1 && size > 1;
        *self.endpoints.borrow_mut() = list(size - u32::from(fewer));
    }

    fn request(
        &self,
        instance: &mut Instance,
        tried: &mut Tried,
        number: u32,
    ) -> Result<(), Problem> {
        let mut earlier = Vec::new();
        let mut note = 0;
        loop {
            self.now.set(self.now.get() + 1_000_000);
            self.avoid(&earlier);
            let attempt = earlier.len() as u32;
            let key = format!("key-{}", number % 50);
            let question = Question {
                select: Select { attempt, earlier: &earlier, note, now: self.now.get() },
                are_some_avoided: !earlier.is_empty(),
                key: (number.is_multiple_of(3)).then_some(key.as_bytes()),
            };
            let said = instance.select(self.root, &question, self);
            let said = said.map_err(|fault| Problem::Fault("when it chooses", fault))?;
            tried.picks += 1;
            if said.tag == NO_TAG {
                tried.declines += 1;
                return Ok(());
            }
            if said.tag as usize >= self.endpoints().len() {
                return Err(Problem::Place(said.tag));
            }
            note = said.note;
            let fails = number.is_multiple_of(FAIL_EVERY) && earlier.len() < 3;
            if instance.listens() && said.feedback.wants_info() {
                let told =
                    instance.info(self.root, &self.ending(attempt, said, fails), fails, self);
                told.map_err(|fault| Problem::Fault("when an attempt has ended", fault))?;
            }
            if !fails {
                return Ok(());
            }
            earlier.push(said.tag);
        }
    }

    fn avoid(&self, earlier: &[u32]) {
        let mut avoided = self.avoided.borrow_mut();
        avoided.clear();
        avoided.resize(self.endpoints().len().div_ceil(8), 0);
        for index in earlier {
            avoided[*index as usize / 8] |= 1 << (index % 8);
        }
    }

    fn ending(&self, attempt: u32, said: Chosen, fails: bool) -> Info {
        let random = self.next();
        Info {
            attempt,
            chosen: said,
            outcome: if fails { Outcome::NotConnected } else { Outcome::Answered },
            status: if fails { 0 } else { [200, 200, 404, 503][random as usize % 4] },
            now: self.now.get(),
            connect_time: if random.is_multiple_of(2) { 0 } else { NO_TIME },
            first_byte_time: random % 1_000_000_000,
        }
    }

    fn next(&self) -> u64 {
        let mut x = self.random.get();
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.random.set(x);
        x
    }
}

enum Problem {
    Fault(&'static str, Fault),
    Place(u32),
}

/// 10.0.0.0, 10.0.0.1 … in turn of each zone, with weights of 1 to 3. A program tries one policy: they stay.
fn list(size: u32) -> &'static Endpoints {
    let endpoint = |i: u32| Endpoint {
        ip: IpAddr::V4(Ipv4Addr::from(0x0a00_0000 + i)),
        port: 8080,
        weight: 1 + i % 3,
        zone: Zone::from((i % 3) as u8),
    };
    Box::leak(Box::new(Endpoints::new((0..size).map(endpoint))))
}

impl World for Backend {
    fn endpoints(&self) -> &Endpoints {
        *self.endpoints.borrow()
    }

    fn configuration(&self) -> &[u8] {
        &[]
    }

    fn avoided(&self) -> &[u8] {
        // SAFETY: changed between calls only, and the policy gets a copy.
        unsafe { &*self.avoided.as_ptr() }
    }

    fn header(&self, side: Side, name: &[u8]) -> Option<Cow<'_, [u8]>> {
        let value: &'static [u8] = match (side, name) {
            (Side::Request, b":path") => b"/cart?user=7",
            (Side::Request, b":method") => b"GET",
            (Side::Request, b":authority") => b"shop.test",
            _ => return None,
        };
        Some(Cow::Borrowed(value))
    }

    fn cookie(&self, _: &[u8]) -> Option<Cow<'_, [u8]>> {
        None
    }

    fn number(&self, index: usize, number: Number) -> u64 {
        match number {
            Number::Own(cell) => self.own.borrow().get(index).map_or(0, |own| own[cell as usize]),
            Number::Running => self.next() % 8,
            Number::Latency => u64::from(((self.next() % 1_000_000) as f32).to_bits()) << 32 | 1,
        }
    }

    fn add(&self, index: usize, cell: u32, what: u64) -> Result<u64, Status> {
        let mut own = self.own.borrow_mut();
        let cell = own.get_mut(index).map(|own| &mut own[cell as usize]).ok_or(Status::NotFound)?;
        *cell = cell.wrapping_add(what);
        Ok(*cell)
    }

    fn swap(&self, index: usize, cell: u32, expected: u64, wanted: u64) -> Result<Swapped, Status> {
        let mut own = self.own.borrow_mut();
        let cell = own.get_mut(index).map(|own| &mut own[cell as usize]).ok_or(Status::NotFound)?;
        if *cell != expected {
            return Ok(Swapped::Found(*cell));
        }
        *cell = wanted;
        Ok(Swapped::Done)
    }

    fn log(&self, _: LogLevel, _: &str) {}
}
