/**
 * In zones without room nobody gets what the new state refuses, whatever the old and the new one are: the controller and the release filter,
 * over zones of a few bytes. What is served is read off the records, as nginx would.
 */
import fc from "fast-check"
import { expect, test } from "vitest"
import { liveChange } from "../../controller/core/plan/change.ts"
import type { AddressList, UserList } from "../../controller/model/access.ts"
import type { Backend } from "../../controller/model/backend.ts"
import type { Authority, TlsHost } from "../../controller/model/certificate.ts"
import { emptyLive, type Live } from "../../controller/model/model.ts"
import type { Host, Route } from "../../controller/model/route.ts"
import { SecretText } from "../../controller/model/secret-file.ts"
import type { Stream } from "../../controller/model/stream.ts"
import type { ControlClient } from "../../controller/output/control/client.ts"
import { Control } from "../../controller/output/control/control.ts"
import type { PostedBackend, PostedHost, PostedRoute } from "../../controller/output/control/posted.ts"
import { hostFields } from "../../controller/output/control/wire-route.ts"
import { compareText } from "../../controller/support/order.ts"
import { runs } from "../support/runs.ts"
import { Worker } from "./host.ts"
import { Zones } from "./zones.ts"

const clients = [1, 2, 3]
const users = ["ada", "bob"] as const
const passwords = ["old", "new"]
const paths = ["/", "/a", "/a/b"]
const names = ["a.test", "b.test", "*.test"]
const requested = ["a.test", "b.test", "c.test", "alias.test"]

interface Place {
  readonly path: string
  readonly match: "exact" | "prefix"
}
const places: readonly Place[] = paths.flatMap((path) => [
  { path, match: "prefix" },
  { path, match: "exact" },
])

const subset = <T>(all: readonly T[]) => fc.subarray([...all])
const listOf = fc.option(subset(clients).filter((some) => some.length > 0))
const usersOf = fc.option(
  fc
    .record({ ada: fc.option(fc.constantFrom(...passwords)), bob: fc.option(fc.constantFrom(...passwords)) })
    .filter(({ ada, bob }) => ada !== null || bob !== null),
)
const routeOf = fc.record({
  backend: fc.constantFrom("one", "two"),
  allow: listOf,
  users: usersOf,
  status: fc.option(fc.constantFrom(403, 503), { freq: 8 }),
  rewrite: fc.option(fc.constant("/longer/than/it/was"), { freq: 5 }),
})
type Sketch = typeof routeOf extends fc.Arbitrary<infer T> ? T : never
const hostOf = fc.record({
  routes: fc.array(fc.tuple(fc.nat(places.length - 1), routeOf), { minLength: 1, maxLength: 4 }),
  authority: fc.option(fc.constantFrom("ca-one", "ca-two"), { freq: 6 }),
})
const stateOf = fc.record({
  hosts: fc.dictionary(fc.constantFrom(...names), hostOf, { maxKeys: 3 }),
  alias: fc.option(fc.constantFrom("a.test", "b.test")),
  backends: fc.record({ one: subset([1, 2, 3, 4]), two: subset([5, 6, 7, 8]) }),
  passthrough: fc.option(fc.constantFrom("one", "two", "b".repeat(200))),
  stream: fc.option(fc.record({ backend: fc.constantFrom("one", "two"), allow: listOf })),
})
type State = typeof stateOf extends fc.Arbitrary<infer T> ? T : never

const nameOf = (parts: readonly unknown[]) =>
  Buffer.from(JSON.stringify(parts)).toString("base64url").slice(0, 60)

function liveOf(state: State): Live {
  const addressLists = new Map<string, AddressList>()
  const userLists = new Map<string, UserList>()
  const namedList = (allow: readonly number[]) => {
    const id = nameOf(["a", ...allow])
    addressLists.set(id, { id, ranges: allow.map((n) => `10.0.0.${n}/32`) })
    return id
  }
  const routeFrom = ([at, route]: readonly [number, Sketch]): Route => {
    const { backend, allow, users: given, status, rewrite } = route
    const access: { allow?: string; basic?: { users: string; realm: string } } = {}
    if (allow !== null) access.allow = namedList(allow)
    if (given !== null) {
      const all = users.flatMap((name) => (given[name] === null ? [] : [{ name, hash: given[name] }]))
      access.basic = { users: nameOf(["u", ...all.map(({ name, hash }) => name[0] + hash)]), realm: "r" }
      const list = all.map(({ name, hash }) => ({ name, hash: new SecretText(`{PLAIN}${hash}`) }))
      userLists.set(access.basic.users, { id: access.basic.users, users: list })
    }
    return {
      ...(places[at] as Place),
      location: "location-1",
      backend,
      namespace: "n",
      ingressName: "i",
      serviceName: backend,
      servicePort: "80",
      locationPath: "/",
      ...(status !== null && { status }),
      ...(rewrite !== null && { rewrite }),
      ...(Object.keys(access).length > 0 && { access }),
      overrides: {},
    }
  }
  const hosts: Host[] = Object.entries(state.hosts).map(([host, { routes, authority }]) => {
    const byPlace = new Map(routes.map((route) => [route[0], routeFrom(route)]))
    const asked = { namespace: "n", ingressName: "i", authority: authority ?? "", verify: "on" } as const
    return {
      server: "main",
      host,
      routes: [...byPlace.values()],
      ...(authority !== null && { clientCertificate: asked }),
    }
  })
  const streams: Stream[] = [state.stream ?? []].flat().map(({ backend, allow }) => ({
    name: "tcp:1",
    backend,
    ...(allow !== null && { allow: namedList(allow) }),
  }))
  const of = hosts.find(({ host }) => host === state.alias)
  if (of) {
    const { clientCertificate } = of
    hosts.push({
      server: "main",
      host: "alias.test",
      routes: [],
      aliasOf: of.host,
      ...(clientCertificate && { clientCertificate }),
    })
  }
  const tlsHosts: TlsHost[] = hosts.map(({ host, clientCertificate: asked }) => ({
    host,
    certificates: [],
    ...(asked && { clientCertificate: { authority: asked.authority, verify: "on", depth: 1 } as const }),
  }))
  const backends: Backend[] = Object.entries(state.backends).map(([name, ends]) => ({
    name,
    loadBalance: "round_robin",
    endpoints: ends.map((n) => ({ address: `10.1.0.${n}`, port: 80 })),
  }))
  const authorities: Authority[] = [
    ...new Set(tlsHosts.flatMap(({ clientCertificate: asked }) => asked?.authority ?? [])),
  ].map((id) => ({ id, certificates: ["MAMCAQE="], crls: [] }))
  const by = <T>(list: readonly T[], key: (thing: T) => string) =>
    list.toSorted((a, b) => compareText(key(a), key(b)))
  return {
    ...emptyLive,
    hosts: by(hosts, ({ host }) => host),
    tlsHosts: by(tlsHosts, ({ host }) => host),
    backends: by(backends, ({ name }) => name),
    authorities: by(authorities, ({ id }) => id),
    addressLists: by([...addressLists.values()], ({ id }) => id),
    userLists: by([...userLists.values()], ({ id }) => id),
    streams,
    passthroughs: state.passthrough ? [{ host: "db.test", owner: "n", backend: state.passthrough }] : [],
  }
}

interface Asked {
  readonly host: string
  readonly path: string
  readonly client: number
  readonly user: string
  readonly password: string
  readonly authority: string
}

/** What is served by records: as shown by the filter, or as posted by the model. */
interface Records {
  host(name: string): PostedHost | undefined
  backend(name: string): readonly string[] | undefined
  ranges(id: string): readonly string[] | undefined
  users(id: string): UserList | undefined
}

/** The endpoints that a request may reach; undefined: it is refused. */
function served(
  records: Records,
  asked: Asked,
): { backend: string; endpoints: readonly string[] } | undefined {
  const wildcard = `*${asked.host.slice(asked.host.indexOf("."))}`
  const found = records.host(asked.host) ?? records.host(wildcard)
  const host = found?.alias_of === undefined ? found : records.host(found.alias_of)
  if (!host || !found || found.closed || host.closed || host.alias_of !== undefined) return undefined
  const certificate = found.client_certificate
  if (certificate && certificate.authority !== asked.authority) return undefined
  const isThere = ({ access }: PostedRoute) =>
    (access?.allow === undefined || records.ranges(access.allow)) &&
    (access?.basic === undefined || records.users(access.basic.users))
  if (!host.routes.every(isThere)) return undefined
  const route =
    host.routes.find(({ match, path }) => match === "exact" && path === asked.path) ??
    host.routes
      .filter(
        ({ match, path }) =>
          match === "prefix" && `${asked.path}/`.startsWith(path === "/" ? "/" : `${path}/`),
      )
      .toSorted((a, b) => b.path.length - a.path.length)[0]
  if (!route || route.status !== undefined) return undefined
  const { allow, basic } = route.access ?? {}
  if (allow && !records.ranges(allow)?.includes(`10.0.0.${asked.client}/32`)) return undefined
  const isKnown = ({ name, hash }: UserList["users"][number]) =>
    name === asked.user && hash.reveal() === `{PLAIN}${asked.password}`
  if (basic && !records.users(basic.users)?.users.some(isKnown)) return undefined
  return { backend: route.backend, endpoints: records.backend(route.backend) ?? [] }
}

function recordsOf(live: Live): Records {
  return {
    host: (name) => {
      const host = live.hosts.find((one) => one.host === name)
      return host && hostFields(host)
    },
    backend: (name) =>
      live.backends
        .find((one) => one.name === name)
        ?.endpoints.map(({ address, port }) => `${address} ${port}`),
    ranges: (id) => live.addressLists.find((list) => list.id === id)?.ranges,
    users: (id) => live.userLists.find((list) => list.id === id),
  }
}

/** @param known lists of users by their ids: passwords are not shown */
function recordsIn(worker: Worker, known: readonly UserList[]): Records {
  const asked = new Map<string, unknown>()
  const one = <T>(path: string): T | undefined => {
    if (!asked.has(path)) asked.set(path, JSON.parse(worker.get(`/configuration/${path}`).body)[0])
    return asked.get(path) as T | undefined
  }
  return {
    host: (name) => one<PostedHost>(`routes?host=${encodeURIComponent(name)}`),
    backend: (name) =>
      one<PostedBackend>(`backends?name=${name}`)?.endpoints?.map(
        ({ address, port }) => `${address} ${port}`,
      ),
    ranges: (id) => one<AddressList>(`address_lists?id=${id}`)?.ranges,
    users: (id) => (one(`user_lists?id=${id}`) ? known.find((list) => list.id === id) : undefined),
  }
}

const everything: readonly Asked[] = requested.flatMap((host) =>
  [...paths, "/a/b/c"].flatMap((path) =>
    clients.flatMap((client) =>
      users.flatMap((user) =>
        passwords.flatMap((password) =>
          ["ca-one", "ca-two"].map((authority) => ({ host, path, client, user, password, authority })),
        ),
      ),
    ),
  ),
)

function controlOf(worker: Worker): Control {
  const client = {
    get: async (path: string) => worker.get(path),
    post: async (path: string, body: string) => worker.post(path, body),
  }
  return new Control({ client: client as unknown as ControlClient, events: { posted: () => {} } })
}

const zoneNames = ["backends", "routes", "certificates", "passthroughs"]

/** @param slack bytes beyond what is used; @param knows whether the controller knows what is in force */
async function tryOut(before: State, after: State, slack: readonly number[], knows: boolean): Promise<void> {
  const worker = new Worker({ zones: new Zones() })
  const [running, wanted] = [liveOf(before), liveOf(after)]
  const first = controlOf(worker)
  await first.apply(emptyLive, running, liveChange(emptyLive, running))
  for (const [at, name] of zoneNames.entries())
    worker.zones.limit(name, worker.zones.usedBytes(name) + (slack[at] ?? 0), slack[4])
  const control = knows ? first : controlOf(worker)
  const known = knows ? running : emptyLive
  const { inForce } = await control.apply(known, wanted, liveChange(known, wanted))
  const now = recordsIn(worker, [...running.userLists, ...wanted.userLists])
  const then = recordsOf(wanted)
  for (const asked of everything) {
    const got = served(now, asked)
    if (got === undefined || got.endpoints.length === 0) continue
    expect(served(then, asked), `${JSON.stringify(asked)} gets ${JSON.stringify(got)}`).toBeDefined()
    for (const endpoint of got.endpoints)
      expect(then.backend(got.backend), JSON.stringify(asked)).toContain(endpoint)
  }
  const [passed] = JSON.parse(worker.get("/configuration/passthroughs").body)
  if (passed !== undefined) expect(passed.backend).toBe(wanted.passthroughs[0]?.backend)
  const [stream] = JSON.parse(worker.get("/configuration/streams").body)
  if (stream !== undefined) {
    const { backend, allow } = wanted.streams[0] ?? {}
    expect({ backend: stream.backend, allow: stream.allow }).toEqual({ backend, allow })
    if (allow !== undefined) expect(now.ranges(allow)).toEqual(then.ranges(allow))
  }
  // As soon as there is room, everything is as it should be.
  for (const name of zoneNames) worker.zones.limit(name, 1 << 24)
  const settled = await control.apply(inForce, wanted, liveChange(inForce, wanted))
  expect(settled.refusals).toEqual([])
  const fresh = new Worker({ zones: new Zones() })
  await controlOf(fresh).apply(emptyLive, wanted, liveChange(emptyLive, wanted))
  const contents = (one: Worker) =>
    [...one.zones.all()]
      .filter(([key]) => !key.startsWith("backends/"))
      .map(([key, value]) => [key, Buffer.from(value).toString("hex")])
      .toSorted()
  expect(contents(worker)).toEqual(contents(fresh))
}

const slackOf = fc.array(fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(160)), {
  minLength: 5,
  maxLength: 5,
})

test.each([true, false])("nobody gets what the new state refuses; known: %s", {
  timeout: 600_000,
}, async (knows) => {
  await fc.assert(
    fc.asyncProperty(stateOf, stateOf, slackOf, (before, after, slack) =>
      tryOut(before, after, slack, knows),
    ),
    runs(50),
  )
})
