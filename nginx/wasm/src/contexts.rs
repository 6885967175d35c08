//! The contexts that filters have for one request or session.

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::NonNull;

use wick_abi::Callback;
use wick_native::guard::guard;
use wick_native::pool::Pool;

use crate::conf::chain::Chain;
use crate::host::current::{Current, Step};
use crate::instance::Instance;
use crate::subject::Subject;
use crate::worker::{Unavailable, Worker};

/// Those of a chain's filters. Lies in the subject's pool.
pub struct Contexts<'r> {
    pub subject: Subject<'r>,
    pub worker: &'static Worker,
    pub chain: &'r Chain,
    /// One per filter of the chain, in the subject's pool, once one of them wants contexts.
    cells: Cell<Option<NonNull<Cell<Context>>>>,
}

/// A filter's context for one subject.
#[derive(Clone, Copy)]
struct Context {
    id: u32,
    /// Of the instance that knows it; 0: none yet.
    generation: u64,
}

impl<'r> Contexts<'r> {
    pub fn new(subject: Subject<'r>, chain: &'r Chain, worker: &'static Worker) -> Contexts<'r> {
        Contexts { subject, worker, chain, cells: Cell::new(None) }
    }

    /// The id that the callbacks of filter `i` get: a context of this subject, or the root's own where
    /// the filter wants no contexts.
    pub fn id(&self, i: usize) -> Result<u32, Unavailable> {
        let root = self.chain.roots[i];
        if !self.worker.environment.callbacks(root).contains(Callback::Context) {
            return Ok(self.worker.environment.root_id(root));
        }
        let cell = self.cell(i).ok_or(Unavailable)?;
        if cell.get().generation == self.worker.generation(root) {
            return Ok(cell.get().id);
        }
        self.create(cell, root)
    }

    fn create(&self, cell: &Cell<Context>, root: usize) -> Result<u32, Unavailable> {
        let id = self.worker.new_context();
        let arguments = (id as i32, self.worker.environment.root_id(root) as i32);
        self.invoke(Step::ContextCreate, root, id, |instance| {
            instance.call(|exports| &exports.context_create, arguments)
        })?;
        cell.set(Context { id, generation: self.worker.generation(root) });
        Ok(id)
    }

    /// `None`: out of memory.
    fn cell(&self, i: usize) -> Option<&Cell<Context>> {
        let cells = match self.cells.get() {
            Some(cells) => cells,
            None => self.make_cells()?,
        };
        assert!(i < self.chain.roots.len());
        // SAFETY: `make_cells` made one per filter.
        Some(unsafe { &*cells.as_ptr().add(i) })
    }

    fn make_cells(&self) -> Option<NonNull<Cell<Context>>> {
        let pool = self.subject.pool();
        let cells = new_cells(pool, self.chain.roots.len())?;
        let data = std::ptr::from_ref(self).cast_mut().cast::<c_void>();
        pool.on_destroy(delete, data)?;
        self.cells.set(Some(cells));
        Some(cells)
    }

    /// Calls a filter about the subject.
    pub fn invoke<R>(
        &self,
        step: Step,
        root: usize,
        context: u32,
        call: impl FnOnce(&mut Instance) -> wasmtime::Result<R>,
    ) -> Result<R, Unavailable> {
        self.worker.call(Current::without_subject(step, root, context).about(self.subject), call)
    }

    /// The contexts that still exist are told that they end. The subject is gone by then.
    fn delete(&self) {
        for (i, root) in self.chain.roots.iter().enumerate() {
            let Some(context) = self.cell(i).map(Cell::get) else { return };
            if context.generation != self.worker.generation(*root) || context.generation == 0 {
                continue;
            }
            let current = Current::without_subject(Step::Delete, *root, context.id);
            // A fault was logged and counted; nothing is left to do for this subject.
            let _ = self.worker.call(current, |instance| {
                instance.call(|exports| &exports.delete, context.id as i32)
            });
        }
    }
}

fn new_cells(pool: Pool<'_>, n: usize) -> Option<NonNull<Cell<Context>>> {
    let layout = std::alloc::Layout::array::<Cell<Context>>(n).ok()?;
    let cells = pool.layout(layout)?.cast::<Cell<Context>>();
    for i in 0..n {
        // SAFETY: fresh memory for `n` of them.
        unsafe { cells.add(i).write(Cell::new(Context { id: 0, generation: 0 })) };
    }
    Some(cells)
}

unsafe extern "C" fn delete(data: *mut c_void) {
    // SAFETY: Contexts of the pool that is being destroyed: their memory is still there.
    guard((), || unsafe { (*data.cast::<Contexts>()).delete() })
}
