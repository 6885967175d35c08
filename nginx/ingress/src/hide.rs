//! `ingress_hide PATH…`: workers can read no file there, whatever a configuration or an attacker has them open.
//!
//! In a Pod controller and workers are the same user, so that the token of the controller's service account is as readable for a worker as for
//! the controller. Landlock takes rights away from the process itself, for good: a worker reads what is outside of the hidden paths, and it
//! cannot look into processes outside of its own, so not into the controller's memory either. Everything else stays as it is.

mod confine;
mod tree;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use ngx::ffi::{
    NGX_CONF_1MORE, NGX_LOG_NOTICE, NGX_LOG_WARN, NGX_MAIN_CONF, ngx_cycle_t, ngx_worker,
};
use wick_native::conf::{Answer, CONF_OK, Conf};
use wick_native::core_module;
use wick_native::log;
use wick_native::module::{ModuleIndex, core_conf};

use confine::Confined;

static MODULE: ModuleIndex = ModuleIndex::unset();

// Ahead of the module of thread pools in nginx's list: threads that are there already would not be confined.
core_module! {
    pub static TABLE: "ingress_hide";
    directives {
        "ingress_hide": NGX_MAIN_CONF | NGX_CONF_1MORE => set;
    }
    conf: Hidden => MODULE,
    init_process: start,
}

#[derive(Default)]
struct Hidden(Vec<PathBuf>);

fn set(cf: Conf) -> Answer {
    let paths: Vec<PathBuf> =
        cf.words().skip(1).map(|path| PathBuf::from(OsStr::from_bytes(path))).collect();
    if let Some(relative) = paths.iter().find(|path| !path.is_absolute()) {
        let relative = relative.display();
        return cf.error(format_args!("\"{relative}\" in \"ingress_hide\" must be absolute"));
    }
    // SAFETY: the core module made it; nobody else uses it while the configuration is read.
    unsafe { (*core_conf::<Hidden>(cf.cycle(), MODULE.get())).0.extend(paths) };
    CONF_OK
}

/// A worker that cannot be confined serves nevertheless, and the first one says so.
///
/// # Safety
/// `cycle` is the one of this process.
unsafe fn start(cycle: *mut ngx_cycle_t) {
    // SAFETY: the caller's promise.
    let (hidden, is_first) =
        unsafe { (&(*core_conf::<Hidden>(cycle, MODULE.get())).0, ngx_worker == 0) };
    // What is not there needs no hiding, and what leads elsewhere hides what it leads to.
    let hidden: Vec<PathBuf> = hidden.iter().filter_map(|path| path.canonicalize().ok()).collect();
    if hidden.is_empty() {
        return;
    }
    let (level, why) = match confine::read_only(&tree::outside(&hidden)) {
        Ok(Confined::Yes) => return,
        Ok(Confined::NotHere) => (NGX_LOG_NOTICE, "this kernel has no Landlock".to_owned()),
        Err(error) => (NGX_LOG_WARN, error.to_string()),
    };
    if is_first {
        let message = format_args!("workers can read what \"ingress_hide\" names: {why}");
        log::write(log::of_cycle(), level as usize, message);
    }
}
