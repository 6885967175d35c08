import { isAbsolute, sep } from "node:path"
import { pathToFileURL } from "node:url"
import type { Location, Log, Result } from "sarif"
import { qualifiedName } from "../../controller/model/objects/object.ts"
import type { Finding, Report } from "./report.ts"
import type { Evidence } from "./subject.ts"

/** Where an object is written. */
interface Place {
  /** with the directory that was given */
  readonly file: string
  readonly line: number
}

/** @param kind as `Ingress` @param name `namespace/name` */
export type Locate = (kind: string, name: string) => Place | undefined

const levels = {
  open: "error",
  closed: "error",
  different: "warning",
  unread: "warning",
  same: "note",
} as const

/** The report as code scanning of forges reads it. Source: SARIF 2.1.0 (OASIS). */
export function sarif(report: Report, version: string, locate: Locate): Log {
  const { everyone, controller, unread, ingresses, gateway } = report
  const findings = [
    ...everyone,
    ...controller,
    ...unread,
    ...gateway.findings,
    ...ingresses.flatMap((it) => [...it.findings, ...it.notes]),
  ]
  const rules = new Map(findings.map(({ rule, what }) => [rule, what]))
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: {
          driver: {
            name: "wick lint",
            version,
            rules: [...rules].map(([id, text]) => ({ id, shortDescription: { text: text || id } })),
          },
        },
        results: findings.map((finding) => resultOf(finding, locate)),
      },
    ],
  }
}

function resultOf(finding: Finding, locate: Locate): Result {
  const { rule, relation, evidence } = finding
  return {
    ruleId: rule,
    level: levels[relation],
    message: { text: messageOf(finding) },
    locations: evidence.map((it) => locationOf(it, locate)),
  }
}

function messageOf({ before, now, change }: Finding): string {
  const parts = [before && `ingress-nginx: ${before}`, `wick: ${now}`, change && `What to do: ${change}`]
  return parts.filter((part) => part !== undefined && part !== "").join(". ")
}

function locationOf({ object: { kind, namespace, name }, field }: Evidence, locate: Locate): Location {
  const qualified = qualifiedName({ namespace, name })
  const place = locate(kind, qualified)
  const fullyQualifiedName = [kind, qualified, field].filter((part) => part !== "").join(" ")
  return {
    logicalLocations: [{ fullyQualifiedName }],
    ...(place && {
      physicalLocation: { artifactLocation: { uri: uriOf(place.file) }, region: { startLine: place.line } },
    }),
  }
}

/** As it was given, so that a forge finds it from the root of a repository: relative to where wick was started, or absolute. */
function uriOf(file: string): string {
  return isAbsolute(file) ? pathToFileURL(file).href : file.split(sep).map(encodeURIComponent).join("/")
}
