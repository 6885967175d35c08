import { beforeAll, describe, expect, test } from "vitest"
import { defaultSettings, parseSettings } from "../../../../controller/core/options/configmap.ts"
import { noObjects } from "../../../../controller/core/options/key.ts"
import type { Settings } from "../../../../controller/core/options/settings.ts"
import { noCapabilities } from "../../../../controller/model/capabilities.ts"
import type { ConfigMap } from "../../../../controller/model/objects/config-map.ts"
import type { Secret } from "../../../../controller/model/objects/secret.ts"
import { type Authority, type Identity, rootAuthority } from "../../../../harness/pki.ts"

let root: Authority
let client: Identity
beforeAll(async () => {
  root = await rootAuthority()
  client = await root.issue({ names: ["edge"] })
})

const meta = { namespace: "ingress", name: "settings", uid: "", createdMs: 0, labels: {}, annotations: {} }
const configMap: ConfigMap = {
  kind: "ConfigMap",
  meta,
  data: { "otlp-collector-tls-secret": "ingress/collector" },
}

type Data = Readonly<Record<string, string>>

/** @param data of the Secret; undefined: there is none */
function read(data: Data | undefined, lastGood: Settings = defaultSettings) {
  const bytes = Object.entries(data ?? {}).map(([key, text]) => [key, Buffer.from(text)])
  const secret: Secret = { kind: "Secret", meta, type: "Opaque", data: Object.fromEntries(bytes) }
  return parseSettings(configMap, lastGood, {
    ...noObjects,
    capabilities: noCapabilities,
    secret: (name) => (data !== undefined && name === "ingress/collector" ? secret : undefined),
  })
}

test("authorities, with text around them, and who it is that sends", () => {
  const ca = `root\n${root.pem}and\n${root.pem}`
  const { settings, problems } = read({ "ca.crt": ca, ...client.tlsData() })
  expect(problems).toEqual([])
  expect(settings.collectorTls).toMatchObject({
    authorities: ca,
    identity: { certificate: client.chainPem },
  })
  expect(JSON.stringify(settings)).not.toContain("PRIVATE KEY")
  expect(read({ "ca.crt": root.pem }).settings.collectorTls).toEqual({ authorities: root.pem })
})

describe("no span is sent without it, and the last good one stays", () => {
  const bad = (): readonly (readonly [Data | undefined, string])[] => [
    [undefined, 'there is no Secret "ingress/collector"'],
    [client.tlsData(), 'Secret "ingress/collector" has no key "ca.crt"'],
    [{ "ca.crt": "" }, '"ca.crt" of Secret "ingress/collector" is not one or more certificates in PEM'],
    [
      { "ca.crt": `${root.pem}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----` },
      '"ca.crt" of Secret "ingress/collector" is not one or more certificates in PEM',
    ],
    [
      { "ca.crt": root.pem + client.keyPem },
      '"ca.crt" of Secret "ingress/collector" is not one or more certificates in PEM',
    ],
    [
      { "ca.crt": root.pem, "tls.crt": client.pem },
      'Secret "ingress/collector" has one of "tls.crt" and "tls.key": it needs both or neither',
    ],
    [
      { "ca.crt": root.pem, "tls.crt": client.pem, "tls.key": root.keyPem },
      '"tls.crt" and "tls.key" of Secret "ingress/collector" are no certificate in PEM with its key',
    ],
  ]

  test.each(Array.from({ length: 7 }, (_, at) => at))("case %i", (at) => {
    const [data, reason] = bad()[at] ?? [undefined, ""]
    const { settings, problems } = read(data)
    expect(settings.collectorTls).toBe("closed")
    expect(problems.map(({ message }) => message)).toEqual([
      `Key "otlp-collector-tls-secret" cannot be used, so no span is sent: ${reason}`,
    ])
    const good = read({ "ca.crt": root.pem }).settings
    const kept = read(data, good)
    expect(kept.settings.collectorTls).toBe(good.collectorTls)
    expect(kept.problems.map(({ message }) => message)).toEqual([
      `Key "otlp-collector-tls-secret" cannot be used, so the value before it stays in force: ${reason}`,
    ])
  })

  test("there are as many cases", () => expect(bad()).toHaveLength(7))
})
