//! How full the zones are: `$wasm_zones`, `$wasm_filled` (docs/abi.md).

use wick_kv::{SlotStatistics, Statistics};

use crate::conf::ZoneConf;

/// Whether any of them has a key.
pub fn are_filled(zones: &[ZoneConf]) -> bool {
    zones.iter().any(|ZoneConf { zone, .. }| !zone.store().is_empty())
}

/// One object for each zone, in the order of the configuration.
pub fn json(zones: &[ZoneConf]) -> String {
    let zones: Vec<String> = zones.iter().map(of_zone).collect();
    format!("[{}]", zones.join(","))
}

fn of_zone(ZoneConf { name, zone }: &ZoneConf) -> String {
    let (store, size) = (zone.store(), zone.bytes());
    let Statistics { keys, bytes_used, bytes_free, .. } = store.statistics();
    // Names that are no plain text are not for JSON.
    let name = name.escape_ascii().to_string().replace('\\', "\\\\");
    let slots = store.slots().map(|slots| slots.statistics());
    let slots = slots.map_or(String::new(), |slots| {
        let SlotStatistics { slots, slots_used, processes, processes_alive } = slots;
        format!(
            ",\"slots\":{slots},\"slots_used\":{slots_used},\"processes\":{processes},\"processes_alive\":{processes_alive}"
        )
    });
    format!(
        "{{\"name\":\"{name}\",\"size\":{size},\"used\":{bytes_used},\"free\":{bytes_free},\"keys\":{keys}{slots}}}"
    )
}
