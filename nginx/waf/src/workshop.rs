//! A thread in which sets are compiled, so that nobody who serves requests waits for it.

use std::mem::MaybeUninit;
use std::path::{Path, PathBuf};
use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, JoinHandle};

use crate::compiler::{Compiled, Compiler};
use crate::engine::Engine;
use crate::rules::Fault;
use crate::source::{Digest, Source};

/// What became of a set.
pub struct Done {
    pub digest: Digest,
    pub result: Result<Arc<Compiled>, Fault>,
}

/// Dropping it ends the thread, after the set at hand.
pub struct Workshop {
    jobs: Option<Sender<Digest>>,
    done: Receiver<Done>,
    thread: Option<JoinHandle<()>>,
}

impl Workshop {
    /// # Errors: the system has no thread to give.
    pub fn start(directory: PathBuf, library: PathBuf) -> std::io::Result<Workshop> {
        let ((jobs, wanted), (finished, done)) = (channel(), channel());
        let work = move || work(&directory, &library, &wanted, &finished);
        let thread = without_signals(|| Builder::new().name("wick-waf".into()).spawn(work))?;
        Ok(Workshop { jobs: Some(jobs), done, thread: Some(thread) })
    }

    /// Has a set compiled.
    pub fn order(&self, digest: Digest) {
        if let Some(jobs) = &self.jobs {
            // A thread that has ended is found out when nothing comes back.
            let _ = jobs.send(digest);
        }
    }

    /// What has been finished since the last call.
    pub fn finished(&self) -> impl Iterator<Item = Done> {
        self.done.try_iter()
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        self.jobs = None;
        // Before the process takes down what the thread works with.
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn work(directory: &Path, library: &Path, wanted: &Receiver<Digest>, finished: &Sender<Done>) {
    let mut compiler = None;
    while let Ok(digest) = wanted.recv() {
        let result = make(&mut compiler, directory, library, &digest).map(Arc::new);
        if finished.send(Done { digest, result }).is_err() {
            return;
        }
    }
}

fn make(
    compiler: &mut Option<Compiler>,
    directory: &Path,
    library: &Path,
    digest: &Digest,
) -> Result<Compiled, Fault> {
    let name = String::from_utf8_lossy(digest);
    let source = Source::read(&directory.join(format!("{name}.json")), Some(digest))?;
    let compiler = match compiler {
        Some(compiler) => compiler,
        none => none.insert(Compiler::new(Engine::load(library).map_err(Fault::new)?)),
    };
    compiler.compile(&source)
}

/// They are for the thread that starts another one.
fn without_signals<T>(start: impl FnOnce() -> T) -> T {
    let mut all = MaybeUninit::uninit();
    let mut before = MaybeUninit::uninit();
    // SAFETY: sets of signals that are written before they are read; this thread's mask is put back.
    unsafe {
        libc::sigfillset(all.as_mut_ptr());
        libc::pthread_sigmask(libc::SIG_SETMASK, all.as_ptr(), before.as_mut_ptr());
        let started = start();
        libc::pthread_sigmask(libc::SIG_SETMASK, before.as_ptr(), null_mut());
        started
    }
}
