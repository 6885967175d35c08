import { expect, test } from "vitest"
import { streamsOf } from "../../../../controller/core/assemble/aimed-streams.ts"
import { streamBackendRef } from "../../../../controller/core/declared/backend-ref.ts"
import type { DeclaredStream } from "../../../../controller/core/declared/stream.ts"
import { defaultSettings } from "../../../../controller/core/options/configmap.ts"
import { SecretText } from "../../../../controller/model/secret-file.ts"
import type { KeyPair } from "../../../../controller/model/tls-secret.ts"

const declared = (service: string, more: Partial<DeclaredStream>): DeclaredStream => ({
  protocol: "tcp",
  port: 443,
  backend: streamBackendRef("tcp", "shop", service, "443", undefined),
  names: [],
  source: { kind: "Gateway", namespace: "edge", name: service },
  field: "spec.listeners",
  acceptsProxyProtocol: false,
  settings: {},
  ...more,
})

const served = (...streams: readonly DeclaredStream[]) => streamsOf(streams, defaultSettings)

test("listeners of several addresses are records of one port", () => {
  const { all, ports } = served(
    declared("a", { address: "10.0.0.1" }),
    declared("b", { address: "2001:db8::1" }),
    declared("c", { port: 5432 }),
  )
  expect(all.map(({ name, source }) => [name, source])).toEqual([
    ["tcp:10.0.0.1:443", "Gateway/edge/a"],
    ["tcp:5432", "Gateway/edge/c"],
    ["tcp:[2001:db8::1]:443", "Gateway/edge/b"],
  ])
  expect(ports).toEqual([
    { protocol: "tcp", port: 443, isByAddress: true },
    { protocol: "tcp", port: 5432 },
  ])
})

test("of two objects that want the same the first has it, and the other a Problem", () => {
  const { all, problems } = served(declared("first", {}), declared("second", {}))
  expect(all.map(({ serviceName }) => serviceName)).toEqual(["first"])
  expect(problems.filter(({ code }) => code === "stream-refused")).toEqual([
    {
      object: { kind: "Gateway", namespace: "edge", name: "second" },
      field: "spec.listeners",
      code: "stream-refused",
      message:
        'Cannot serve TCP port 443: Gateway "edge/first" has it already, use another port, or remove it there',
    },
  ])
})

const keyPair = (id: string): KeyPair => ({
  certificate: { id, chain: [], key: new SecretText("key") },
  names: [],
  notAfterMs: 0,
  keyType: "ec",
})
const authority = { id: "ca", certificates: [], crls: [] }

test("what handshakes need comes with the streams, each once; without its authority a record names one that nobody has", () => {
  const { all, certificates, authorities } = served(
    declared("a", {
      tls: { pairs: [keyPair("own")], alpn: ["mqtt"], client: { authority, verify: "on", depth: 2 } },
      names: [
        {
          host: "db.test",
          backend: streamBackendRef("tcp", "shop", "db", "1", undefined),
          tls: { pairs: [], client: { authority: undefined, verify: "optional", depth: 1 } },
          backendTls: { serverName: "db", verified: { authority, depth: 1 }, pair: keyPair("own") },
        },
      ],
    }),
  )
  const [stream] = all
  expect(stream?.tls).toEqual({
    ...{ certificates: ["own"], authority: "ca", verify: "on", depth: 2, alpn: ["mqtt"] },
  })
  expect(stream?.names).toMatchObject([
    {
      tls: { certificates: [], authority: "missing", verify: "optional" },
      backendTls: { serverName: "db", authority: "ca", depth: 1, certificate: "own" },
    },
    { host: "_", tls: stream?.tls },
  ])
  expect([certificates.map(({ id }) => id), authorities]).toEqual([["own"], [authority]])
})
