//! Asking the filters: who serves this attempt, what became of it, whether its response will do.

use std::ptr::NonNull;

use ngx::ffi::NGX_LOG_INFO;
use wick_abi::Callback;
use wick_abi::attempt::{Chosen, Info};
use wick_native::log;

use super::choice::Choice;
use super::ending::Ending;
use super::fallback;
use super::peer::{Peer, Serving};
use super::target::Target;
use crate::clock;
use crate::host::current::{Current, Step};
use crate::host::local_response::LocalResponse;
use crate::host::state::Wants;
use crate::instance::Instance;
use crate::request::State;
use crate::worker::{Unavailable, Worker};

/// What became of asking.
pub enum Pick {
    Chosen(NonNull<Choice>),
    Respond(LocalResponse),
    /// The upstream's own method shall choose.
    None,
}

/// A request's use of an upstream, and the worker whose filters are asked about it.
#[derive(Clone, Copy)]
pub struct Asking<'r> {
    pub worker: &'static Worker,
    pub peer: &'r Peer<'r>,
}

impl<'r> Asking<'r> {
    /// The request's state, made if need be; `None`: out of memory.
    pub fn state(&self) -> Option<&'r State<'r>> {
        State::of(self.peer.request, self.peer.chain, self.worker)
    }

    /// Asks the filters, then the fallback if one of them could not answer.
    pub fn pick(&self) -> Pick {
        self.peer.chosen.set(false);
        self.peer.forget_destination();
        self.peer.accepted.set(false);
        self.peer.serving.set(Serving::Original);
        self.peer.stopwatch.stop();
        self.peer.use_conf(self.peer.base);
        let asked = self.ask();
        self.peer.attempts.set(self.peer.attempts.get() + 1);
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
        match self.peer.choices.get().filter(|_| self.peer.chosen.get()) {
            Some(choice) => {
                self.measure();
                Pick::Chosen(choice)
            }
            None => {
                let line =
                    "no upstream selected in \"on_upstream_select\", calling original get_peer";
                log::write(
                    self.peer.request.log(),
                    NGX_LOG_INFO as usize,
                    format_args!("[wasm] {line}"),
                );
                Pick::None
            }
        }
    }

    /// Starts the stopwatch if the filter that chose wants to know the times.
    fn measure(&self) {
        if self.listener().is_some_and(|(_, said)| said.feedback.wants_times())
            && let Some(state) = self.state()
        {
            state.peer.set(self.peer);
            self.peer.stopwatch.start();
        }
    }

    /// A filter chose, but a later one of the chain answers or failed.
    fn take_back(&self) {
        self.inform(|_| Ending::UNUSED);
        self.peer.serving.set(Serving::Original);
    }

    fn fall_back(&self) -> Pick {
        if let Some(counters) = self.worker.environment.counters() {
            counters.fallback();
        }
        self.peer.chosen.set(false);
        let endpoint = fallback::endpoint(self.peer, self.worker);
        match endpoint.and_then(|address| self.peer.choose(&Target::new(&address))) {
            Some(()) => {
                self.peer.serving.set(Serving::Fallback);
                self.peer.choices.get().map_or(Pick::None, Pick::Chosen)
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
            let free = !self.peer.chosen.get();
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
            if free && self.peer.chosen.get() {
                self.peer.keep(said);
                self.peer.serving.set(Serving::Filter { at });
            }
            if let Some(timeouts) = wants.timeouts {
                self.peer.shorten(timeouts, &self.worker.interned);
            }
        }
        Ok(None)
    }

    #[inline]
    fn call<R>(
        &self,
        at: usize,
        root: usize,
        step: Step,
        ending: Option<&Info>,
        call: impl FnOnce(&mut Instance, i32) -> wasmtime::Result<R>,
    ) -> Result<R, Unavailable> {
        let context = match self.worker.environment.callbacks(root).contains(Callback::Context) {
            true => self.state().ok_or(Unavailable)?.context(at)?,
            false => self.worker.environment.root_id(root),
        };
        let current = Current::without_request(step, root, context).with_peer(self.peer);
        let current = ending.map_or(current, |info| current.with_ending(info));
        self.worker.call(current, |instance| call(instance, context as i32))
    }

    /// The filter that chose the peer of the attempt at hand, if it wants to hear how it ends, and what it said.
    #[inline]
    fn listener(&self) -> Option<(usize, Chosen)> {
        let Serving::Filter { at } = self.peer.serving.get() else { return None };
        let said = self.peer.choice().map_or(Chosen::UNSAID, |choice| choice.said);
        let listens = self
            .worker
            .environment
            .callbacks(self.peer.chain.roots[at])
            .contains(Callback::UpstreamInfo);
        (listens && said.feedback.wants_info()).then_some((at, said))
    }

    /// Tells the filter that chose the peer how the attempt ended. A fault here is none of the request's. What the filter
    /// added to a gauge when it chose is taken back for it if it cannot be told.
    pub fn inform(&self, end: impl FnOnce(&Peer) -> Ending) {
        let Some((at, chosen)) = self.listener() else { return };
        let ending = end(self.peer);
        let info = Info {
            attempt: self.peer.attempts.get() - 1,
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

    /// Asks the filter that chose the peer whether to accept a response that nginx would retry.
    pub fn judge(&self, status: i32) -> bool {
        let Serving::Filter { at } = self.peer.serving.get() else { return false };
        let root = self.peer.chain.roots[at];
        if !self.worker.environment.callbacks(root).contains(Callback::NextUpstream) {
            return false;
        }
        let judged = self.call(at, root, Step::NextUpstream, None, |instance, context| {
            instance.call(|exports| &exports.next_upstream, (context, status))?;
            Ok(std::mem::take::<Wants>(instance.wants()).accept)
        });
        judged == Ok(true)
    }
}
