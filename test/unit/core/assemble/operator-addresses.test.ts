// Wherever the operator has spans and logs sent, in whatever words: not to wick itself.
import { describe, expect, test } from "vitest"
import {
  destinationNames,
  destinationProblems,
} from "../../../../controller/core/assemble/operator-addresses.ts"
import { defaultSettings } from "../../../../controller/core/options/configmap.ts"
import type { Settings } from "../../../../controller/core/options/settings.ts"
import type { NameAnswer } from "../../../../controller/model/name-answer.ts"
import { type EndpointRules, placeKey } from "../../../../controller/support/judge-endpoint.ts"

const rules: EndpointRules = {
  allowLoopback: false,
  ownPorts: new Set([80, 514, 10_254]),
  ownAddresses: new Set(["10.0.0.1", "2001:db8::1"]),
  ownElsewhere: new Map([
    [placeKey("10.0.0.2", 80), { kind: "replica", name: "wick/wick" }],
    [placeKey("10.96.0.9", 80), { kind: "service", name: "wick/wick" }],
    [placeKey("192.0.2.1", 31_000), { kind: "node", name: "wick/wick" }],
  ]),
}
const configMap = { namespace: "wick", name: "settings" }

/** The ways to say where something is sent. */
const ways: readonly (readonly [string, (host: string, port: number) => Partial<Settings>])[] = [
  ["otlp-collector-host", (collectorHost, collectorPort) => ({ collectorHost, collectorPort })],
  [
    "syslog-host",
    (host, syslogPort) => ({
      usesSyslog: true,
      syslogHost: host.includes(":") ? `[${host}]` : host,
      syslogPort,
    }),
  ],
  ...(["access-log-path", "http-access-log-path", "stream-access-log-path", "error-log-path"] as const).map(
    (key) => {
      const field = key.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())
      const path = (host: string, port: number) => {
        const address = host.includes(":") ? `[${host}]` : host
        return `syslog:server=${address}:${port},facility=local7,tag=wick`
      }
      return [key, (host: string, port: number) => ({ [field]: path(host, port) })] as const
    },
  ),
]

function problemsOf(settings: Partial<Settings>, names: Readonly<Record<string, readonly string[]>> = {}) {
  const answers = Object.entries(names).map(([name, addresses]): [string, NameAnswer] => [
    name,
    { kind: "found", addresses },
  ])
  return destinationProblems({ ...defaultSettings, ...settings }, new Map(answers), rules, { configMap })
}

describe.each(ways)("what %s names", (key, settings) => {
  const field = `data["${key}"]`
  const object = { kind: "ConfigMap", ...configMap }

  test.each([
    ["10.0.0.1", 80, "port 80 of this machine is wick's own"],
    ["127.0.0.1", 10_254, "port 10254 of this machine is wick's own"],
    ["::1", 80, "port 80 of this machine is wick's own"],
    ["2001:DB8:0::1", 80, "port 80 of this machine is wick's own"],
    ["10.0.0.2", 80, "port 80 of another replica is wick's own"],
    ["10.96.0.9", 80, 'port 80 of Service "wick/wick" is wick\'s own'],
    ["192.0.2.1", 31_000, 'port 31000 of nodes leads to Service "wick/wick", which is wick\'s own'],
  ])("is not %s, port %i", (host, port, reason) => {
    const message = `Key "${key}" leads to wick itself: "${host.toLowerCase()}" is an address where ${reason}; name the host of a collector or log server`
    expect(problemsOf(settings(host, port))).toEqual([{ object, field, code: "own-address", message }])
  })

  test("is no name with such an address", () => {
    const asked = settings("Logs.Test", 80)
    expect(destinationNames({ ...defaultSettings, ...asked })).toEqual(["logs.test"])
    expect(problemsOf(asked, { "logs.test": ["203.0.113.1", "10.0.0.2"] })).toMatchObject([
      { code: "own-address" },
    ])
    expect(problemsOf(asked, { "logs.test": ["203.0.113.1"] })).toEqual([])
    expect(problemsOf(asked)).toEqual([])
  })

  test.each([
    ["127.0.0.1", 4317],
    ["10.0.0.1", 4317],
    ["169.254.20.10", 4317],
    ["203.0.113.1", 80],
  ])("may be %s, port %i", (host, port) => expect(problemsOf(settings(host, port))).toEqual([]))
})

test("a path to a log server without a port means that of syslog", () => {
  expect(problemsOf({ accessLogPath: "syslog:server=10.0.0.1" })).toHaveLength(1)
})

test("nothing is asked for where nothing is sent", () => {
  expect(destinationNames(defaultSettings)).toEqual([])
  expect(destinationNames({ ...defaultSettings, syslogHost: "logs.test" })).toEqual([])
})
