//! The directives `ingress_metrics NAME=VALUE …` and `ingress_count_requests on|off`.

use wick_metrics::{Bucket, Capacity, Family, Shape};
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, refuse};
use wick_native::variable;

use super::conf::{LocConf, MainConf};
use super::noted::{self, absent};
use super::table::{Metrics, Settings};

/// Buckets of a histogram.
const MAX_BUCKETS: usize = 60;

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
/// each histogram that is wanted, and `controller_class`, `controller_namespace`, `controller_pod`: labels of all.
pub fn ingress_metrics(conf: Conf, main: &mut MainConf) -> Answer {
    if main.0.is_some() {
        return refuse(c"is duplicate");
    }
    match read(conf) {
        Ok(metrics) => main.0 = metrics,
        Err(word) => {
            return conf.error(format_args!("\"ingress_metrics\" cannot use \"{word}\""));
        }
    }
    if main.0.is_some() { CONF_OK } else { CONF_ERROR }
}

/// # Errors: the word that is wrong. `Ok(None)`: nginx refuses something, and the log says what.
fn read(conf: Conf) -> Result<Option<Metrics>, String> {
    let mut words = Vec::new();
    for word in conf.words().skip(1) {
        let text = String::from_utf8_lossy(word).into_owned();
        let (name, value) = text.split_once('=').ok_or_else(|| text.clone())?;
        words.push((name.to_owned(), value.to_owned()));
    }
    let of = |name: &str| {
        let value = words.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        value.ok_or_else(|| name.to_owned())
    };
    let number = |name: &str| of(name)?.parse().map_err(|_| name.to_owned());
    let switch = |name: &str| match of(name)? {
        "on" => Ok(true),
        "off" => Ok(false),
        _ => Err(name.to_owned()),
    };
    let mut lists = [const { None }; 7];
    for family in wick_metrics::HISTOGRAMS {
        if let Ok(list) = of(family.name()) {
            lists[family as usize] = Some(buckets(list).ok_or_else(|| family.name().to_owned())?);
        }
    }
    let shape = Shape::new(switch("requests")?, |family: Family| lists[family as usize].clone());
    let capacity = Capacity { series: number("series")?, planes: number("planes")? };
    let has_host = switch("host")?;
    let declared =
        variable::declare(conf, noted::NAME, 0, |variable| variable.get_handler = Some(absent));
    let indexes = declared.and_then(|()| {
        let mut names = [0; 5];
        for (index, name) in names.iter_mut().zip(NAMES) {
            *index = variable::index(conf, name)?;
        }
        Some((variable::index(conf, noted::NAME)?, variable::index(conf, ALTERNATIVE)?, names))
    });
    let Some((noted_at, alternative_at, names)) = indexes else { return Ok(None) };
    let mut common = Vec::new();
    for name in ["controller_class", "controller_namespace", "controller_pod"] {
        common.push((name, of(name)?.to_owned()));
    }
    let (counts_undefined, has_classes) = (switch("undefined")?, switch("classes")?);
    let settings = Settings {
        has_host,
        counts_undefined,
        has_classes,
        noted_at,
        alternative_at,
        names,
        common,
    };
    Ok(Metrics::declare(conf, capacity, shape, settings, &format!("{words:?}")))
}

fn buckets(list: &str) -> Option<Vec<Bucket>> {
    let texts = list.split(',').filter(|text| !text.is_empty());
    let buckets: Vec<_> = texts
        .map(|text| {
            let bound: f64 = text.parse().ok()?;
            (bound.is_finite() && bound >= 0.0).then(|| Bucket { text: text.into(), bound })
        })
        .collect::<Option<_>>()?;
    (buckets.len() <= MAX_BUCKETS).then_some(buckets)
}
