import { fieldPath } from "../../model/field-path.ts"
import { apiVersionsOfKinds } from "../../model/objects/parse.ts"
import { recordOf } from "../../model/objects/reader.ts"
import type { ObjectName, Problem } from "../../model/problem.ts"
import type { ProblemCode } from "../../model/problems/catalogue.ts"
import { shown } from "../../model/shown.ts"
import { nearest } from "../../support/nearest.ts"
import { fieldsOfKinds, unknownFields } from "./known-fields.ts"

// What an API server's strict validation says of objects before they are stored, and nobody says of files: kinds and fields that there are none
// of, and hosts in capitals.

/** @param originOf where a field is written, as `cart.yaml:12` */
export function strictProblems(value: unknown, originOf: (field: string) => string): readonly Problem[] {
  const { kind, apiVersion } = recordOf(value)
  if (typeof kind !== "string" || typeof apiVersion !== "string") return []
  const versions = apiVersionsOfKinds.get(kind)
  if (versions === undefined) return unknownKind(kind, apiVersion, originOf("kind"))
  const fields = versions.includes(apiVersion) ? fieldsOfKinds.get(kind) : undefined
  if (fields === undefined) return []
  const about = (field: string, code: ProblemCode, state: string): Problem => {
    const message = `Field ${field} ${state} (${originOf(field)})`
    return { object: nameOf(kind, value), field, code, message }
  }
  const unknown = [...unknownFields(value, fields)].map(({ path, name, instead }) => {
    return about(fieldPath(...path), "field-unknown", `is none of ${kind}: ${adviceFor(name, instead)}`)
  })
  return [...unknown, ...(kind === "Ingress" ? hostsInCapitals(value, about) : [])]
}

/** Where there are many, no list of them helps. */
const mostInstead = 6

function adviceFor(name: string, instead: readonly string[]): string {
  const meant = nearestOf(name, instead)
  if (meant !== undefined) return `write ${meant}`
  const some = instead.length > 0 && instead.length <= mostInstead
  return some ? `write ${instead.join(" or ")}, or remove it` : "remove it"
}

type About = (field: string, code: ProblemCode, state: string) => Problem

function hostsInCapitals(value: unknown, about: About): readonly Problem[] {
  const { rules, tls } = recordOf(recordOf(value).spec)
  const ofRules = listOf(rules).map(
    (rule, at) => [recordOf(rule).host, fieldPath("spec", "rules", at, "host")] as const,
  )
  const ofTls = listOf(tls).flatMap((entry, at) =>
    listOf(recordOf(entry).hosts).map(
      (host, index) => [host, fieldPath("spec", "tls", at, "hosts", index)] as const,
    ),
  )
  return [...ofRules, ...ofTls].flatMap(([host, field]) =>
    typeof host === "string" && host !== host.toLowerCase()
      ? [
          about(
            field,
            "host-capitals",
            `has capitals, which count as small letters: write ${shown(host.toLowerCase())}`,
          ),
        ]
      : [],
  )
}

function unknownKind(kind: string, apiVersion: string, origin: string): readonly Problem[] {
  const kinds = [...apiVersionsOfKinds].flatMap(([it, versions]) =>
    versions.includes(apiVersion) ? [it] : [],
  )
  const meant = nearestOf(kind, kinds)
  if (meant === undefined) return []
  const object = { kind: "File", namespace: "", name: origin.replace(/:\d+$/, "") }
  const message = `Text at ${origin} is of kind ${shown(kind)}, which nobody reads: write ${meant}`
  return [{ object, field: origin, code: "kind-unknown", message }]
}

/** As `nearest`, of words with capitals. */
function nearestOf(text: string, words: readonly string[]): string | undefined {
  const found = nearest(
    text,
    words.map((word) => word.toLowerCase()),
  )
  return words.find((word) => word.toLowerCase() === found)
}

function nameOf(kind: string, value: unknown): ObjectName {
  const { namespace, name } = recordOf(recordOf(value).metadata)
  const textOf = (it: unknown) => (typeof it === "string" ? it : "")
  return {
    kind,
    namespace: kind === "IngressClass" ? "" : textOf(namespace) || "default",
    name: textOf(name),
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
