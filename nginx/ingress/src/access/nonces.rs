//! Nonces of Digest authentication: in a zone, common to all workers, that the directive `ingress_digest nonces=N` declares.
//! `$ingress_digest_shortages` says how often it was too small.
//!
//! A module of nginx's by itself, with a configuration and no handlers.

use ngx::ffi::{NGX_CONF_TAKE1, NGX_HTTP_MAIN_CONF, ngx_current_msec};
use rand::TryRng;
use rand::rngs::SysRng;
use wick_digest::{Counted, Key, Nonce, Presented, Uses};
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, refuse};
use wick_native::http_module;
use wick_native::module::ModuleIndex;
use wick_native::request::Request;
use wick_native::variable::{Printed, declare_printed};
use wick_native::word_zone::WordZone;

use super::proof;

static MODULE: ModuleIndex = ModuleIndex::unset();

http_module! {
    pub static TABLE at MODULE;
    directives {
        "ingress_digest": NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE1, main_conf => ingress_digest;
    }
    main_conf: MainConf,
    preconfiguration: declare,
}

fn declare(conf: Conf) -> Option<()> {
    let noted_at = proof::declare(conf)?;
    // SAFETY: the parser is inside `http`, and nothing else refers to the configuration.
    unsafe { (*conf.http_main::<MainConf>(MODULE.get())).noted_at = noted_at };
    declare_printed::<Shortages>(conf, b"ingress_digest_shortages")
}

struct Shortages;

impl Printed for Shortages {
    type Value = u64;

    fn get(r: Request) -> Option<u64> {
        Nonces::of(r)?.locked(|uses| uses.shortages())
    }
}

#[derive(Default)]
struct MainConf {
    nonces: Option<Nonces>,
    /// Index of the variable in whose place requests carry who proved to have sent them.
    noted_at: usize,
}

pub fn noted_at(r: Request) -> usize {
    // SAFETY: the module's main configuration.
    unsafe { (*r.main_conf::<MainConf>(MODULE.get())).noted_at }
}

/// The zone.
#[derive(Clone, Copy)]
pub struct Nonces(WordZone);

const MAX_NONCES: usize = 1 << 24;

fn ingress_digest(conf: Conf, main: &mut MainConf) -> Answer {
    if main.nonces.is_some() {
        return refuse(c"is duplicate");
    }
    let word = conf.words().nth(1).and_then(|word| std::str::from_utf8(word).ok());
    let nonces = word.and_then(|word| word.strip_prefix("nonces=")?.parse().ok());
    let Some(nonces) = nonces.filter(|nonces| (1..=MAX_NONCES).contains(nonces)) else {
        return refuse(c"takes nonces=NUMBER");
    };
    // nginx keeps what has the same name and size.
    let name = format!("ingress_digest:{nonces}");
    let zone = WordZone::declare(conf, name.as_bytes(), Uses::words(nonces));
    let Some(zone) = zone else { return CONF_ERROR };
    main.nonces = Some(Nonces(zone));
    CONF_OK
}

impl Nonces {
    /// `None`: the configuration has no place for nonces.
    pub fn of(r: Request) -> Option<Nonces> {
        // SAFETY: the module's main configuration.
        unsafe { (*r.main_conf::<MainConf>(MODULE.get())).nonces }
    }

    /// A nonce that nobody had before, as it is sent. `None`: the kernel has no randomness to give.
    pub fn make(self, scope: &[&[u8]]) -> Option<Vec<u8>> {
        let (key, nonce) = self.locked(|uses| (uses.key(), uses.next_nonce(now_ms())))?;
        Some(nonce.text(key, scope))
    }

    /// What a client's nonce is.
    pub fn read(self, text: &[u8], scope: &[&[u8]]) -> Option<Presented> {
        let key = self.locked(|uses| uses.key())?;
        Some(Nonce::read(text, key, scope, now_ms()))
    }

    /// Counts a use, after the answer was found right.
    pub fn count(self, nonce: Nonce, scope: &[&[u8]], client: u128, count: u32) -> Option<Counted> {
        self.locked(|uses| uses.count(nonce, uses.whose(scope, client), count, now_ms()))
    }

    fn locked<R>(self, f: impl FnOnce(Uses<'static>) -> R) -> Option<R> {
        self.0.locked(|words| Uses::open(words, random_key).map(f))
    }
}

fn random_key() -> Option<Key> {
    let mut bytes = [0; 16];
    SysRng.try_fill_bytes(&mut bytes).ok()?;
    Some(Key(u128::from_le_bytes(bytes)))
}

/// Of nginx's clock, which does not go back and is the same for all workers.
fn now_ms() -> u64 {
    // SAFETY: only this thread, the event loop's, changes it.
    unsafe { ngx_current_msec as u64 }
}
