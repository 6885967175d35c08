import type { PassthroughInForce } from "../../controller/inspect/in-force-tls.ts"
import { shortId } from "../../controller/inspect/notes.ts"
import {
  allTls,
  type ShownCertificate,
  type ShownHost,
  type ShownTls,
  tlsOf,
} from "../../controller/inspect/tls.ts"
import { counted } from "../../controller/support/counted.ts"
import { Failure } from "../../controller/support/failure.ts"
import { type Command, withRunning } from "./command.ts"
import { aligned, printable } from "./table.ts"
import { paint, type Style, type Terminal, writeJson, writeLines } from "./terminal.ts"

const head = ["HOST", "CERTIFICATE", "NAMES", "NOT AFTER", "STAPLE UNTIL", "CLIENTS", "NOTES"]

/** Names and addresses in the list of all. */
const maxListed = 2

const styles: Readonly<Record<string, Style>> = { expired: "red", soon: "yellow" }

export const certificates: Command = {
  name: "certificates",
  description: [
    "Lists all TLS hosts with their certificates, one line each, and the names whose connections are handed on undecrypted; or shows",
    "what a handshake for one name gets. Host :default serves where nothing else does. Keys are never shown.",
  ],
  formats: ["wide", "name"],
  run: (asked, terminal) =>
    withRunning(asked, async (inForce) => {
      const [host] = asked.operands
      const shown =
        host === undefined ? await allTls(inForce, Date.now()) : await tlsOf(inForce, host, Date.now())
      if (isEmpty(shown)) throw nothing(host)
      if (asked.json) writeJson(terminal, shown)
      else if (asked.format === "name") writeLines(terminal, names(shown))
      else
        writeLines(
          terminal,
          host === undefined
            ? list(shown, asked.format === "wide", terminal)
            : detailed(host, shown).map(printable),
        )
    }),
}

function isEmpty({ tls_hosts: hosts, passthroughs }: ShownTls): boolean {
  return hosts.length + passthroughs.length === 0
}

function nothing(host: string | undefined): Failure {
  const what =
    host === undefined ? "There is no certificate in force" : `No certificate in force serves "${host}"`
  return new Failure("nothing", `${what}: nginx shows its own self-signed one`)
}

/** Of hosts. */
function names({ tls_hosts: hosts, passthroughs }: ShownTls): string[] {
  return [...hosts, ...passthroughs].map(({ host }) => printable(host))
}

function list({ tls_hosts: hosts, passthroughs }: ShownTls, isWide: boolean, terminal: Terminal): string[] {
  const max = isWide ? Number.POSITIVE_INFINITY : maxListed
  const rows = [...hosts.flatMap((host) => rowsOf(host, max)), ...passthroughs.map(passthroughRow)]
  const [title = "", ...lines] = aligned([head, ...rows.map(({ cells }) => cells)])
  const painted = lines.map((line, at) => {
    const style = styles[rows[at]?.expiry ?? ""]
    return style === undefined ? line : paint(terminal, style, line)
  })
  return [paint(terminal, "bold", title), ...painted]
}

interface Row {
  readonly cells: readonly string[]
  readonly expiry?: string | undefined
}

function rowsOf(host: ShownHost, max: number): Row[] {
  const clients = host.client_certificate
  const asked = clients ? `${clients.verify} by ${shortId(clients.authority)}` : "-"
  if (host.certificates.length === 0) return [{ cells: [host.host, "-", "-", "-", "-", asked, notes(host)] }]
  return host.certificates.map(({ id, facts, staple_until: staple = "-" }) => ({
    cells: [
      host.host,
      shortId(id),
      some(facts?.names ?? [], max),
      dayOf(facts?.not_after ?? ""),
      minuteOf(staple),
      asked,
      [notOf(facts), notes(host)].filter((note) => note !== "").join("; "),
    ],
    expiry: facts?.expiry,
  }))
}

function passthroughRow({ host, backend }: PassthroughInForce): Row {
  return { cells: [host, "-", "-", "-", "-", "-", `handed on to backend ${backend}`] }
}

/** What is not well with a certificate. */
function notOf(facts: ShownCertificate["facts"]): string {
  if (facts === undefined) return "is not there"
  return facts.expiry === undefined ? "" : facts.expiry === "expired" ? "expired" : "expires soon"
}

function notes({
  certificates,
  client_certificate: clients,
  ciphers,
  prefer_server_ciphers: prefers,
}: ShownHost): string {
  return [
    ...(certificates.length === 0 ? ["certificates of :default"] : []),
    ...(clients && clients.subjects === undefined ? ["authority is not there"] : []),
    ...(clients?.crls ? [crlsOf(clients.crls)] : []),
    ...(ciphers === undefined ? [] : [`ciphers ${ciphers}`]),
    ...(prefers === undefined ? [] : [prefers ? "prefers its ciphers" : "prefers the client's ciphers"]),
  ].join("; ")
}

/** What one name gets, in several lines. */
function detailed(name: string, { tls_hosts: [host], passthroughs: [passthrough] }: ShownTls): string[] {
  if (passthrough) {
    return [`${name} is handed on undecrypted to backend ${passthrough.backend}`]
  }
  if (!host) return []
  const { client_certificate: clients, ciphers, prefer_server_ciphers: prefers } = host
  return [
    `${name} gets TLS host ${host.host}`,
    "",
    ...(host.certificates.length === 0 ? ["  nginx's own self-signed certificate"] : []),
    ...host.certificates.flatMap(certificateLines),
    ...(ciphers === undefined ? [] : [`  ciphers      ${ciphers}`]),
    ...(prefers === undefined ? [] : [`  preference   ${prefers ? "the server's" : "the client's"}`]),
    ...(clients === undefined
      ? []
      : [
          `  clients      ${clients.verify}, depth ${clients.depth}, ${crlsOf(clients.crls ?? 0)}`,
          `    authority  ${clients.authority}`,
          ...(clients.subjects ?? ["is not there"]).map((subject) => `               ${subject}`),
        ]),
  ]
}

function certificateLines({ id, facts, staple_until: staple }: ShownCertificate): string[] {
  if (facts === undefined) return [`  certificate  ${id} is not there`]
  const not = notOf(facts)
  return [
    `  certificate  ${id}`,
    `    names      ${facts.names.join(" ") || "-"}`,
    `    subject    ${facts.subject}`,
    `    issuer     ${facts.issuer}`,
    ...facts.chain.map((subject, at) => `    ${at === 0 ? "chain" : "     "}      ${subject}`),
    `    key        ${facts.key}`,
    `    valid      ${facts.not_before} to ${facts.not_after}${not === "" ? "" : `, ${not}`}`,
    `    staple     ${staple === undefined ? "none" : `until ${staple}`}`,
  ]
}

function crlsOf(count: number): string {
  return counted(count, "CRL")
}

function some(texts: readonly string[], max: number): string {
  if (texts.length === 0) return "-"
  const first = texts.slice(0, max).join(" ")
  return texts.length > max ? `${first} and ${texts.length - max} more` : first
}

function dayOf(moment: string): string {
  return moment.slice(0, 10) || "-"
}

function minuteOf(moment: string): string {
  return moment.slice(0, 16)
}
