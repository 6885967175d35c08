//! The example that all languages share (test/fixtures/wire): the records, read by us, say what their JSON says.

use std::fs::read_to_string;
use std::rc::Rc;

use crate::{fixtures, overrides, scripts};
use serde_json::{Map, Value as Json, json};
use wick_access::{
    Access, CacheDuration, Country, ExternalAuth, GeoLists, RequestHeader, Rule, Satisfy, Template,
};
use wick_limits::{Limits, Part, Rate};
use wick_routes::{
    Actions, BackendTls, ClientCertificate, Condition, Cors, Header, HostRoutes, Literal, Mirror,
    Origins, PathMatch, RecordError, Route, Split, Subject, TlsVersion, Value, Variable, Verify,
    Waf, Wanted,
};

fn json_of(route: &Route) -> Json {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Json| fields.insert(name.to_owned(), value);
    put("path", text(route.path()));
    put("match", json!(match_name(route.path_match)));
    put("location", text(route.location()));
    let names =
        ["backend", "namespace", "ingress_name", "service_name", "service_port", "location_path"];
    for (name, value) in names.into_iter().zip(Value::ALL) {
        if !route.value(value).is_empty() {
            put(name, text(route.value(value)));
        }
    }
    if let Some(status) = route.status {
        put("status", json!(status.get()));
    }
    let redirects = [("redirect", &route.redirect), ("https_redirect", &route.https_redirect)];
    for (name, redirect) in redirects {
        if let Some(redirect) = redirect {
            put(name, json!({ "code": redirect.code, "to": text(redirect.to.text()) }));
        }
    }
    if let Some(rewrite) = &route.rewrite {
        put("rewrite", text(rewrite.text()));
    }
    if route.logs_rewrite {
        put("log_rewrite", json!(true));
    }
    if route.rewrites_raw {
        put("rewrite_raw", json!(true));
    }
    if !route.variables.is_empty() {
        put("variables", variables(route));
    }
    if !route.headers.is_empty() {
        put("headers", headers_json(&route.headers));
    }
    if let Some(access) = &route.access {
        put("access", access_json(access));
    }
    if let Some(cors) = &route.cors {
        put("cors", cors_of(cors));
    }
    if let Some(limits) = &route.limits {
        put("limits", limits_of(limits));
    }
    if let Some(tracing) = &route.tracing {
        put("trace", json!(true));
        if tracing.begins_trace {
            put("trace_begins", json!(true));
        }
        if let Some(name) = &tracing.span_name {
            put("span_name", text(name.text()));
        }
    }
    if !route.conditions.is_empty() {
        put("conditions", route.conditions.iter().map(condition_json).collect());
    }
    if let Some(actions) = &route.actions {
        put("actions", actions_json(actions));
    }
    if let Some(waf) = &route.waf {
        put("waf", waf_json(waf));
    }
    if let Some(tls) = &route.backend_tls {
        put("backend_tls", backend_tls_json(tls));
    }
    if let Some(split) = &route.split {
        put("split", split_json(split));
    }
    if let Some(name) = &route.within {
        put("within", text(name));
    }
    if !route.rule().is_empty() {
        put("rule", text(route.rule()));
    }
    if route.has_no_slash_redirect {
        put("no_slash_redirect", json!(true));
    }
    if let Some(numbers) = &route.overrides {
        put("overrides", overrides::json_of(numbers));
    }
    Json::Object(fields)
}

fn headers_json(headers: &[Header]) -> Json {
    let header = |h: &Header| json!({ "name": text(&h.name), "value": text(&h.value) });
    headers.iter().map(header).collect()
}

/// `match` is `exact` where it is absent: the fixture has none without it but of the method. How the name of a header was written is not kept: the
/// fixture's is named here.
fn condition_json(condition: &Condition) -> Json {
    let (how, value) = match &condition.wanted {
        Wanted::Exact(value) => ("exact", value),
        Wanted::Pattern(value) => ("regex", value),
    };
    let named = |of: &str, name: &[u8]| json!({ "of": of, "name": text(name), "match": how, "value": text(value) });
    match &condition.subject {
        Subject::Method => json!({ "of": "method", "value": text(value) }),
        Subject::Header(name) => {
            let written = "X-Café";
            assert_eq!(**name, *written.to_ascii_lowercase().as_bytes());
            named("header", written.as_bytes())
        }
        Subject::Query(name) => named("query", name),
        Subject::Scheme => json!({ "of": "scheme", "value": text(value) }),
    }
}

fn split_json(split: &Split) -> Json {
    let one = |place: usize| {
        let backend = &split.backends[place];
        let mut fields = Map::new();
        let mut put = |name: &str, value: Json| fields.insert(name.to_owned(), value);
        put("weight", json!(split.weight(place).0));
        put("backend", text(&backend.backend));
        let services =
            [("service_name", &backend.service_name), ("service_port", &backend.service_port)];
        for (name, value) in services.into_iter().filter(|(_, value)| !value.is_empty()) {
            put(name, text(value));
        }
        if let Some(status) = backend.status {
            put("status", json!(status.get()));
        }
        if let Some(location) = &backend.location {
            put("location", text(location));
        }
        if !backend.variables.is_empty() {
            put("variables", literals_json(&backend.variables));
        }
        if let Some(tls) = &backend.backend_tls {
            put("backend_tls", backend_tls_json(tls));
        }
        if let Some(actions) = &backend.actions {
            put("actions", actions_json(actions));
        }
        Json::Object(fields)
    };
    (0..split.backends.len()).map(one).collect()
}

fn literals_json(all: &[Literal]) -> Json {
    let name = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    all.iter().map(|one| (name(&one.name), text(&one.value))).collect::<Map<_, _>>().into()
}

fn actions_json(actions: &Actions) -> Json {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Json| fields.insert(name.to_owned(), value);
    let headers = [
        ("set_request_headers", &actions.request.set),
        ("add_request_headers", &actions.request.add),
        ("set_response_headers", &actions.response.set),
        ("add_response_headers", &actions.response.add),
    ];
    for (name, headers) in headers.into_iter().filter(|(_, headers)| !headers.is_empty()) {
        put(name, headers_json(headers));
    }
    if let Some(path) = &actions.path {
        put("path", text(&path.text));
        if path.is_of_prefix {
            put("path_prefix", json!(true));
        }
    }
    let times = [
        ("request_timeout_ms", actions.request_timeout),
        ("backend_timeout_ms", actions.backend_timeout),
    ];
    for (name, time) in times {
        if let Some(time) = time {
            put(name, json!(time));
        }
    }
    if !actions.retry_codes.is_empty() {
        put("retry_codes", json!(actions.retry_codes));
    }
    if !actions.mirrors.is_empty() {
        put("mirrors", actions.mirrors.iter().map(mirror_json).collect());
    }
    Json::Object(fields)
}

fn waf_json(waf: &Waf) -> Json {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Json| fields.insert(name.to_owned(), value);
    put("owner", text(&waf.owner));
    put("rules", text(&waf.rules));
    if let Some(template) = &waf.transaction_id {
        put("transaction_id", text(template.text()));
    }
    if waf.fails_open {
        put("fail_open", json!(true));
    }
    Json::Object(fields)
}

/// A depth of 1 is there where there is an authority: the fixture has none without it but that.
fn backend_tls_json(tls: &BackendTls) -> Json {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Json| fields.insert(name.to_owned(), value);
    if let Some(authority) = &tls.authority {
        put("authority", text(authority));
        put("depth", json!(tls.depth));
    }
    if !tls.alternative_names.is_empty() {
        put("alternative_names", tls.alternative_names.iter().map(|name| text(name)).collect());
    }
    if let Some(certificate) = &tls.certificate {
        put("certificate", text(certificate));
    }
    if tls.sends_name {
        put("sends_name", json!(true));
    }
    if let Some(ciphers) = &tls.ciphers {
        put("ciphers", text(ciphers.as_bytes()));
    }
    if let Some(version) = tls.version {
        let name = if version == TlsVersion::V1_2 { "TLSv1.2" } else { "TLSv1.3" };
        put("version", json!(name));
    }
    Json::Object(fields)
}

fn mirror_json(mirror: &Mirror) -> Json {
    let mut fields = Map::new();
    let mut put = |name: &str, value: Json| fields.insert(name.to_owned(), value);
    put("backend", text(&mirror.backend));
    if let Some(location) = &mirror.location {
        put("location", text(location));
    }
    if !mirror.variables.is_empty() {
        put("variables", literals_json(&mirror.variables));
    }
    let (numerator, denominator) = mirror.part;
    if numerator != denominator {
        put("numerator", json!(numerator));
        if denominator != 100 {
            put("denominator", json!(denominator));
        }
    }
    if let Some(tls) = &mirror.backend_tls {
        put("backend_tls", backend_tls_json(tls));
    }
    Json::Object(fields)
}

fn access_json(access: &Access) -> Json {
    let lists = [("allow", &access.allow), ("deny", &access.deny)];
    let lists = lists.into_iter().filter_map(|(name, id)| Some((name, text(id.as_deref()?))));
    let any = (access.satisfy == Satisfy::Any).then(|| ("satisfy", json!("any")));
    let passwords = [("basic", &access.basic), ("digest", &access.digest)];
    let passwords = passwords.into_iter().filter_map(|(name, password)| {
        let password = password.as_ref()?;
        let (users, realm) = (text(&password.users), text(&password.realm));
        Some((name, json!({ "users": users, "realm": realm })))
    });
    let external = access.external.as_deref().map(|asked| ("external", external_json(asked)));
    let rules = (!access.rules.is_empty()).then(|| ("rules", rules_json(&access.rules)));
    lists
        .chain(any)
        .chain(passwords)
        .chain(external)
        .chain(rules)
        .chain(access.geo.as_deref().into_iter().flat_map(geo_json))
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

fn geo_json(geo: &GeoLists) -> [(&'static str, Json); 4] {
    let codes = |list: &[Country]| list.iter().map(|code| text(code)).collect();
    [
        ("allow_countries", codes(&geo.allow_countries)),
        ("deny_countries", codes(&geo.deny_countries)),
        ("allow_asns", json!(geo.allow_asns)),
        ("deny_asns", json!(geo.deny_asns)),
    ]
}

/// Whom they are about is not kept as it was written: the fixture's are named here.
fn rules_json(rules: &[Rule]) -> Json {
    let network = [&[1, 32][..], &[0x20, 0x01, 0x0d, 0xb8], &[0; 12]].concat();
    let read = [&[2, 24, 10, 1, 2, 0][..], &network, &[1, 0], &[2]];
    assert_eq!(rules, read.map(|rule| Rule::read(rule).unwrap()));
    json!([
        { "action": "deny", "from": "10.1.2.0/24" },
        { "action": "allow", "from": "2001:db8::/32" },
        { "action": "allow", "from": "unix:" },
        { "action": "deny", "from": "all" },
    ])
}

/// The fixture has all fields.
fn external_json(asked: &ExternalAuth) -> Json {
    let optional = |template: &Option<Template>| template.as_ref().map(|t| text(t.text()));
    let header =
        |h: &RequestHeader| json!({ "name": text(&h.name), "value": text(h.value.text()) });
    let duration = |d: &CacheDuration| json!({ "status": d.status, "seconds": d.seconds });
    json!({
        "location": text(&asked.location),
        "backend": text(&asked.backend),
        "target": text(asked.target.text()),
        "host": text(asked.host.text()),
        "method": asked.method.as_deref().map(text),
        "headers": asked.headers.iter().map(header).collect::<Json>(),
        "response_headers": asked.response_headers.iter().map(|name| text(name)).collect::<Json>(),
        "signin": optional(&asked.signin),
        "request_redirect": optional(&asked.request_redirect),
        "always_set_cookie": asked.always_sets_cookie,
        "cache_key": optional(&asked.cache_key),
        "cache_durations": asked.cache_durations.iter().map(duration).collect::<Json>(),
        "is_filter": asked.is_filter,
        "request_headers": asked.request_headers.iter().map(|name| text(name)).collect::<Json>(),
        "backend_tls": asked.backend_tls.as_deref().map(backend_tls_json),
    })
}

fn match_name(path_match: PathMatch) -> &'static str {
    match path_match {
        PathMatch::Exact => "exact",
        PathMatch::Prefix => "prefix",
        PathMatch::Regex => "regex",
        PathMatch::StringPrefix => "string_prefix",
        PathMatch::StringPrefixFinal => "string_prefix_final",
        PathMatch::Pattern => "pattern",
        PathMatch::PatternAnyCase => "pattern_any_case",
    }
}

fn variables(route: &Route) -> Json {
    let name = |v: &Variable| std::str::from_utf8(&v.name).unwrap().to_owned();
    route.variables.iter().map(|v| (name(v), text(v.value.text()))).collect()
}

/// Which origins these are is not kept as it was written: the fixture's are named here.
fn cors_of(cors: &Cors) -> Json {
    let origins = ["https://*.shop.test:8443", "null"];
    assert_eq!(cors.origins, Origins::new(&origins.map(str::as_bytes), cors.is_gateway));
    json!({
        "origins": origins,
        "allow_methods": cors.allow_methods.as_deref().map(text),
        "allow_headers": cors.allow_headers.as_deref().map(text),
        "expose_headers": cors.expose_headers.as_deref().map(text),
        "max_age": text(&cors.max_age),
        "credentials": cors.credentials,
        "gateway": cors.is_gateway,
    })
}

/// How the rates were written is not kept: the fixture's are named here.
fn limits_of(limits: &Limits) -> Json {
    assert_eq!(
        limits.rates,
        [Some(Rate::per_second(1, 0)), Some(Rate::per_minute(i32::MAX as u32, 0))]
    );
    json!({
        "key": format!("{:032x}", limits.key),
        "rps": 1,
        "rpm": i32::MAX,
        "burst_multiplier": 0,
        "connections": limits.connections,
        "exempt": limits.exempt.as_deref().map(text),
        "by": limits.identity.parts.iter().map(part_of).collect::<Json>(),
        "ipv6_bits": limits.identity.ipv6_bits,
        "headers": limits.has_headers,
    })
}

fn part_of(part: &Part) -> Json {
    let named = |kind: &str, name: &[u8]| json!(format!("{kind}:{}", name.escape_ascii()));
    match part {
        Part::Address => json!("address"),
        Part::Header(name) => named("header", name),
        Part::Cookie(name) => named("cookie", name),
        Part::Path(nth) => json!(format!("path:{nth}")),
    }
}

fn client_certificate(asked: Option<&ClientCertificate>) -> Json {
    let Some(asked) = asked else { return Json::Null };
    let mut fields = Map::new();
    let mut put = |name: &str, value: Json| fields.insert(name.to_owned(), value);
    put("authority", text(&asked.authority));
    put("verify", json!(verify_name(asked.verify)));
    for (name, value) in [("match_cn", &asked.match_cn), ("error_page", &asked.error_page)] {
        if let Some(value) = value {
            put(name, text(value));
        }
    }
    if asked.passes_certificate {
        put("pass_certificate", json!(true));
    }
    Json::Object(fields)
}

fn verify_name(verify: Verify) -> &'static str {
    match verify {
        Verify::On => "on",
        Verify::Optional => "optional",
        Verify::OptionalNoCa => "optional_no_ca",
        Verify::Off => "off",
        Verify::Required => "required",
    }
}

fn text(bytes: &[u8]) -> Json {
    json!(std::str::from_utf8(bytes).expect("the fixture is text"))
}

#[test]
fn the_shared_records_say_what_their_json_says() {
    let hosts = fixtures::records("host-");
    assert!(!hosts.is_empty());
    for file in hosts {
        let json = read_to_string(file.with_extension("json")).unwrap();
        let json: Json = serde_json::from_str(&json).unwrap();
        let host = HostRoutes::decode(b"shop.test", &fixtures::bytes(&file));
        if json["closed"] == json!(true) {
            assert_eq!(host.err(), Some(RecordError::Closed), "{}", file.display());
            continue;
        }
        let host = host.unwrap();
        scripts::compare(&json["script"], host.script().map(Rc::as_ref));
        assert_eq!(
            json["alias_of"],
            host.alias_of().map_or(Json::Null, text),
            "{}",
            file.display()
        );
        let listener = host.listener().map_or(Json::Null, text);
        assert_eq!(json["listener"], listener, "{}", file.display());
        let routes: Vec<Json> = host.routes().iter().map(json_of).collect();
        assert_eq!(
            scripts::compared(&json["routes"], &host),
            Json::Array(routes),
            "{}",
            file.display()
        );
        let asked = client_certificate(host.client_certificate());
        assert_eq!(json["client_certificate"], asked, "{}", file.display());
    }
}
