//! The programs that the image's users call: `/nginx-ingress-controller`, `/wait-shutdown`, `/dbg`, `/kube-webhook-certgen` and `wick` are all this
//! one, which takes Node's place in the process. It knows where the image has Node and the controller, and nothing of what they do.

mod capabilities;
mod memory;
mod preload;
mod program;

use std::env;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

const NODE: &str = "/usr/local/lib/wick/node";
const CONTROLLER: &str = "/usr/local/lib/wick/controller/main.js";

/// A stack trace names files and lines of the checkout, not those of what it is bundled to.
const TRACES: &str = "--enable-source-maps";

fn main() -> ExitCode {
    let mut args = env::args_os();
    let called = args.next().unwrap_or_default();
    capabilities::hand_on();
    let mut node = Command::new(NODE);
    // Hooks and probes of users look for this name in command lines; they did so when the controller was a program of its own.
    node.arg0(&called);
    // More than one may send SIGTERM there: a hook, dumb-init, which passes on what it gets, and the kubelet.
    node.env("WICK_CONTAINER", "1");
    node.envs(memory::ALLOCATOR);
    node.args(memory::node_flags(memory::limit(Path::new("/sys/fs/cgroup"))));
    node.arg(TRACES).arg(CONTROLLER).args(program::command_of(&called)).args(args);
    if let Some(preload) = env::var_os("LD_PRELOAD") {
        node.env("LD_PRELOAD", preload::existing(&preload));
    }
    let error = node.exec();
    eprintln!("wick: Cannot start {NODE}: {error}");
    ExitCode::FAILURE
}
