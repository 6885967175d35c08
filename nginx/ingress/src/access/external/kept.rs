//! Answers of services that are kept: in a zone, common to all workers, that the directive `ingress_auth_cache` declares. Without it
//! none is. While one request asks, those of this worker that would ask the same wait for it, once.
//!
//! A module of nginx's by itself, with a configuration and no handlers.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ptr::NonNull;
use std::rc::{Rc, Weak};

use ngx::ffi::{NGX_CONF_TAKE1, NGX_HTTP_MAIN_CONF, ngx_current_msec};
use wick_access::{Answers, Key};
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, parse_size, refuse};
use wick_native::http_module;
use wick_native::module::ModuleIndex;
use wick_native::request::Request;
use wick_native::wake::Wake;
use wick_native::word_zone::WordZone;

static MODULE: ModuleIndex = ModuleIndex::unset();

http_module! {
    pub static TABLE at MODULE;
    directives {
        "ingress_auth_cache": NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE1, main_conf => ingress_auth_cache;
    }
    main_conf: MainConf,
}

#[derive(Default)]
struct MainConf(Option<Kept>);

pub struct Kept {
    zone: WordZone,
    /// Whom requests wait for in this worker.
    asked: RefCell<HashMap<Key, Vec<Weak<Waiter>>>>,
    /// Memory for the text of a key, and then for the answer, of one request after the other.
    scratch: Cell<Vec<u8>>,
}

/// A request that waits for what another one is told.
pub struct Waiter {
    wake: Rc<Wake>,
    is_over: Cell<bool>,
}

/// That of asking, until dropped.
pub struct Turn {
    kept: NonNull<Kept>,
    key: Key,
}

const MIN_BYTES: usize = 64 << 10;

fn ingress_auth_cache(conf: Conf, main: &mut MainConf) -> Answer {
    if main.0.is_some() {
        return refuse(c"is duplicate");
    }
    let bytes = conf.words().nth(1).and_then(parse_size).filter(|bytes| *bytes >= MIN_BYTES);
    let Some(bytes) = bytes else { return refuse(c"takes a size of at least 64k") };
    // nginx keeps what has the same name and size.
    let name = format!("ingress_auth_cache:{bytes}");
    let Some(zone) = WordZone::declare(conf, name.as_bytes(), bytes / 8) else { return CONF_ERROR };
    main.0 = Some(Kept { zone, asked: RefCell::default(), scratch: Cell::default() });
    CONF_OK
}

impl Kept {
    /// `None`: the configuration has no place for answers.
    pub fn of<'r>(r: Request<'r>) -> Option<&'r Kept> {
        // SAFETY: the module's main configuration, which outlives the request.
        unsafe { (*r.main_conf::<MainConf>(MODULE.get())).0.as_ref() }
    }

    pub fn key<'p>(&self, parts: impl IntoIterator<Item = &'p [u8]>) -> Key {
        self.with_table(|table| table.key(parts))
    }

    /// Has `f` use memory that is empty and need not be asked of the allocator.
    pub fn with_scratch<T>(&self, f: impl FnOnce(&mut Vec<u8>) -> T) -> T {
        let mut scratch = self.scratch.take();
        scratch.clear();
        let result = f(&mut scratch);
        self.scratch.set(scratch);
        result
    }

    /// Copies the answer to the end of `to`; false: there is none.
    pub fn find(&self, key: Key, to: &mut Vec<u8>) -> bool {
        self.with_table(|table| table.find(key, now_ms(), to))
    }

    pub fn keep(&self, key: Key, seconds: u32, answer: &[u8]) {
        let until_ms = now_ms() + u64::from(seconds) * 1000;
        self.with_table(|table| table.keep(key, until_ms, answer));
    }

    /// `None`: another request asks.
    pub fn turn(&self, key: Key) -> Option<Turn> {
        let mut asked = self.asked.borrow_mut();
        if asked.contains_key(&key) {
            return None;
        }
        asked.insert(key, Vec::new());
        Some(Turn { kept: NonNull::from(self), key })
    }

    /// Has the request woken when the one that asks has been told. It is dropped with the request.
    pub fn wait(&self, key: Key, r: Request) -> Rc<Waiter> {
        // SAFETY: the request, in whose memory it lies, is the only one to have an Rc of it.
        let wake = unsafe { Wake::of(r) };
        let waiter = Rc::new(Waiter { wake, is_over: Cell::new(false) });
        if let Some(waiters) = self.asked.borrow_mut().get_mut(&key) {
            waiters.push(Rc::downgrade(&waiter));
        } else {
            waiter.end();
        }
        waiter
    }

    /// Under the lock. A secret is made with the table.
    fn with_table<R>(&self, f: impl FnOnce(&Answers<'static>) -> R) -> R {
        let secret = || [RandomState::new().hash_one(0), RandomState::new().hash_one(1)];
        self.zone.locked(|words| {
            f(&Answers::attach(words).unwrap_or_else(|| Answers::create(words, secret())))
        })
    }
}

impl Waiter {
    /// The other request has been told, or has ended.
    pub fn is_over(&self) -> bool {
        self.is_over.get()
    }

    fn end(&self) {
        self.is_over.set(true);
        self.wake.soon();
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        // SAFETY: the configuration outlives its requests.
        let waiters = unsafe { self.kept.as_ref() }.asked.borrow_mut().remove(&self.key);
        waiters.into_iter().flatten().filter_map(|waiter| waiter.upgrade()).for_each(|w| w.end());
    }
}

fn now_ms() -> u64 {
    // SAFETY: a word that nginx updates in this very thread.
    unsafe { ngx_current_msec as u64 }
}
