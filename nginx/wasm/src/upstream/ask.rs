//! Asking the filters: who serves this attempt, and what became of it.

use std::ptr::NonNull;

use ngx::ffi::NGX_LOG_INFO;
use wick_abi::Callback;
use wick_abi::attempt::{Chosen, Info};
use wick_native::log;

use super::ending::Ending;
use super::fallback;
use crate::attempts::choice::Choice;
use crate::attempts::peer::{Peer, Serving};
use crate::attempts::target::Target;
use crate::clock;
use crate::contexts::Contexts;
use crate::host::current::{Current, Step};
use crate::host::local_response::LocalResponse;
use crate::instance::Instance;
use crate::worker::{Unavailable, Worker};

/// What became of asking.
pub enum Pick {
    Chosen(NonNull<Choice>),
    Respond(LocalResponse),
    /// The upstream's own method shall choose.
    None,
}

/// A subject's use of an upstream, and the worker whose filters are asked about it.
#[derive(Clone, Copy)]
pub struct Asking<'r> {
    pub worker: &'static Worker,
    pub peer: &'r Peer<'r>,
    /// The contexts of the subject's filters, made if need be; `None`: out of memory.
    pub contexts: fn(&Peer<'r>, &'static Worker) -> Option<&'r Contexts<'r>>,
}

impl<'r> Asking<'r> {
    /// Asks the filters, then the fallback if one of them could not answer.
    pub fn pick(&self) -> Pick {
        self.peer.begin();
        let asked = self.ask();
        self.peer.count();
        match asked {
            Ok(Some(local)) => {
                self.take_back();
                Pick::Respond(local)
            }
            Ok(None) => self.chosen_or_original(),
            Err(Unavailable) => {
                self.take_back();
                self.fall_back()
            }
        }
    }

    fn chosen_or_original(&self) -> Pick {
        match self.peer.chosen() {
            Some(choice) => Pick::Chosen(choice),
            None => {
                let line =
                    "no upstream selected in \"on_upstream_select\", calling original get_peer";
                log::write(
                    self.peer.subject.log(),
                    NGX_LOG_INFO as usize,
                    format_args!("[wasm] {line}"),
                );
                Pick::None
            }
        }
    }

    /// A filter chose, but a later one of the chain answers or failed.
    fn take_back(&self) {
        self.inform(|| Ending::UNUSED);
        self.peer.serving.set(Serving::Original);
    }

    fn fall_back(&self) -> Pick {
        if let Some(counters) = self.worker.environment.counters() {
            counters.fallback();
        }
        self.peer.unchoose();
        let endpoint = fallback::endpoint(self.peer, self.worker);
        match endpoint.and_then(|address| self.peer.choose(&Target::new(&address))) {
            Some(()) => {
                self.peer.serving.set(Serving::Fallback);
                self.peer.chosen().map_or(Pick::None, Pick::Chosen)
            }
            None => Pick::None,
        }
    }

    /// Runs select of all filters; the answer of one that answers the request itself.
    fn ask(&self) -> Result<Option<LocalResponse>, Unavailable> {
        for (at, root) in self.peer.chain.roots.iter().enumerate() {
            if !self.worker.environment.callbacks(*root).contains(Callback::UpstreamSelect) {
                continue;
            }
            let free = !self.peer.is_chosen();
            let (wants, said) =
                self.call(at, *root, Step::UpstreamSelect, None, |instance, context| {
                    instance.note_select(self.peer);
                    instance.call(|exports| &exports.upstream_select, context)?;
                    let counted = instance.counted();
                    if free && counted.is_something() {
                        self.peer.keep_counted(counted);
                    }
                    Ok((std::mem::take(instance.wants()), instance.said()))
                })?;
            if wants.local_response.is_some() {
                return Ok(wants.local_response);
            }
            if free && self.peer.is_chosen() {
                self.peer.keep(said);
                self.peer.serving.set(Serving::Filter { at });
            }
            if wants.timeouts.is_some() {
                self.peer.timeouts.set(wants.timeouts);
            }
        }
        Ok(None)
    }

    /// Calls the filter at this place of the chain about the attempt at hand.
    #[inline]
    pub fn call<R>(
        &self,
        at: usize,
        root: usize,
        step: Step,
        ending: Option<&Info>,
        call: impl FnOnce(&mut Instance, i32) -> wasmtime::Result<R>,
    ) -> Result<R, Unavailable> {
        let context = match self.worker.environment.callbacks(root).contains(Callback::Context) {
            true => (self.contexts)(self.peer, self.worker).ok_or(Unavailable)?.id(at)?,
            false => self.worker.environment.root_id(root),
        };
        let current = Current::without_subject(step, root, context).with_peer(self.peer);
        let current = ending.map_or(current, |info| current.with_ending(info));
        self.worker.call(current, |instance| call(instance, context as i32))
    }

    /// The filter that chose the peer of the attempt at hand, if it wants to hear how it ends, and what it said.
    #[inline]
    pub fn listener(&self) -> Option<(usize, Chosen)> {
        let Serving::Filter { at } = self.peer.serving.get() else { return None };
        let said = self.peer.choice().map_or(Chosen::UNSAID, |choice| choice.said);
        let listens = self
            .worker
            .environment
            .callbacks(self.peer.chain.roots[at])
            .contains(Callback::UpstreamInfo);
        (listens && said.feedback.wants_info()).then_some((at, said))
    }

    /// Whether that filter wants to know how long the attempt takes.
    #[inline]
    pub fn wants_times(&self) -> bool {
        self.listener().is_some_and(|(_, said)| said.feedback.wants_times())
    }

    /// Tells the filter that chose the peer how the attempt ended. A fault here is none of the subject's. What the filter
    /// added to a gauge when it chose is taken back for it if it cannot be told.
    pub fn inform(&self, end: impl FnOnce() -> Ending) {
        let Some((at, chosen)) = self.listener() else { return };
        let ending = end();
        let info = Info {
            attempt: self.peer.attempt() - 1,
            chosen,
            outcome: ending.outcome,
            status: ending.status,
            now: clock::now(),
            connect_time: ending.connect_time,
            first_byte_time: ending.first_byte_time,
        };
        let told = self.call(
            at,
            self.peer.chain.roots[at],
            Step::UpstreamInfo,
            Some(&info),
            |instance, context| {
                instance.note_info(&info);
                instance.call(|exports| &exports.upstream_info, (context, i32::from(ending.failed)))
            },
        );
        if let (Err(Unavailable), Some(counted)) = (told, self.peer.counted()) {
            counted.take_back(&self.worker.environment);
        }
    }
}
