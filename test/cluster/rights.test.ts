// What deploy/static allows is what wick does: nothing is missing, nothing is left over, and what is taken away is told.
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Backends } from "../../harness/backends.ts"
import { tlsData } from "../../harness/certificates.ts"
import type { ApiServer } from "../../harness/cluster/api-server.ts"
import { type Asked, AuditedServer } from "../../harness/cluster/audit.ts"
import { podPort, sliceOf, startPods } from "../../harness/cluster/pods.ts"
import {
  grant,
  type Right,
  type RightsOptions,
  type Rule,
  refused,
  rightsIn,
  unused,
} from "../../harness/cluster/rights.ts"
import { startWickIn } from "../../harness/cluster/wick.ts"
import { ask } from "../../harness/http.ts"
import { ingress, ingressClass, secret, service, settings, withTls } from "../../harness/manifests.ts"
import { until } from "../../harness/until.ts"
import type { Wick, WickOptions } from "../../harness/wick.ts"

let audited: AuditedServer
let server: ApiServer
let pods: Backends
beforeAll(async () => {
  // Lists are for API servers that cannot send the present state through a watch.
  audited = await AuditedServer.start("--feature-gates=WatchList=false")
  server = audited.server
  pods = await startPods("web")
  await server.admin.apply(ingressClass)
})
afterAll(async () => {
  await pods.stop()
  await audited[Symbol.asyncDispose]()
})

const address = "203.0.113.7"
const publish = `--publish-status-address=${address}`

/** A namespace for wick with a ServiceAccount, and one with an Ingress, its host and its certificate. */
class Scene implements AsyncDisposable {
  readonly own: string
  readonly shop: string
  readonly user: string
  readonly #kubeconfig: string
  readonly #running: Wick[] = []
  #pods = 0

  private constructor(own: string, shop: string, account: { user: string; kubeconfig: string }) {
    this.own = own
    this.shop = shop
    this.user = account.user
    this.#kubeconfig = account.kubeconfig
  }

  static async open(prefix: string, rights: RightsOptions = {}): Promise<Scene> {
    const own = await server.namespace(`${prefix}-wick`)
    const shop = await server.namespace(`${prefix}-shop`)
    const scene = new Scene(own, shop, await grant(server, own, { watched: shop, ...rights }))
    const web = `${shop}/web`
    await server.admin.apply(service(web, podPort), sliceOf(web, pods), secret(`${shop}/tls`, tlsData))
    await scene.apply()
    return scene
  }

  get host(): string {
    return `${this.shop}.test`
  }

  /** The Ingress, as it is or with another annotation. */
  async apply(annotations: Readonly<Record<string, string>> = {}): Promise<void> {
    const web = ingress(`${this.shop}/web`, `${this.host}/ → web:${podPort}`, {
      "kubernetes.io/ingress.class": "nginx",
      "ssl-redirect": "false",
      ...annotations,
    })
    const { ingressClassName: _, ...spec } = web.spec as { ingressClassName: string }
    await server.admin.apply(withTls({ ...web, spec }, `${this.host}=tls`))
  }

  async start(options: WickOptions, ...flags: readonly string[]): Promise<Wick> {
    this.#pods += 1
    const pod = `${this.own}/wick-${this.#pods}`
    const kubeconfig = this.#kubeconfig
    const wick = await startWickIn(server, { pod, kubeconfig, flags, ...options })
    this.#running.push(wick)
    return wick
  }

  async serves(wick: Wick): Promise<void> {
    const asked = { host: this.host }
    await until("an answer of the pod", async () => (await wick.get("/", asked)).body === "web")
  }

  async hasStatus(): Promise<void> {
    await until("the status", async () => (await this.#addresses()).includes(address))
  }

  async hasEvent(reason: string, count = 1): Promise<void> {
    await until(`${count} Events ${reason}`, async () => {
      const events = [this.shop, this.own].map((namespace) => server.admin.list("Event", namespace))
      return (await Promise.all(events)).flat().some((one) => one.reason === reason && one.count >= count)
    })
  }

  asked(): Asked[] {
    return audited.asked(this.user)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.map((wick) => wick.stop()))
  }

  async #addresses(): Promise<string[]> {
    const found = await server.admin.get("Ingress", `${this.shop}/web`)
    return (found?.status.loadBalancer.ingress ?? []).map(({ ip }: { ip: string }) => ip)
  }
}

/** In the namespaces of a test, the ones of deploy/static are called otherwise. */
function movedTo({ own, shop }: Scene, right: Right): Right {
  const namespaces: Record<string, string> = { wick: own, shop }
  return { ...right, namespace: namespaces[right.namespace] ?? "" }
}

/** The chart gives the same for the Gateway API, and chart-rights.test.ts holds that against what is asked for. */
function isOfGateways({ group, resource, verb, names }: Right): boolean {
  if (group === "gateway.networking.k8s.io" || names.some((name) => name.endsWith("-gateway-ports")))
    return true
  const isMade = resource === "services" || resource === "endpointslices"
  return (
    (isMade && ["create", "update", "delete"].includes(verb)) ||
    (resource === "endpointslices" && verb === "get") ||
    (resource === "configmaps" && verb === "create")
  )
}

describe("rbac.yaml", () => {
  test("has every right that is used, and none that is not", async () => {
    await using scene = await Scene.open("least")
    await server.admin.apply(service(`${scene.shop}/public`))
    const leader = await scene.start({}, publish)
    await scene.serves(leader)
    await scene.hasStatus()
    await scene.hasEvent("Sync")
    await scene.apply({ "proxy-read-timeout": "7" })
    await scene.hasEvent("Sync", 2)
    await Promise.all([
      scene.start({}, "--watch-namespace-selector=shop=yes", `--default-backend-service=${scene.shop}/web`),
      scene.start({}, `--watch-namespace=${scene.shop}`, `--publish-service=${scene.shop}/public`),
    ])
    const rights = rightsIn("rbac.yaml")
      .filter((right) => !isOfGateways(right))
      .map((right) => movedTo(scene, right))
    await until("everything to be asked", () => unused(rights, scene.asked()).length === 0).catch(() => {})
    expect(unused(rights, scene.asked())).toEqual([])
    expect(refused(scene.asked())).toEqual([])
  })
})

/** `resource verb verb`, some of the rights of rbac.yaml, and what is said when they are missing. */
type Losses = Readonly<Record<string, string>>

interface Case {
  readonly losses: Losses
  readonly flags: (scene: Scene) => readonly string[]
  readonly before?: (scene: Scene) => Promise<void>
}

function without(losses: Losses): RightsOptions {
  const lost = Object.keys(losses).map((right) => right.split(" "))
  const isLost = (resource: string, verb: string) =>
    lost.some(([name, ...verbs]) => name === resource && verbs.includes(verb))
  return {
    change: (rules) =>
      rules
        .flatMap((rule) => rule.resources.map((resource) => ({ ...rule, resources: [resource] })))
        .map((rule) => ({
          ...rule,
          verbs: rule.verbs.filter((verb) => !rule.resources.some((resource) => isLost(resource, verb))),
        }))
        .filter(({ verbs }) => verbs.length > 0),
  }
}

/** In the words of the API server, as they are in a line of the log. */
function denied(verb: string, resource: string): string {
  return `cannot ${verb} resource \\"${resource}\\" in API group`
}

/** Somebody else's, good for two seconds more. */
async function makeLease({ own }: Scene): Promise<void> {
  await server.admin.apply({
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { namespace: own, name: "ingress-controller-leader" },
    spec: { holderIdentity: "gone", leaseDurationSeconds: 2, renewTime: "2026-01-01T00:00:00.000000Z" },
  })
}

const election = "--election-ttl=4s"

describe("rights that are missing are named, and the rest works:", () => {
  const cases: readonly Case[] = [
    {
      losses: {
        "ingressclasses list watch": "No right to list IngressClasses",
        "nodes list watch": denied("watch", "nodes"),
        "pods list watch": denied("watch", "pods"),
        "leases get": denied("get", "leases"),
      },
      flags: () => [election],
    },
    {
      losses: {
        "ingresses/status update": denied("update", "ingresses/status"),
        "events create": denied("create", "events"),
        "leases update": denied("update", "leases"),
      },
      flags: () => [election, publish],
    },
    {
      losses: {
        "ingresses get": denied("get", "ingresses"),
        "leases watch": denied("watch", "leases"),
      },
      flags: () => [election, publish],
      before: makeLease,
    },
    {
      losses: {
        "namespaces get": "No right to see whether the namespace exists",
        "leases create": denied("create", "leases"),
      },
      flags: ({ shop }) => [election, publish, `--watch-namespace=${shop}`],
    },
  ]
  test.each(cases.map((one) => [Object.keys(one.losses).join(", "), one] as const))("%s", async (_, {
    losses,
    flags,
    before,
  }) => {
    await using scene = await Scene.open("lost", without(losses))
    await before?.(scene)
    const wick = await scene.start({}, ...flags(scene))
    await scene.serves(wick)
    const unsaid = () => Object.values(losses).filter((words) => !wick.log().includes(words))
    await until("what is said", () => unsaid().length === 0).catch(() => {})
    expect(unsaid()).toEqual([])
  })
})

describe("without rights there is nothing to serve:", () => {
  test("kinds that may not be listed are named one by one", async () => {
    const kinds = ["ingresses", "services", "endpointslices", "secrets", "configmaps", "namespaces"]
    const losses = Object.fromEntries(kinds.map((kind) => [`${kind} list watch`, denied("watch", kind)]))
    await using scene = await Scene.open("none", without(losses))
    const isStarted = (log: string) => Object.values(losses).every((words) => log.includes(words))
    const wick = await scene.start({ isStarted }, "--watch-namespace-selector=shop=yes")
    expect((await ask({ port: wick.healthPort }, { path: "/healthz" })).status).toBe(500)
  })

  test.each([
    ["pods get", publish, "allow its service account to get Pods in its namespace"],
    ["services get", "--publish-service=default/kubernetes", denied("get", "services").replaceAll("\\", "")],
  ])("a start that needs %s ends", async (right, flag, words) => {
    await using scene = await Scene.open("end", without({ [right]: words }))
    await expect(scene.start({}, flag)).rejects.toThrow(words)
  })
})

/** What ingress-nginx's chart 4.13 grants. Others would have to be asked for. */
const chart = {
  everywhere: [
    rule("", "configmaps endpoints nodes pods secrets namespaces", "list watch"),
    rule("coordination.k8s.io", "leases", "list watch"),
    rule("", "nodes", "get"),
    rule("", "services", "get list watch"),
    rule("networking.k8s.io", "ingresses", "get list watch"),
    rule("", "events", "create patch"),
    rule("networking.k8s.io", "ingresses/status", "update"),
    rule("networking.k8s.io", "ingressclasses", "get list watch"),
    rule("discovery.k8s.io", "endpointslices", "list watch get"),
  ],
  own: [
    rule("", "namespaces", "get"),
    rule("", "configmaps pods secrets endpoints", "get list watch"),
    rule("", "services", "get list watch"),
    rule("networking.k8s.io", "ingresses", "get list watch"),
    rule("networking.k8s.io", "ingresses/status", "update"),
    rule("networking.k8s.io", "ingressclasses", "get list watch"),
    rule("coordination.k8s.io", "leases", "get update", "ingress-controller-leader"),
    rule("coordination.k8s.io", "leases", "create"),
    rule("", "events", "create patch"),
    rule("discovery.k8s.io", "endpointslices", "list watch get"),
  ],
}

function rule(group: string, resources: string, verbs: string, ...names: string[]): Rule {
  return {
    apiGroups: [group],
    resources: resources.split(" "),
    verbs: verbs.split(" "),
    ...(names.length > 0 && { resourceNames: names }),
  }
}

test("what ingress-nginx's chart grants is enough", async () => {
  const rights: RightsOptions = {
    change: (_, namespace) => (namespace === "" ? chart.everywhere : chart.own),
  }
  await using scene = await Scene.open("chart", rights)
  await makeLease(scene)
  const wick = await scene.start({}, publish, `--default-backend-service=${scene.shop}/web`)
  await scene.serves(wick)
  await scene.hasStatus()
  await scene.hasEvent("Sync")
  await scene.start({}, "--watch-namespace-selector=shop=yes", `--publish-service=${scene.shop}/web`)
  expect(refused(scene.asked())).toEqual([])
})

test("rbac-namespaced.yaml is enough for --watch-namespace, and nothing in it is left over", async () => {
  await using scene = await Scene.open("few", { file: "rbac-namespaced.yaml" })
  const { own, shop } = scene
  await server.admin.apply(
    { ...service(`${own}/wick`), spec: { type: "ClusterIP", ports: [{ port: 80 }], externalIPs: [address] } },
    settings(`${own}/wick`, { "use-gzip": "true" }),
    secret(`${own}/default-tls`, tlsData),
  )
  const flags = [
    `--watch-namespace=${shop}`,
    `--configmap=${own}/wick`,
    `--default-ssl-certificate=${own}/default-tls`,
  ]
  const leader = await scene.start({}, ...flags, publish)
  await scene.serves(leader)
  await scene.hasStatus()
  await scene.hasEvent("Sync")
  await scene.apply({ "proxy-read-timeout": "7" })
  await scene.hasEvent("Sync", 2)
  await server.admin.apply(settings(`${own}/wick`, { "use-gzip": "false" }))
  await scene.hasEvent("UPDATE")
  await server.admin.apply(settings(`${own}/wick`, { "use-gzip": "true" }))
  await scene.hasEvent("UPDATE", 2)
  await scene.start({}, ...flags, `--publish-service=${own}/wick`)
  const rights = rightsIn("rbac-namespaced.yaml").map((right) => movedTo(scene, right))
  await until("everything to be asked", () => unused(rights, scene.asked()).length === 0).catch(() => {})
  expect(unused(rights, scene.asked())).toEqual([])
  const optional = ({ resource, verb }: Asked) =>
    resource === "ingressclasses" || (resource === "namespaces" && verb === "get")
  expect(refused(scene.asked()).filter((asked) => !optional(asked))).toEqual([])
})
