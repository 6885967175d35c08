//! The right to listen on ports below 1024, which files carry: it ends with the next program unless that file carries it too. As an ambient
//! capability Node and nginx inherit it, so that their files need none. See capabilities(7).

use rustix::io;
use rustix::thread::{
    CapabilitySet, capabilities, configure_capability_in_ambient_set, set_capabilities,
};

/// Makes the right one that programs started from here inherit, where this process has it. Where it does not, and where the kernel refuses,
/// nothing happens: nginx says so if it then cannot listen.
pub fn hand_on() {
    let _ = raise(CapabilitySet::NET_BIND_SERVICE);
}

fn raise(capability: CapabilitySet) -> io::Result<()> {
    let mut sets = capabilities(None)?;
    if !sets.permitted.contains(capability) {
        return Ok(());
    }
    sets.inheritable |= capability;
    set_capabilities(None, sets)?;
    configure_capability_in_ambient_set(capability, true)
}
