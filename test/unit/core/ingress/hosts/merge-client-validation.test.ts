import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { usualLocations } from "../../../../../controller/core/declared/locations.ts"
import { Translator } from "../../../../../controller/core/translate/translate.ts"
import type { Live } from "../../../../../controller/model/model.ts"
import type { Problem } from "../../../../../controller/model/problem.ts"
import type { Snapshot } from "../../../../../controller/model/snapshot.ts"
import {
  authoritySecret,
  ingress,
  options,
  type Part,
  passOf,
  service,
  settings,
  snapshot,
  tlsSecret,
  translate,
} from "../../../../../harness/objects.ts"
import { world } from "../../translate/arbitrary.ts"

const asking = { "auth-tls-secret": "shop/ca" }
const ca = authoritySecret("shop/ca", "one")

const passOver = (input: Snapshot) => translate(input, settings, options)
const pass = (...objects: readonly Part[]) => passOver(snapshot(...objects))

function askedOf({ tlsHosts }: Live) {
  return tlsHosts.flatMap(({ host, clientCertificate: asked }) => (asked ? [{ host, ...asked }] : []))
}

const aboutClients = (problems: readonly Problem[]) =>
  problems.filter(({ field }) => field.includes("auth-tls"))

const isClosed = ({ hosts }: Live, name: string) =>
  hosts.filter(({ host, routes }) => host === name && routes.every(({ status }) => status === 403)).length ===
  1

describe("whatever Ingresses say", () => {
  test("requests ask for what handshakes ask for, of every name", () => {
    fc.assert(
      fc.property(world, (objects) => {
        const { live } = pass(...structuredClone(objects)).model
        const ofRequests = live.hosts.flatMap(({ host, clientCertificate: asked }) =>
          asked === undefined || asked.verify === "off"
            ? []
            : [{ host, authority: asked.authority, verify: asked.verify, depth: 1 }],
        )
        expect(askedOf(live)).toEqual(ofRequests)
        expect(live.authorities.map(({ id }) => id)).toEqual(
          [...new Set(ofRequests.map(({ authority }) => authority))].sort(),
        )
      }),
      { numRuns: 400 },
    )
  })

  test("an Ingress that asks for what cannot be used closes each of its hosts", () => {
    const broken = ingress("a/broken", ["one.test/ → cart:80", "*.test/x → cart:80"], {
      "auth-tls-secret": "ca",
    })
    fc.assert(
      fc.property(world, (objects) => {
        const { live } = pass(...structuredClone(objects), broken).model
        expect([isClosed(live, "one.test"), isClosed(live, "*.test")]).toEqual([true, true])
      }),
    )
  })
})

test("a host opens with the Secret, in the same live half that has the authority", () => {
  const own = ingress("shop/own", "shop.test/ → cart:80", asking)
  const translator = new Translator(options)
  const closed = passOf(translator, snapshot(own), settings)
  expect(isClosed(closed.model.live, "shop.test")).toBe(true)
  const open = passOf(translator, snapshot(own, ca), settings)
  expect(open.model.fixed).toEqual(closed.model.fixed)
  expect(askedOf(open.model.live)).toEqual([
    { host: "shop.test", authority: "id-of-one", verify: "on", depth: 1 },
  ])
  expect(passOf(translator, snapshot(own), settings)).toEqual(closed)
})

test("locations of a closed host stay, so that it opens without a reload", () => {
  const own = ingress("shop/own", "shop.test/ → cart:80", { ...asking, "proxy-http-version": "1.0" })
  expect(pass(own).model.fixed.locations).toEqual(pass(own, ca).model.fixed.locations)
  expect(pass(own).model.fixed.locations).toHaveLength(usualLocations.length + 1)
})

test("a Secret of another namespace is used where the ConfigMap allows it", () => {
  const own = ingress("other/own", "shop.test/ → cart:80", asking)
  expect(isClosed(pass(own, ca).model.live, "shop.test")).toBe(true)
  const allowing = { ...settings, allowsCrossNamespaceResources: true }
  const { live } = translate(snapshot(own, ca), allowing, options).model
  expect(askedOf(live)).toHaveLength(1)
})

test("a newer version that cannot be used changes nothing but says so", () => {
  const own = ingress("shop/own", "shop.test/ → cart:80", asking)
  const state = { ...ca.state, stale: { reason: "it is bad" } }
  const { model, problems } = pass(own, { ...ca, state } as typeof ca)
  expect(askedOf(model.live)).toHaveLength(1)
  expect(aboutClients(problems)).toMatchObject([{ code: "secret-stale" }])
})

test("a Secret without authority asks nobody, and says so loudly", () => {
  const own = ingress("shop/own", "shop.test/ → cart:80", asking)
  const { model, problems } = pass(own, tlsSecret("shop/ca", { names: ["shop.test"] }))
  expect(askedOf(model.live)).toEqual([])
  expect(isClosed(model.live, "shop.test")).toBe(false)
  const message = expect.stringMatching(/"ca.crt" is missing; everybody is let in$/)
  expect(aboutClients(problems)).toMatchObject([{ code: "no-client-authority", message }])
})

test("where connections are passed through nobody is asked, with a Problem", () => {
  const both = { ...asking, "ssl-passthrough": "true" }
  const objects = [ingress("shop/own", "shop.test/ → cart:80", both), ca, service("shop/cart", "80")]
  const passing = { ...options, passesTls: true }
  const { problems } = translate(snapshot(...objects), settings, passing)
  expect(problems.map(({ code }) => code)).toContain("clients-not-asked")
})

test("Ingresses that only have a default backend ask for all hosts that nobody mentions", () => {
  const { live } = pass(ingress("shop/own", "* → cart:80", asking), ca).model
  expect(askedOf(live)).toMatchObject([{ host: "_" }])
})
