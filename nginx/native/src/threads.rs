//! Work that takes long, in threads of nginx's own (`thread_pool`), whose results come back into the event loop.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::zeroed;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;

use ngx::ffi::{
    ngx_cycle, ngx_cycle_t, ngx_event_t, ngx_int_t, ngx_log_t, ngx_str_t, ngx_thread_task_t,
};

use crate::code::OK;
use crate::guard::guard;
use crate::text;

#[repr(C)]
struct NgxThreadPool {
    _opaque: [u8; 0],
}

// Of ngx_thread_pool.h, which nginx-sys has not.
unsafe extern "C" {
    fn ngx_thread_pool_get(cycle: *mut ngx_cycle_t, name: *mut ngx_str_t) -> *mut NgxThreadPool;
    fn ngx_thread_task_post(pool: *mut NgxThreadPool, task: *mut ngx_thread_task_t) -> ngx_int_t;
}

/// A pool that the configuration declares (`thread_pool NAME threads=N`). For use in workers.
#[derive(Clone, Copy)]
pub struct ThreadPool(NonNull<NgxThreadPool>, PhantomData<*mut ()>);

impl ThreadPool {
    /// `None`: the configuration in force has no pool of this name.
    pub fn named(name: &'static [u8]) -> Option<ThreadPool> {
        let mut name = text::borrowed(name);
        // SAFETY: a worker's cycle is set, and its pools live as long as the worker. Only reads the name.
        let pool = unsafe { ngx_thread_pool_get(ngx_cycle, &raw mut name) };
        NonNull::new(pool).map(|pool| ThreadPool(pool, PhantomData))
    }

    /// Has a thread do `work`, which gets nothing of nginx's and must not use it. Then `done` gets the job in the event loop;
    /// it was not worked on to its end if `work` panicked.
    ///
    /// # Errors: the job comes back, because too many wait.
    pub fn run<J: Send + 'static>(self, job: J, work: fn(&mut J), done: fn(J)) -> Result<(), J> {
        // SAFETY: a task is plain C data for which zero is valid.
        let task = unsafe { zeroed() };
        let task = Box::into_raw(Box::new(Task { task, job, work, done }));
        // SAFETY: the box stays where it is until `finish` takes it back, or is taken back here at once.
        unsafe {
            (*task).task.ctx = task.cast();
            (*task).task.handler = Some(start::<J>);
            (*task).task.event.data = task.cast();
            (*task).task.event.handler = Some(finish::<J>);
            if ngx_thread_task_post(self.0.as_ptr(), &raw mut (*task).task) == OK {
                return Ok(());
            }
            let Task { job, .. } = *Box::from_raw(task);
            Err(job)
        }
    }
}

#[repr(C)]
struct Task<J> {
    task: ngx_thread_task_t,
    job: J,
    work: fn(&mut J),
    done: fn(J),
}

/// In the thread.
unsafe extern "C" fn start<J: Send>(task: *mut c_void, _: *mut ngx_log_t) {
    // SAFETY: the task of `run`, which nobody else looks at before it has ended.
    let task = unsafe { &mut *task.cast::<Task<J>>() };
    let _ = catch_unwind(AssertUnwindSafe(|| (task.work)(&mut task.job)));
}

/// In the event loop.
unsafe extern "C" fn finish<J>(event: *mut ngx_event_t) {
    guard((), || {
        // SAFETY: nginx calls once, when the thread has ended the task, which is ours again.
        let Task { job, done, .. } = *unsafe { Box::from_raw((*event).data.cast::<Task<J>>()) };
        done(job);
    });
}

/// The thread that calls gives way to others for as long as it lives: against one that always wants to run it gets a tenth of the
/// time. At the lowest priority it would be a seventieth, and on a busy machine nobody could log in.
pub fn give_way() {
    // SAFETY: 0 is the thread that calls (Linux); nothing is lost when that fails.
    unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, 10) };
}
