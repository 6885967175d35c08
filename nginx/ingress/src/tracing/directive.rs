//! The directive `ingress_tracing ring=BYTES sampler=on|off|RATIO parent=on|off propagators=LIST`, of `tracecontext`, `b3` and `b3multi` between commas.

use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, refuse};
use wick_native::variable;
use wick_native::word_zone::WordZone;
use wick_tracing::{Ring, Root, Sampler, Text};

use super::conf::{MainConf, Propagators, Tracing};
use super::variables::NOTED;

const MIN_RING_BYTES: usize = 64 << 10;
const MAX_RING_BYTES: usize = 1 << 30;

/// Where spans have their texts from, beside the request itself.
const TEXTS: [(Text, &[u8]); 14] = [
    (Text::Scheme, b"scheme"),
    (Text::Host, b"host"),
    (Text::Protocol, b"server_protocol"),
    (Text::UserAgent, b"http_user_agent"),
    (Text::ClientAddress, b"remote_addr"),
    (Text::ClientPort, b"remote_port"),
    (Text::PeerAddress, b"realip_remote_addr"),
    (Text::ServerPort, b"server_port"),
    (Text::Route, b"location_path"),
    (Text::Namespace, b"namespace"),
    (Text::Ingress, b"ingress_name"),
    (Text::Service, b"service_name"),
    (Text::Backend, b"proxy_upstream_name"),
    (Text::Tracestate, b"http_tracestate"),
];

pub fn ingress_tracing(conf: Conf, main: &mut MainConf) -> Answer {
    if main.0.is_some() {
        return refuse(c"is duplicate");
    }
    match read(conf) {
        Ok(tracing) => main.0 = tracing,
        Err(word) => return conf.error(format_args!("\"ingress_tracing\" cannot use \"{word}\"")),
    }
    if main.0.is_some() { CONF_OK } else { CONF_ERROR }
}

/// # Errors: the word that is wrong. `Ok(None)`: nginx refuses something, and the log says what.
fn read(conf: Conf) -> Result<Option<Tracing>, String> {
    let (mut bytes, mut root, mut is_parent_based, mut propagators) = (None, None, None, None);
    for word in conf.words().skip(1) {
        let text = String::from_utf8_lossy(word).into_owned();
        let understood = match text.split_once('=') {
            Some(("ring", value)) => ring_bytes(value).map(|value| bytes = Some(value)),
            Some(("sampler", value)) => sampler(value).map(|value| root = Some(value)),
            Some(("parent", value)) => switch(value).map(|value| is_parent_based = Some(value)),
            Some(("propagators", value)) => {
                propagators_in(value).map(|value| propagators = Some(value))
            }
            _ => None,
        };
        understood.ok_or(text)?;
    }
    let bytes = bytes.ok_or("ring")?;
    let sampler = Sampler::new(root.ok_or("sampler")?, is_parent_based.ok_or("parent")?);
    Ok(declare(conf, bytes, sampler, propagators.ok_or("propagators")?))
}

fn ring_bytes(text: &str) -> Option<usize> {
    text.parse().ok().filter(|bytes| (MIN_RING_BYTES..=MAX_RING_BYTES).contains(bytes))
}

fn switch(text: &str) -> Option<bool> {
    match text {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

fn sampler(text: &str) -> Option<Root> {
    match text {
        "on" => Some(Root::AlwaysOn),
        "off" => Some(Root::AlwaysOff),
        ratio => ratio.parse().ok().filter(|ratio| (0.0..=1.0).contains(ratio)).map(Root::Ratio),
    }
}

fn propagators_in(list: &str) -> Option<Propagators> {
    let mut propagators = Propagators::default();
    for word in list.split(',') {
        match word {
            "tracecontext" => propagators.trace_context = true,
            "b3" => propagators.b3 = true,
            "b3multi" => propagators.b3_multi = true,
            _ => return None,
        }
    }
    Some(propagators)
}

fn declare(
    conf: Conf,
    bytes: usize,
    sampler: Sampler,
    propagators: Propagators,
) -> Option<Tracing> {
    let words = Ring::words(bytes);
    // nginx keeps what has the same name and size: spans wait through a reload.
    let zone = WordZone::declare(conf, format!("ingress_spans:{words}").as_bytes(), words)?;
    let index = |(text, name): &(Text, &[u8])| Some((*text, variable::index(conf, name)?));
    let texts = TEXTS.iter().map(index).collect::<Option<_>>()?;
    Some(Tracing { zone, sampler, propagators, noted_at: variable::index(conf, NOTED)?, texts })
}
