//! The directives `ingress_metrics NAME=VALUE …` and `ingress_count_requests on|off`.

use wick_metrics::{Capacity, Family, Resolution, Shape};
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, refuse};
use wick_native::variable;

use super::conf::{LocConf, MainConf};
use super::noted;
use super::parameters::Parameters;
use super::table::{Metrics, Settings};

const ALTERNATIVE: &[u8] = b"proxy_alternative_upstream_name";
const NAMES: [&[u8]; 5] =
    [b"namespace", b"ingress_name", b"service_name", b"location_path", b"ingress_host"];

pub fn ingress_count_requests(conf: Conf, loc: &mut LocConf) -> Answer {
    if loc.0.is_some() {
        return refuse(c"is duplicate");
    }
    loc.0 = match conf.words().nth(1) {
        Some(b"on") => Some(true),
        Some(b"off") => Some(false),
        _ => return refuse(c"takes \"on\" or \"off\""),
    };
    CONF_OK
}

/// `series=N planes=N`, `on` or `off` for `requests`, `host`, `undefined` (hosts) and `classes` (of statuses), `NAME=BOUND,BOUND…` for
/// each histogram that is wanted, `factor=N max_buckets=N` for native ones as well, and `controller_class`, `controller_namespace`, `controller_pod`: labels of all.
pub fn ingress_metrics(conf: Conf, main: &mut MainConf) -> Answer {
    if main.requests.is_some() {
        return refuse(c"is duplicate");
    }
    match Parameters::read(conf).and_then(|parameters| read(conf, &parameters)) {
        Ok(metrics) => main.requests = metrics,
        Err(word) => {
            return conf.error(format_args!("\"ingress_metrics\" cannot use \"{word}\""));
        }
    }
    if main.requests.is_some() { CONF_OK } else { CONF_ERROR }
}

/// # Errors
/// The word that is wrong. `Ok(None)`: nginx refuses something, and the log says what.
fn read(conf: Conf, parameters: &Parameters) -> Result<Option<Metrics>, String> {
    let mut lists = [const { None }; 7];
    for family in wick_metrics::HISTOGRAMS {
        lists[family as usize] = parameters.buckets(family.name())?;
    }
    let has_requests = parameters.switch("requests")?;
    let shape = Shape::new(has_requests, |family: Family| lists[family as usize].clone());
    let shape = if has_requests { shape.with_inspections() } else { shape };
    let resolution = resolution(parameters)?;
    let is_native = resolution.is_some();
    let shape = match resolution {
        Some(resolution) => shape.with_native(resolution),
        None => shape,
    };
    let (series, planes) = (parameters.number("series")?, parameters.number("planes")?);
    let Some((noted_at, alternative_at, names)) = variables(conf) else { return Ok(None) };
    let settings = Settings {
        has_host: parameters.switch("host")?,
        counts_undefined: parameters.switch("undefined")?,
        has_classes: parameters.switch("classes")?,
        is_native,
        noted_at,
        alternative_at,
        names,
        common: parameters.common()?,
    };
    let capacity = Capacity { series, planes };
    Ok(Metrics::declare(conf, capacity, shape, settings, &parameters.text()))
}

/// # Errors
/// The name that is wrong. `Ok(None)`: there are no native histograms.
fn resolution(parameters: &Parameters) -> Result<Option<Resolution>, String> {
    let Ok(factor) = parameters.of("factor") else { return Ok(None) };
    let max_buckets = parameters.number("max_buckets")?;
    let factor = factor.parse().ok().and_then(|factor| Resolution::of(factor, max_buckets));
    factor.map(Some).ok_or_else(|| "factor".to_owned())
}

/// Indexes of what is noted, of the canary and of names.
fn variables(conf: Conf) -> Option<(usize, usize, [usize; 5])> {
    variable::declare_note(conf, noted::NAME, 0, noted::UNCOUNTED as usize)?;
    let mut names = [0; 5];
    for (index, name) in names.iter_mut().zip(NAMES) {
        *index = variable::index(conf, name)?;
    }
    Some((variable::index(conf, noted::NAME)?, variable::index(conf, ALTERNATIVE)?, names))
}
