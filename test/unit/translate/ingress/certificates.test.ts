import { inspect } from "node:util"
import { expect, test } from "vitest"
import { checkSecret } from "../../../../controller/translate/ingress/certificates.ts"
import { pem, tlsData } from "../../../support/certificates.ts"
import { meta } from "../objects.ts"

function check(data: Readonly<Record<string, string>>) {
  const bytes = Object.entries(data).map(([name, text]) => [name, new TextEncoder().encode(text)])
  return checkSecret({
    kind: "Secret",
    meta: meta("shop/tls"),
    type: "kubernetes.io/tls",
    data: Object.fromEntries(bytes),
  })
}

test("what nginx gets is written anew, under a name that depends on it alone", () => {
  const plain = check(tlsData)
  const commented = check({ ...tlsData, "tls.crt": `Subject: x\n${tlsData["tls.crt"]}\n; } #` })
  if (plain.kind === "refused" || commented.kind === "refused") throw new Error("it is refused")
  expect(commented.pair?.name).toBe(plain.pair?.name)
  expect(plain.pair?.name).toMatch(/^[0-9a-f]{32}\.pem$/)
  expect(commented.pair?.text.reveal()).not.toContain("Subject")
  expect(plain.pair?.text.reveal()).toContain("PRIVATE KEY")
  expect(plain.trusted?.text.reveal()).toBe(pem("ca.crt"))
})

test("a private key is printed nowhere", () => {
  const checked = check(tlsData)
  for (const printed of [
    JSON.stringify(checked),
    inspect(checked, { depth: 9 }),
    `${Object.values(checked)}`,
  ])
    expect(printed).not.toContain("PRIVATE")
})

test.each([
  ["no key", { "tls.crt": pem("client.crt") }, 'key "tls.key" is missing'],
  ["no certificate", { "tls.key": pem("client.key") }, 'key "tls.crt" is missing'],
  ["nothing", {}, 'keys "tls.crt" and "tls.key", or "ca.crt", are missing'],
  ["another key", { ...tlsData, "tls.crt": pem("ca.crt") }, "is not the key"],
  ["garbage", { ...tlsData, "tls.key": "-----BEGIN PRIVATE KEY-----\nxx\n" }, "no private key in PEM"],
  ["half a certificate", { "ca.crt": pem("ca.crt").slice(0, 200) }, '"ca.crt" holds no certificate'],
  [
    "a damaged certificate",
    { "ca.crt": pem("ca.crt").replace(/\n[A-Za-z0-9+/]{8}/, "\nAAAAAAAA") },
    "cannot be read",
  ],
])("%s is refused", (_, data, reason) => {
  expect(check(data)).toEqual({ kind: "refused", reason: expect.stringContaining(reason) })
})
