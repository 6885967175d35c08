//! The scripts of the shared records: what their JSON says, compiled, is what is read.

use serde_json::Value as Json;
use wick_routes::{HostRoutes, Script};
use wick_script::{Directive, Flag, Test};

/// Takes the scripts out of routes that say what `host` has read.
pub fn compared(routes: &Json, host: &HostRoutes) -> Json {
    let mut routes = routes.clone();
    for (json, route) in routes.as_array_mut().unwrap().iter_mut().zip(host.routes()) {
        let script = json.as_object_mut().unwrap().remove("script");
        compare(script.as_ref().unwrap_or(&Json::Null), route.script.as_deref());
    }
    routes
}

/// Levels are compared by their number: `wick_script` has its own tests of them.
pub fn compare(json: &Json, script: Option<&Script>) {
    let Some(script) = script else { return assert!(json.is_null()) };
    assert_eq!(json["levels"].as_array().map_or(0, Vec::len), script.levels().len());
    let steps: Vec<_> = json["steps"].as_array().unwrap().iter().map(directive).collect();
    assert_eq!(Ok(script), Script::new(&steps, script.levels().to_vec()).as_ref());
}

fn directive(step: &Json) -> Directive<'_> {
    let text = |name: &str| step[name].as_str().map(str::as_bytes);
    let value = text("value");
    match step["op"].as_str().unwrap() {
        "set" => Directive::Set { name: text("name").unwrap(), value: value.unwrap() },
        "if" => Directive::If {
            value: value.unwrap(),
            test: test(step),
            skip: step["skip"].as_u64().unwrap_or(0) as u16,
            level: step["level"].as_u64().map(|level| level as u8),
        },
        "rewrite" => Directive::Rewrite {
            pattern: text("pattern").unwrap(),
            value: value.unwrap(),
            flag: flag(&step["flag"]),
            drops_args: step["drops_args"].as_bool().unwrap_or(false),
        },
        "return" => Directive::Return { code: step["code"].as_u64().unwrap() as u16, value },
        "break" => Directive::Break,
        other => panic!("{other}"),
    }
}

fn test(step: &Json) -> Test<'_> {
    let text = |name: &str| step[name].as_str().unwrap().as_bytes();
    match step["test"].as_str().unwrap() {
        "filled" => Test::Filled,
        "equal" => Test::Equal(text("against")),
        "unequal" => Test::Unequal(text("against")),
        "match" => Test::Match { pattern: text("pattern"), any_case: false },
        "match_any_case" => Test::Match { pattern: text("pattern"), any_case: true },
        "mismatch" => Test::Mismatch { pattern: text("pattern"), any_case: false },
        "mismatch_any_case" => Test::Mismatch { pattern: text("pattern"), any_case: true },
        other => panic!("{other}"),
    }
}

fn flag(word: &Json) -> Flag {
    match word.as_str().unwrap_or("none") {
        "none" => Flag::None,
        "last" => Flag::Last,
        "break" => Flag::Break,
        "redirect" => Flag::Redirect,
        "permanent" => Flag::Permanent,
        other => panic!("{other}"),
    }
}
