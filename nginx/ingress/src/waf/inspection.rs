//! What a request has of the firewall.

use std::cell::{Cell, OnceCell, RefCell};
use std::pin::Pin;
use std::ptr::{NonNull, with_exposed_provenance};
use std::rc::Rc;

use ngx::ffi::{NGX_LOG_INFO, ngx_http_request_t, ngx_int_t};
use wick_metrics::Outcome;
use wick_native::log;
use wick_native::request::Request;
use wick_native::timer::Timer;
use wick_native::variable::{note, noted};
use wick_native::wake::Wake;
use wick_waf::Transaction;

use super::conf::{MODULE, MainConf};
use super::held::Held;
use super::ready::ReadyWaf;
use super::shown::shown;

/// How far the inspection of a request is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Nothing was inspected: its rules are being compiled, since this time.
    Waits { since_ms: u64 },
    /// Its head was inspected.
    Head,
    /// Its body is being read.
    Reading,
    /// Its body is there.
    Read,
    /// All of it was inspected; its response is next.
    Request,
    /// The head of its response was inspected; the body is, as it passes.
    Response,
    /// The same, and nothing of it has been sent.
    Holding,
    /// Its response was stopped, and another one will take its place.
    Stopped { status: ngx_int_t },
    /// Nothing more is inspected.
    Over,
}

pub struct Inspection {
    r: *mut ngx_http_request_t,
    pub waf: Rc<ReadyWaf>,
    pub step: Cell<Step>,
    /// `None`: nothing has been decided, as of one that waits for its rules.
    pub outcome: Cell<Option<Outcome>>,
    /// `None`: there is none yet, or the request passes without.
    pub transaction: RefCell<Option<Transaction>>,
    pub held: RefCell<Held>,
    /// While it waits.
    pub wake: OnceCell<Rc<Wake>>,
    /// Where its response was stopped in the midst.
    pub end: OnceCell<Pin<Box<Timer<*mut ngx_http_request_t>>>>,
}

impl Inspection {
    pub fn new(r: Request, waf: Rc<ReadyWaf>, now_ms: u64) -> Inspection {
        Inspection {
            r: r.as_ptr(),
            waf,
            step: Cell::new(Step::Waits { since_ms: now_ms }),
            outcome: Cell::default(),
            transaction: RefCell::default(),
            held: RefCell::default(),
            wake: OnceCell::new(),
            end: OnceCell::new(),
        }
    }

    /// Of the place where the request is now; `None`, as of most: it has none there.
    #[inline]
    pub fn here<'r>(r: Request<'r>) -> Option<&'r Inspection> {
        // SAFETY: what `put_here` stored, in the memory of the request; changed through cells only.
        unsafe { r.ctx::<Inspection>(MODULE.get()).as_ref() }
    }

    /// Also where it has been led to another place inside.
    pub fn of<'r>(r: Request<'r>) -> Option<&'r Inspection> {
        let word = noted(r, noted_at(r))?;
        // SAFETY: what `keep` noted, in memory of the request; 0 stands for none.
        NonNull::new(with_exposed_provenance::<Inspection>(word).cast_mut())
            .map(|it| unsafe { it.as_ref() })
    }

    /// `None`: out of memory.
    pub fn keep<'r>(self, r: Request<'r>) -> Option<&'r Inspection> {
        let kept = r.pool().keep(self)?;
        note(r, noted_at(r), kept.as_ptr().expose_provenance());
        // SAFETY: it lies in the request's memory; changed through cells only.
        Some(unsafe { kept.as_ref() })
    }

    /// Later phases see it.
    pub fn put_here(&self, r: Request) {
        // SAFETY: a registered HTTP module; it lies in the request's memory, and nobody writes through the pointer.
        unsafe { r.set_ctx(MODULE.get(), std::ptr::from_ref(self).cast_mut()) };
    }

    /// Does something with the transaction, and writes what rules have said meanwhile. `None`: there is none.
    pub fn with<T>(&self, r: Request, f: impl FnOnce(&mut Transaction) -> T) -> Option<T> {
        let mut transaction = self.transaction.borrow_mut();
        let transaction = transaction.as_mut()?;
        let result = f(transaction);
        for line in transaction.take_lines() {
            log::write(r.log(), NGX_LOG_INFO as usize, format_args!("{}", shown(&line)));
        }
        Some(result)
    }
}

impl Drop for Inspection {
    /// The request has ended, whatever it was: its memory is about to be given back.
    fn drop(&mut self) {
        // SAFETY: nginx drops what lies in a request's pool before it frees that.
        let r = unsafe { Request::from_raw(self.r) };
        self.with(r, |transaction| transaction.logging(r.logged_status() as u16));
    }
}

fn noted_at(r: Request) -> usize {
    // SAFETY: the module's main configuration.
    unsafe { (*r.main_conf::<MainConf>(MODULE.get())).noted_at }
}
