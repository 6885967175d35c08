//! The directive `ingress_endpoint_metrics NAME=VALUE …`.

use ngx::ffi::NGX_HTTP_VAR_CHANGEABLE;
use wick_metrics::{Capacity, Family, Shape};
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, refuse};
use wick_native::variable;
use wick_native::zone::SharedZone;

use super::conf::MainConf;
use super::endpoint_table::{EndpointMetrics, EndpointSettings};
use super::parameters::Parameters;

const NAME: &str = "ingress_endpoint_metrics";
const BACKEND: &[u8] = b"proxy_upstream_name";
const ALTERNATIVE: &[u8] = b"proxy_alternative_upstream_name";
/// What a location for an error page sets to those before it gives them its own values.
const FAILED_BACKEND: &[u8] = b"failed_upstream_name";
const FAILED_ALTERNATIVE: &[u8] = b"failed_alternative_upstream_name";

/// `zone=NAME` of the backends, `series=N planes=N`, `buckets=BOUND,BOUND…` in seconds, and `controller_class`,
/// `controller_namespace`, `controller_pod`: labels of all.
pub fn ingress_endpoint_metrics(conf: Conf, main: &mut MainConf) -> Answer {
    if main.endpoints.is_some() {
        return refuse(c"is duplicate");
    }
    let read = |parameters| {
        let zone = main.zones.refer(conf, NAME, Parameters::of(&parameters, "zone")?.as_bytes());
        zone.map_or(Ok(None), |zone| read(conf, &parameters, zone))
    };
    match Parameters::read(conf).and_then(read) {
        Ok(endpoints) => main.endpoints = endpoints,
        Err(word) => return conf.error(format_args!("\"{NAME}\" cannot use \"{word}\"")),
    }
    if main.endpoints.is_some() { CONF_OK } else { CONF_ERROR }
}

/// # Errors
/// The word that is wrong. `Ok(None)`: nginx refuses something, and the log says what.
fn read(
    conf: Conf,
    parameters: &Parameters,
    backends: SharedZone,
) -> Result<Option<EndpointMetrics>, String> {
    let buckets = parameters.buckets("buckets")?;
    let shape =
        Shape::new(
            true,
            |family| {
                if family == Family::HeaderDuration { buckets.clone() } else { None }
            },
        );
    let (series, planes) = (parameters.number("series")?, parameters.number("planes")?);
    let Some([backend_at, alternative_at, failed_backend_at, failed_alternative_at]) =
        variables(conf)
    else {
        return Ok(None);
    };
    let common = parameters.common()?;
    let settings = EndpointSettings {
        backend_at,
        alternative_at,
        failed_backend_at,
        failed_alternative_at,
        common,
        backends,
    };
    let capacity = Capacity { series, planes };
    Ok(EndpointMetrics::declare(conf, capacity, shape, settings, &parameters.text()))
}

/// Indexes in the order of the settings.
fn variables(conf: Conf) -> Option<[usize; 4]> {
    for name in [FAILED_BACKEND, FAILED_ALTERNATIVE] {
        variable::declare_note(conf, name, NGX_HTTP_VAR_CHANGEABLE, 0)?;
    }
    let mut indexes = [0; 4];
    for (index, name) in
        indexes.iter_mut().zip([BACKEND, ALTERNATIVE, FAILED_BACKEND, FAILED_ALTERNATIVE])
    {
        *index = variable::index(conf, name)?;
    }
    Some(indexes)
}
