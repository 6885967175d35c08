import { beforeAll, expect, test, vi } from "vitest"
import { type SecretFile, SecretText } from "../../../../controller/model/secret-file.ts"
import { contentName } from "../../../../controller/support/content-name.ts"
import {
  authoritySecret,
  ingress,
  options,
  type Part,
  settings,
  snapshot,
  tlsSecret,
  translate,
} from "../../../../harness/objects.ts"

// Somebody has found contents with one name, which the default location has, too: as if every hash were the same from here on.

const attack = vi.hoisted(() => ({ begun: false }))
vi.mock(import("../../../../controller/support/content-name.ts"), async (original) => {
  const { contentName, ...others } = await original()
  return { ...others, contentName: (text) => contentName(attack.begun ? "[]" : text) }
})
beforeAll(() => {
  attack.begun = true
})

const collision = /Two different things have the name "/
const run = (...parts: readonly Part[]) => translate(snapshot(...parts), settings, options)
const harmless = ingress("shop/victim", "victim.test/ → cart:80")

test("nobody's location takes the place of the default one", () => {
  const partner = ingress("evil/a", "evil.test/ → cart:80", { "proxy-http-version": "1.0" })
  expect(run(harmless).problems).not.toEqual([])
  expect(() => run(harmless, partner)).toThrow(collision)
})

test("nobody's file takes the place of another's", () => {
  const annotations = { "backend-protocol": "HTTPS", "proxy-ssl-secret": "shop/ca" }
  const file = (text: string): SecretFile => ({
    name: `${contentName(text)}.pem`,
    text: new SecretText(text),
  })
  const world = snapshot(authoritySecret("shop/ca", "ca"))
  const wanted = { ...settings, dhParam: file("a DH parameter") }
  expect(() =>
    translate(
      { ...world, ingresses: [ingress("shop/a", "a.test/ → cart:80", annotations)] },
      wanted,
      options,
    ),
  ).toThrow(collision)
})

test("nobody's certificate takes the place of another's", () => {
  const { state, ...one } = tlsSecret("shop/a", { names: ["a.test"] })
  if (state.kind !== "usable" || state.secret.pair === undefined) throw new Error("no pair")
  const { pair } = state.secret
  const certificate = { ...pair.certificate, chain: ["MAMCAQE="] }
  const other = { ...state, secret: { pair: { ...pair, names: ["b.test"], certificate } } }
  const serving = (name: string) => ({
    ...ingress(`shop/${name}`, `${name}.test/ → cart:80`),
    tls: [{ hosts: [`${name}.test`], secretName: name }],
  })
  const { meta } = tlsSecret("shop/b")
  const parts = [{ ...one, state }, { ...one, meta, state: other }, serving("a")]
  expect(run(...parts).model.live.certificates).toHaveLength(1)
  expect(() => run(...parts, serving("b"))).toThrow(collision)
})
