import {
  attempt,
  codes,
  flags,
  kinds,
  type Named,
  needs,
  numbers,
  outcomes,
  type Place,
  recordBytes,
  variables,
  wants,
} from "../../wire/abi.ts"
import { camelCase, constantCase } from "../../wire/field.ts"
import { type ForeignFunction, foreignFunctions, foreignNames } from "../../wire/foreign.ts"
import { code, table } from "../reference/markdown.ts"
import { origin } from "./origin.ts"

/** The lists of named numbers: what Rust and what the others call them, and what they are. */
const lists: readonly (readonly [module: string, name: string, about: string, list: readonly Named[]])[] = [
  ["wants", "Want", "Bits of `wants`: what a filter wants to hear of an attempt.", wants],
  ["flags", "Flag", "Bits that a policy finds in the place of the outcome, in select.", flags],
  ["outcomes", "Outcome", "What became of an attempt.", outcomes],
  ["needs", "PolicyNeed", "Bits of `wick_policy_needs`.", needs],
  ["numbers", "NumberKind", "Kinds of `wick_get_numbers`; 0 to 3 are the policy's own.", kinds],
]

/** What codes are called outside of nginx/, where `Buffer` and `Map` are something else. */
const codeNames: Readonly<Record<string, string>> = { Buffer: "BufferKind", Map: "MapKind" }

const all = (list: readonly Named[]) => list.reduce((sum, { number }) => sum | number, 0)
const pascalCase = (name: string) => camelCase(`_${name}`)

/** For nginx/abi: offsets, bits and names. */
export function tableOfRust(): string {
  const places = attempt.map(({ name, at }) => `    pub const ${constantCase(name)}: usize = ${at};`)
  const modules = lists.map(([module, , about, list]) => {
    const lines = list.map(({ name, number }) => `    pub const ${constantCase(name)}: u32 = ${number};`)
    const sum = module === "needs" ? [`    pub const ALL: u32 = ${all(list)};`] : []
    return `/// ${about}\npub mod ${module} {\n${[...lines, ...sum].join("\n")}\n}`
  })
  const foreign = foreignNames.map((name) => `    pub const ${shortName(name)}: &[u8] = b"${name}";`)
  return `${origin("//")}
/// Bytes of the attempt record that this host knows of a filter's, and of a policy's.
pub const FILTER_BYTES: usize = ${recordBytes.filter};
pub const POLICY_BYTES: usize = ${recordBytes.policy};
/// Tags of earlier attempts that fit.
pub const MAX_TAGS: usize = ${numbers.max_tags};
/// No tag, and no key.
pub const NONE: u32 = u32::MAX;
/// Version of what this host adds to Proxy-Wasm.
pub const HOST_VERSION: u32 = ${numbers.host_version};
/// Version of the ABI of policies.
pub const POLICY_VERSION: u32 = ${numbers.policy_version};

/// Where the fields of the attempt record begin.
pub mod at {
${places.join("\n")}
}

${modules.join("\n\n")}

/// Names of foreign functions.
pub mod foreign {
${foreign.join("\n")}
}
`
}

/** For nginx/abi: Proxy-Wasm's codes. */
export function codesOfRust(): string {
  const kindsOfCodes = Object.entries(codes).map(([name, { about, codes }]) => {
    const lines = codes.flatMap(({ name, number, meaning }) => [
      ...(meaning === "" ? [] : [`        /// ${meaning}`]),
      `        ${pascalCase(name)} = ${number},`,
    ])
    return `    /// ${about}\n    ${name} {\n${lines.join("\n")}\n    }`
  })
  const tested = Object.keys(codes).map((name) => `        round_trip(${name}::ALL);`)
  return `//! Numbers with names. Spec: proxy-wasm v0.2.1, "Types"; names follow it.
${origin("//")}
pub use crate::code::UnknownCode;
use crate::code::codes;

codes! {
${kindsOfCodes.join("\n")}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::tests::round_trip;

    #[test]
    fn codes_convert_both_ways() {
${tested.join("\n")}
    }
}
`
}

/** For the filter and for policies. */
export function tableOfAssemblyScript(): string {
  const named = (name: string, type: string, list: readonly Named[]) =>
    namespace(
      name,
      list.map(({ name, number }) => `${constantCase(name)}: ${type} = ${number}`),
    )
  const ofCodes = codesOf("Status", "LogLevel", "Action", "Buffer", "Map").map(
    ([name, about, list]) => `/** ${about} */\n${named(name, "i32", list)}`,
  )
  const ofLists = lists.map(([, name, about, list]) => `/** ${about} */\n${named(name, "u32", list)}`)
  return `${origin("//")}
/** Where the fields of the attempt record begin, in bytes. */
${namespace(
  "At",
  attempt.map(({ name, at }) => `${constantCase(name)}: usize = ${at}`),
)}

/** Bytes of the attempt record. */
${namespace("RecordBytes", [`FILTER: i32 = ${recordBytes.filter}`, `POLICY: i32 = ${recordBytes.policy}`])}

/** Tags of earlier attempts that fit. */
export const MAX_TAGS: usize = ${numbers.max_tags}

/** No tag, and no key. */
export const NONE: u32 = 0xffffffff

/** Version of the ABI of policies. */
export const POLICY_VERSION: i32 = ${numbers.policy_version}

${ofLists.join("\n\n")}

${ofCodes.join("\n\n")}
`
}

/** Names for the filter, or for policies: a module has all texts of a file of which it uses one. */
export function namesOfAssemblyScript(guest: "filter" | "policy"): string {
  const foreign = foreignFunctions[guest].map((name) => `${shortName(name)}: string = "${name}"`)
  const properties = variables.map(
    (name) => `${constantCase(name.replace(/_$/, ""))}: string = "ngx\\0${name}"`,
  )
  const ofFilter = `
/** Properties that are variables of nginx. */
${namespace("Property", properties)}
`
  return `${origin("//")}
/** Names of foreign functions. */
${namespace("Foreign", foreign)}
${guest === "filter" ? ofFilter : ""}`
}

/** Codes of these kinds. */
function codesOf(
  ...kinds: readonly string[]
): (readonly [name: string, about: string, list: readonly Named[]])[] {
  return kinds.map((kind) => {
    const { about = "", codes: list = [] } = codes[kind] ?? {}
    return [codeNames[kind] ?? kind, about, list]
  })
}

function namespace(name: string, members: readonly string[]): string {
  return `export namespace ${name} {\n${members.map((member) => `  export const ${member}`).join("\n")}\n}`
}

/** For the laboratory and tests. */
export function tableOfTypeScript(): string {
  const object = (name: string, list: readonly (readonly [string, number])[]) => {
    const lines = list.map(([name, number]) => `  ${camelCase(name)}: ${number},`)
    return `export const ${name} = {\n${lines.join("\n")}\n} as const`
  }
  const pairs = (list: readonly Named[]) => list.map(({ name, number }) => [name, number] as const)
  const ofCodes = codesOf("Status", "Action", "Buffer", "Map").map(
    ([name, about, list]) => `/** ${about} */\n${object(name, pairs(list))}`,
  )
  const ofLists = lists.map(([, name, about, list]) => `/** ${about} */\n${object(name, pairs(list))}`)
  const quoted = (names: readonly string[]) => names.map((name) => `\n  | "${name}"`).join("")
  return `${origin("//")}
/** Where the fields of the attempt record begin, in bytes. */
${object(
  "at",
  attempt.map(({ name, at }: Place) => [name, at] as const),
)}

/** Bytes of the attempt record. */
${object("recordBytes", Object.entries(recordBytes))}

/** Tags of earlier attempts that fit. */
export const maxTags = ${numbers.max_tags}
/** No tag, and no key. */
export const none = 0xffff_ffff
/** Version of what the host adds to Proxy-Wasm. */
export const hostVersion = ${numbers.host_version}
/** Version of the ABI of policies. */
export const policyVersion = ${numbers.policy_version}

${ofLists.join("\n\n")}

${ofCodes.join("\n\n")}

/** Foreign functions that filters may call. */
export type FilterFunction =${quoted(foreignFunctions.filter)}

/** Foreign functions that policies may call. */
export type PolicyFunction =${quoted(foreignFunctions.policy)}

/** Variables of nginx that the filter knows, as properties. */
export const properties = {
${variables.map((name) => `  ${camelCase(name.replace(/_$/, ""))}: "ngx\\0${name}",`).join("\n")}
} as const
`
}

function shortName(name: string): string {
  return constantCase(name.replace("wick_", ""))
}

/** A table of docs/abi.md. */
export function abiTable(name: string): string {
  if (name === "attempt") {
    const rows = attempt.map(({ name, at, type, writtenBy, meaning }) => {
      const words = name.replaceAll("_", " ")
      return [String(at), type === "bytes" ? words : `${type} ${words}`, writtenBy, meaning]
    })
    return table(["offset", "field", "written by", "meaning"], rows)
  }
  if (name === "outcomes") return namedTable("outcome", outcomes)
  if (name === "needs") return namedTable("need", needs)
  const rows = foreignFunctions.tables[name]
  if (rows === undefined) throw new Error(`docs/abi.md wants a table of "${name}", which wire/ does not have`)
  return foreignTable(rows)
}

function namedTable(head: string, list: readonly Named[]): string {
  return table(
    [head, "meaning"],
    list.map(({ number, meaning }) => [String(number), meaning]),
  )
}

function foreignTable(rows: readonly ForeignFunction[]): string {
  const columns = (["arguments", "result", "status"] as const).filter((column) =>
    rows.some((row) => row[column] !== undefined),
  )
  return table(
    ["name", ...columns],
    rows.map((row) => [code(row.name), ...columns.map((column) => row[column] ?? "")]),
  )
}
