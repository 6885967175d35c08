//! Asking the filters: who serves this attempt, what became of it, whether its response will do.

use std::ptr::NonNull;

use ngx::ffi::NGX_LOG_INFO;
use wick_abi::Callback;
use wick_abi::attempt::{Chosen, Info};
use wick_native::log;

use super::choice::Choice;
use super::clock;
use super::ending::Ending;
use super::fallback;
use super::peer::{Peer, Serving};
use super::target::Target;
use crate::host::{Current, LocalResponse, Step, Wants};
use crate::instance::Instance;
use crate::worker::Unavailable;

/// What became of asking.
pub enum Pick {
    Chosen(NonNull<Choice>),
    Respond(LocalResponse),
    /// The upstream's own method shall choose.
    None,
}

impl Peer {
    /// As if nothing was tried.
    #[cfg(feature = "measure")]
    pub fn rewind(&self) {
        self.attempts.set(0);
        self.choices.set(None);
    }

    /// Asks the filters, then the fallback if one of them could not answer.
    pub fn pick(&self) -> Pick {
        self.chosen.set(false);
        self.forget_destination();
        self.accepted.set(false);
        self.serving.set(Serving::Original);
        self.stopwatch.stop();
        self.use_conf(self.base);
        let asked = self.ask();
        self.attempts.set(self.attempts.get() + 1);
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
        match self.choices.get().filter(|_| self.chosen.get()) {
            Some(choice) => {
                self.measure();
                Pick::Chosen(choice)
            }
            None => {
                let line =
                    "no upstream selected in \"on_upstream_select\", calling original get_peer";
                log::write(
                    self.request.log(),
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
            state.peer.set(self);
            self.stopwatch.start();
        }
    }

    /// A filter chose, but a later one of the chain answers or failed.
    fn take_back(&self) {
        self.inform(|_| Ending::UNUSED);
        self.serving.set(Serving::Original);
    }

    fn fall_back(&self) -> Pick {
        if let Some(counters) = self.worker.counters() {
            counters.fallback();
        }
        self.chosen.set(false);
        let endpoint = fallback::endpoint(self);
        match endpoint.and_then(|address| self.choose(&Target::new(&address))) {
            Some(()) => {
                self.serving.set(Serving::Fallback);
                self.choices.get().map_or(Pick::None, Pick::Chosen)
            }
            None => Pick::None,
        }
    }

    /// Runs select of all filters; the answer of one that answers the request itself.
    fn ask(&self) -> Result<Option<LocalResponse>, Unavailable> {
        for (at, root) in self.chain.roots.iter().enumerate() {
            if !self.worker.callbacks(*root).contains(Callback::UpstreamSelect) {
                continue;
            }
            let free = !self.chosen.get();
            let (wants, said) =
                self.call(at, *root, Step::UpstreamSelect, |instance, context| {
                    instance.note_select(self);
                    instance.call(|exports| &exports.upstream_select, context)?;
                    Ok((std::mem::take(instance.wants()), instance.said()))
                })?;
            if wants.local_response.is_some() {
                return Ok(wants.local_response);
            }
            if free && self.chosen.get() {
                self.keep(said);
                self.serving.set(Serving::Filter { at });
            }
            if let Some(timeouts) = wants.timeouts {
                self.shorten(timeouts);
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
        call: impl FnOnce(&mut Instance, i32) -> wasmtime::Result<R>,
    ) -> Result<R, Unavailable> {
        let context = match self.worker.callbacks(root).contains(Callback::Context) {
            true => self.state().ok_or(Unavailable)?.context(at)?,
            false => self.worker.root_id(root),
        };
        let (request, peer) = (Some(self.request), Some(NonNull::from(self)));
        let current = Current { step, root, context, request, peer };
        self.worker.call(current, |instance| call(instance, context as i32))
    }

    /// The filter that chose the peer of the attempt at hand, if it wants to hear how it ends, and what it said.
    #[inline]
    fn listener(&self) -> Option<(usize, Chosen)> {
        let Serving::Filter { at } = self.serving.get() else { return None };
        let said = self.choice().map_or(Chosen::UNSAID, |choice| choice.said);
        let listens = self.worker.callbacks(self.chain.roots[at]).contains(Callback::UpstreamInfo);
        (listens && said.feedback.wants_info()).then_some((at, said))
    }

    /// Tells the filter that chose the peer how the attempt ended. A fault here is none of the request's.
    pub fn inform(&self, end: impl FnOnce(&Peer) -> Ending) {
        let Some((at, chosen)) = self.listener() else { return };
        let ending = end(self);
        let info = Info {
            attempt: self.attempts.get() - 1,
            chosen,
            outcome: ending.outcome,
            status: ending.status,
            now: clock::now(),
            connect_time: ending.connect_time,
            first_byte_time: ending.first_byte_time,
        };
        let _ = self.call(at, self.chain.roots[at], Step::UpstreamInfo, |instance, context| {
            instance.note_info(&info);
            instance.call(|exports| &exports.upstream_info, (context, i32::from(ending.failed)))
        });
    }

    /// Asks the filter that chose the peer whether to accept a response that nginx would retry.
    pub fn judge(&self, status: i32) -> bool {
        let Serving::Filter { at } = self.serving.get() else { return false };
        let root = self.chain.roots[at];
        if !self.worker.callbacks(root).contains(Callback::NextUpstream) {
            return false;
        }
        let judged = self.call(at, root, Step::NextUpstream, |instance, context| {
            instance.call(|exports| &exports.next_upstream, (context, status))?;
            Ok(std::mem::take::<Wants>(instance.wants()).accept)
        });
        judged == Ok(true)
    }
}
