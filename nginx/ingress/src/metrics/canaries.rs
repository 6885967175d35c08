//! Sets of labels of requests that a canary has taken: the name of its backend is a label, and the balancer's choice.

use wick_metrics::{Handle, Labels};
use wick_native::request::Request;
use wick_native::variable;

use super::table::Metrics;

/// Beyond them all are looked up anew: those of routes that are gone must not stay for ever.
const MAX_KNOWN: usize = 4096;

/// The set of a request of the route's set `route` that `canary` took. `None`: the route's Ingress is gone.
#[cold]
pub fn set(r: Request, metrics: &Metrics, route: Handle, canary: &[u8]) -> Option<Handle> {
    let table = metrics.table();
    if !table.is_current(route) {
        return None;
    }
    let mut known = metrics.canaries.borrow_mut();
    let key = (route.to_bits(), Box::from(canary));
    if let Some(handle) = known.get(&key)
        && table.is_current(*handle)
    {
        return Some(*handle);
    }
    if known.len() >= MAX_KNOWN {
        known.clear();
    }
    let handle = metrics.set(&labels(r, metrics, canary));
    known.insert(key, handle);
    Some(handle)
}

/// As the route left them in its variables, which the log has, too. Only Ingresses have canaries, and their rules no names.
fn labels<'r>(r: Request<'r>, metrics: &Metrics, canary: &'r [u8]) -> Labels<'r> {
    let [namespace, ingress, service, path, host] =
        metrics.settings.names.map(|index| variable::at(r, index).unwrap_or_default());
    Labels {
        namespace,
        ingress,
        service,
        canary,
        path,
        rule: b"",
        host: metrics.settings.has_host.then_some(host),
    }
}
