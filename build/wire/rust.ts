import { constantCase, type Field } from "../../wire/field.ts"
import { overrides } from "../../wire/overrides.ts"
import { limits, records } from "../../wire/schema.ts"
import { type NumberType, types, type ValueType } from "../../wire/types.ts"
import { origin } from "./origin.ts"

const all: readonly (readonly [string, ValueType])[] = Object.entries(types)

/** Ids, versions and limits. */
export function constants(): string {
  const modules = Object.entries(records).map(([name, record]) => {
    const version = "version" in record ? [`pub const VERSION: u8 = ${record.version};`] : []
    const fields = record.fields.map(({ name, id }) => `pub const ${constantCase(name)}: u8 = ${id};`)
    return moduleOf(name, [...version, ...fields])
  })
  const numbers = all.flatMap(([name, type]) => (type.kind === "number" ? [numberOf(name, type)] : []))
  const max = Object.entries(limits).map(
    ([name, number]) => `pub const ${constantCase(name)}: usize = ${number};`,
  )
  return `${origin("//")}
${modules.join("\n\n")}

/// What a number may be.
${moduleOf("numbers", ["use crate::fields::Number;", "", ...numbers])}

/// How long, and how many.
${moduleOf("max", max)}

/// Words, each by its number in a record.
pub mod words {
${all.flatMap(([name, type]) => wordsOf(name, type)).join("\n")}
}
`
}

function moduleOf(name: string, lines: readonly string[]): string {
  return `pub mod ${name} {\n${lines.map((line) => (line === "" ? "" : `    ${line}`)).join("\n")}\n}`
}

function numberOf(name: string, { bytes, min, max }: NumberType): string {
  return `pub const ${constantCase(name)}: Number = Number { bytes: ${bytes}, min: ${min}, max: ${max} };`
}

function wordsOf(name: string, type: ValueType): string[] {
  if (type.kind === "words") {
    const list = type.words.map((word) => `        "${word}",`)
    return [`    pub const ${constantCase(name)}: [&str; ${list.length}] = [`, ...list, "    ];"]
  }
  if (type.kind !== "word") return []
  const lines = type.words.map(
    (word, place) => `        pub const ${constantCase(word)}: u8 = ${place + type.first};`,
  )
  return [`    pub mod ${name === "match" ? "path_match" : name} {`, ...lines, "    }"]
}

/** The numbers that a route may have of its own. */
export function overridesOfRust(): string {
  const fields = overrides.map(({ name, meaning, type }) => {
    const doc = [rangeOf(type), meaning].filter((text) => text !== "").join("; ")
    return `${doc === "" ? "" : `    /// ${doc}.\n`}    pub ${name}: Option<${typeOf(type)}>,`
  })
  const arms = overrides.map(
    ({ name, type }) => `            route::${constantCase(name)} => self.${name} = Some(${readerOf(type)}),`,
  )
  const core = overrides.filter(({ name }) => !name.startsWith("proxy_"))
  return `${origin("//")}
use wick_wire::{RecordError, flag, numbers, route};

use super::values::NextUpstream;

/// Each absent number leaves the location's own in force. Equal overrides are interchangeable: the ingress module keeps
/// one patched copy of a location per distinct value. Names are those of the directives, with their units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Overrides {
${fields.join("\n")}
}

impl Overrides {
    /// At least one number is about how a response is fetched, so that it means nothing to a location that answers by itself.
    pub fn has_upstream(&self) -> bool {
        let core = Self {
${core.map(({ name }) => `            ${name}: self.${name},`).join("\n")}
            ..Self::default()
        };
        *self != core
    }

    /// Takes one field by its id; false when it is none of these.
    pub(crate) fn set(&mut self, id: u8, bytes: &[u8]) -> Result<bool, RecordError> {
        match id {
${arms.join("\n")}
            _ => return Ok(false),
        }
        Ok(true)
    }
}
`
}

type Type = Field["type"]

/** A power of two, or one less. */
function powerText(number: number): string {
  const power = Math.round(Math.log2(number))
  return number === 2 ** power ? `2^${power}` : `2^${power}-1`
}

function rangeOf(type: Type): string {
  const known: ValueType = types[type]
  return known.kind === "number" ? `${known.min} to ${powerText(known.max)}` : ""
}

function typeOf(type: Type): string {
  const known: ValueType = types[type]
  if (known.kind === "words") return "NextUpstream"
  if (known.kind !== "number") return "bool"
  return known.max > 2 ** 32 ? "u64" : "u32"
}

function readerOf(type: Type): string {
  const known: ValueType = types[type]
  if (known.kind === "words") return "NextUpstream::read(bytes)?"
  if (known.kind !== "number") return "flag(bytes)?"
  const read = `numbers::${constantCase(type)}.read(bytes)?`
  return known.max > 2 ** 32 ? read : `${read} as u32`
}

/** What the test of the fixtures says of them. */
export function overridesOfRustTest(): string {
  const lines = overrides.map(({ name, type }) => {
    const isWords = types[type].kind === "words"
    const value = isWords ? `numbers.${name}.map(words)` : `numbers.${name}.map(Json::from)`
    return `        ("${name}", ${value}),`
  })
  return `${origin("//")}
use serde_json::Value as Json;
use wick_routes::{NextUpstream, Overrides};

/// As posted.
pub fn json_of(numbers: &Overrides) -> Json {
    let named = [
${lines.join("\n")}
    ];
    named.into_iter().filter_map(|(name, number)| Some((name.to_owned(), number?))).collect()
}

fn words(next: NextUpstream) -> Json {
    next.words().map(|word| NextUpstream::WORDS[word]).collect::<Vec<_>>().join(" ").into()
}
`
}
