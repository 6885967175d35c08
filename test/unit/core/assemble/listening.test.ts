import { expect, test } from "vitest"
import { listeningOf } from "../../../../controller/core/assemble/listening.ts"
import type { DeclaredListener } from "../../../../controller/core/declared/listener.ts"
import type { DeclaredStream } from "../../../../controller/core/declared/stream.ts"
import { translateOptions } from "../../../../controller/core/options/translation.ts"
import { optionsOf } from "../../../../harness/translation.ts"

const options = translateOptions(optionsOf(["--manifests=x", "--http-port=80", "--https-port=443"]))

const on = (scheme: "http" | "https", port: number, name = "edge"): DeclaredListener => ({
  scheme,
  port,
  source: { kind: "Edge", namespace: "demo", name },
  field: "spec",
})

function portsAndFaults(...all: readonly DeclaredListener[]) {
  const streams = [{ protocol: "tcp", port: 5432 }] as const
  const service = { kind: "ConfigMap", namespace: "demo", name: "tcp" }
  const declared = [5432, 5433].map(
    (port): DeclaredStream => ({
      ...{ protocol: "tcp", port, names: [], acceptsProxyProtocol: false, settings: {}, field: "" },
      source: port === 5432 ? service : { ...service, kind: "TLSRoute" },
    }),
  )
  const { ports, problems } = listeningOf(all, streams, declared, options)
  return {
    ports: ports.map(({ scheme, port }) => `${scheme} ${port}`),
    faults: problems.map((it) => it.message),
  }
}

test("ports are in order, each once, those of all hosts among them", () => {
  expect(portsAndFaults(on("http", 8090), on("https", 443), on("http", 80), on("http", 80, "other"))).toEqual(
    {
      ports: ["http 80", "https 443", "http 8090"],
      faults: [],
    },
  )
})

test.each([
  [[on("https", 80)], "HTTPS port 80: --http-port has it; use another port"],
  [[on("http", 10254)], "HTTP port 10254: --healthz-port has it; use another port"],
  [[on("http", 5432)], "HTTP port 5432: a TCP service has it; use another port"],
  [[on("https", 5432)], "HTTPS port 5432: a TCP service has it; use another port"],
])("a port of somebody else is none: %#", (all, fault) => {
  expect(portsAndFaults(...all)).toEqual({ ports: [], faults: [`Cannot listen on ${fault}`] })
})

test("HTTPS goes together with a route of TLS", () => {
  expect(portsAndFaults(on("https", 5433))).toEqual({ ports: ["https 5433"], faults: [] })
})

test("of two protocols on one port the first counts", () => {
  expect(portsAndFaults(on("http", 9000), on("https", 9000, "other"))).toEqual({
    ports: ["http 9000"],
    faults: ['Cannot listen on HTTPS port 9000: Edge "edge" has it for HTTP; use another port'],
  })
})
