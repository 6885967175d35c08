//! The counters as variables: `$wasm_faults`, `$wasm_fallbacks`, `$wasm_instances`, `$wasm_repairs`; `$wasm_zones`, `$wasm_filled` and `$wasm_policies`.

use ngx::ffi::ngx_cycle;
use wick_native::conf::Conf;
use wick_native::request::Request;
use wick_native::variable::{Printed, declare_printed};

use crate::conf::of_cycle;
use crate::zones;

/// A preconfiguration hook.
pub fn declare(conf: Conf) -> Option<()> {
    declare_printed::<Counter<0>>(conf, b"wasm_faults")?;
    declare_printed::<Counter<1>>(conf, b"wasm_fallbacks")?;
    declare_printed::<Counter<2>>(conf, b"wasm_instances")?;
    declare_printed::<Counter<3>>(conf, b"wasm_repairs")?;
    declare_printed::<Policies>(conf, b"wasm_policies")?;
    declare_printed::<Filled>(conf, b"wasm_filled")?;
    declare_printed::<Zones>(conf, b"wasm_zones")
}

/// By its place in [`crate::counters::Counters::all`].
struct Counter<const PLACE: usize>;

impl<const PLACE: usize> Printed for Counter<PLACE> {
    type Value = u64;

    fn get(_: Request) -> Option<u64> {
        // SAFETY: requests are those of the cycle in force.
        let counters = unsafe { (*of_cycle(ngx_cycle)).counters.as_ref() };
        Some(counters?.all()?[PLACE])
    }
}

/// What policies did, as JSON; empty without `policy_directory`.
struct Policies;

impl Printed for Policies {
    type Value = String;

    fn get(_: Request) -> Option<String> {
        // SAFETY: as above.
        let counters = unsafe { (*of_cycle(ngx_cycle)).policies.counters };
        Some(counters.map_or_else(|| "[]".into(), |counters| counters.json()))
    }
}

/// 1 when something was posted, else 0.
struct Filled;

impl Printed for Filled {
    type Value = u64;

    fn get(_: Request) -> Option<u64> {
        // SAFETY: as above.
        Some(zones::are_filled(unsafe { &(*of_cycle(ngx_cycle)).zones }).into())
    }
}

/// How full the zones are, as JSON.
struct Zones;

impl Printed for Zones {
    type Value = String;

    fn get(_: Request) -> Option<String> {
        // SAFETY: as above.
        Some(zones::json(unsafe { &(*of_cycle(ngx_cycle)).zones }))
    }
}
