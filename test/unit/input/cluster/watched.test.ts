import { describe, expect, test } from "vitest"
import { parseFlags } from "../../../../controller/core/options/flags.ts"
import { type Reader, type Watched, watchedFor } from "../../../../controller/input/cluster/watched.ts"

const pod: Reader["pod"] = {
  namespace: "ingress",
  name: "wick-0",
  labels: { app: "wick", tier: "edge", "pod-template-hash": "5f7", "controller-revision-hash": "9" },
}

/** What is watched with these flags: `path?selectors` by its title. */
function watched(args: readonly string[], { readsClasses = true, labels = pod.labels } = {}) {
  const command = parseFlags(["--gateway-api=false", ...args])
  if (command.kind !== "run") throw new Error(JSON.stringify(command))
  return watchedFor(command.options, { readsClasses, pod: { ...pod, labels } })
}

function shown({ resource: { title, path, selectors } }: Watched): string {
  const texts = Object.entries(selectors ?? {}).map(([name, value]) => `${name}=${value}`)
  return `${title}: ${[path, ...texts].join(" ")}`
}

const quiet = ["--update-status=false"]
const lines = (...args: Parameters<typeof watched>) => watched(...args).map(shown)

describe("what is watched", () => {
  test("everything that is served, in all namespaces, without what Helm keeps and slices of no Service", () => {
    expect(lines(quiet)).toEqual([
      "Ingresses: /apis/networking.k8s.io/v1/ingresses",
      "IngressClasses: /apis/networking.k8s.io/v1/ingressclasses",
      "Services: /api/v1/services",
      "EndpointSlices: /apis/discovery.k8s.io/v1/endpointslices labelSelector=kubernetes.io/service-name",
      "Secrets: /api/v1/secrets fieldSelector=type!=helm.sh/release.v1",
      "ConfigMaps: /api/v1/configmaps labelSelector=OWNER!=TILLER",
    ])
  })

  test("IngressClasses only where they may be listed", () => {
    expect(lines(quiet, { readsClasses: false }).join()).not.toContain("ingressclasses")
  })

  test("Namespaces with the labels that --watch-namespace-selector asks for", () => {
    expect(lines(["--watch-namespace-selector=foo in (bar)", ...quiet])[2]).toBe(
      "Namespaces: /api/v1/namespaces labelSelector=foo in (bar)",
    )
  })

  test("of Secrets and ConfigMaps nothing but metadata", () => {
    const accepted = watched(quiet).filter(({ resource }) => resource.accept)
    expect(accepted.map(({ kind, resource }) => [kind, resource.accept?.list])).toEqual([
      ["Secret", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"],
      ["ConfigMap", "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"],
    ])
  })
})

describe("with the Gateway API", () => {
  const gateways = (...args: readonly string[]) =>
    watched(["--gateway-api", ...quiet, ...args]).filter(({ offeredWith }) => offeredWith !== undefined)

  test("all its kinds, each while it is there, namespaces for their labels, and replicas, to which Services lead", () => {
    expect(gateways().map((it) => `${it.offeredWith} ${shown(it)}`)).toEqual([
      "GatewayClass GatewayClasses: /apis/gateway.networking.k8s.io/v1/gatewayclasses",
      "Gateway Gateways: /apis/gateway.networking.k8s.io/v1/gateways",
      "ListenerSet ListenerSets: /apis/gateway.networking.k8s.io/v1/listenersets",
      "HTTPRoute HTTPRoutes: /apis/gateway.networking.k8s.io/v1/httproutes",
      "GRPCRoute GRPCRoutes: /apis/gateway.networking.k8s.io/v1/grpcroutes",
      "TLSRoute TLSRoutes: /apis/gateway.networking.k8s.io/v1/tlsroutes",
      "TCPRoute TCPRoutes: /apis/gateway.networking.k8s.io/v1/tcproutes",
      "UDPRoute UDPRoutes: /apis/gateway.networking.k8s.io/v1/udproutes",
      "BackendTLSPolicy BackendTLSPolicies: /apis/gateway.networking.k8s.io/v1/backendtlspolicies",
      "ReferenceGrant ReferenceGrants: /apis/gateway.networking.k8s.io/v1/referencegrants",
      "Gateway Namespaces: /api/v1/namespaces",
      "Gateway Pods: /api/v1/namespaces/ingress/pods labelSelector=app=wick,tier=edge",
    ])
  })

  test("those of the namespace of --watch-namespace, without other namespaces", () => {
    const paths = gateways("--watch-namespace=shop").map(({ resource }) => resource.path)
    expect(paths[0]).toBe("/apis/gateway.networking.k8s.io/v1/gatewayclasses")
    expect(paths[1]).toBe("/apis/gateway.networking.k8s.io/v1/namespaces/shop/gateways")
    expect(paths.join()).not.toContain("/api/v1/namespaces,")
  })

  test("namespaces are watched once", () => {
    const all = lines(["--gateway-api", "--watch-namespace-selector=a", ...quiet])
    expect(all.filter((line) => line.startsWith("Namespaces"))).toEqual([
      "Namespaces: /api/v1/namespaces labelSelector=a",
    ])
  })
})

describe("with --watch-namespace", () => {
  const paths = (...args: readonly string[]) => lines(["--watch-namespace=shop", ...quiet, ...args])

  test("only that namespace", () => {
    expect(paths()).toEqual([
      "Ingresses: /apis/networking.k8s.io/v1/namespaces/shop/ingresses",
      "IngressClasses: /apis/networking.k8s.io/v1/ingressclasses",
      "Services: /api/v1/namespaces/shop/services",
      "EndpointSlices: /apis/discovery.k8s.io/v1/namespaces/shop/endpointslices labelSelector=kubernetes.io/service-name",
      "Secrets: /api/v1/namespaces/shop/secrets fieldSelector=type!=helm.sh/release.v1",
      "ConfigMaps: /api/v1/namespaces/shop/configmaps labelSelector=OWNER!=TILLER",
    ])
  })

  test("and what flags name elsewhere, each by its name", () => {
    const elsewhere = paths(
      "--configmap=ingress/settings",
      "--default-ssl-certificate=certs/tls",
      "--default-backend-service=ingress/default",
      "--publish-service=ingress/wick",
    ).slice(6)
    expect(elsewhere).toEqual([
      'ConfigMap "ingress/settings": /api/v1/namespaces/ingress/configmaps labelSelector=OWNER!=TILLER fieldSelector=metadata.name=settings',
      'Secret "certs/tls": /api/v1/namespaces/certs/secrets fieldSelector=type!=helm.sh/release.v1,metadata.name=tls',
      'Service "ingress/default": /api/v1/namespaces/ingress/services fieldSelector=metadata.name=default',
      'Service "ingress/wick": /api/v1/namespaces/ingress/services fieldSelector=metadata.name=wick',
      'EndpointSlices of Service "ingress/default": /apis/discovery.k8s.io/v1/namespaces/ingress/endpointslices labelSelector=kubernetes.io/service-name,kubernetes.io/service-name=default',
    ])
  })

  test("one Service that two flags name is watched once; what lies in the namespace is watched with everything there", () => {
    const both = ["--default-backend-service=ingress/wick", "--publish-service=ingress/wick"]
    expect(paths(...both).slice(6)).toHaveLength(2)
    const services = ["--tcp-services-configmap=ingress/tcp", "--udp-services-configmap=ingress/tcp"]
    expect(paths(...services).slice(6)).toEqual([
      'ConfigMap "ingress/tcp": /api/v1/namespaces/ingress/configmaps labelSelector=OWNER!=TILLER fieldSelector=metadata.name=tcp',
    ])
    expect(paths("--configmap=shop/settings", "--default-backend-service=shop/default")).toHaveLength(6)
  })
})

describe("Pods and Nodes", () => {
  const places = (args: readonly string[], options?: Parameters<typeof watched>[1]) =>
    lines(args, options).slice(6)
  const replicas = "Pods: /api/v1/namespaces/ingress/pods labelSelector=app=wick,tier=edge"

  test("both, when the addresses of nodes are published", () => {
    expect(places([])).toEqual([replicas, "Nodes: /api/v1/nodes"])
  })

  test("the replicas alone, when the last of them clears the status", () => {
    expect(places(["--publish-status-address=192.0.2.1"])).toEqual([replicas])
    expect(places(["--publish-service=ingress/wick"])).toEqual([replicas])
    expect(places(["--publish-service=ingress/wick", "--update-status-on-shutdown=false"])).toEqual([])
    expect(places(["--disable-leader-election"])).toEqual([])
  })

  test("the own Pod and the Nodes, when zones make a difference", () => {
    expect(places([...quiet, "--enable-topology-aware-routing"])).toEqual([
      "Pods: /api/v1/namespaces/ingress/pods fieldSelector=metadata.name=wick-0",
      "Nodes: /api/v1/nodes",
    ])
  })

  test("a Pod without labels has no replicas", () => {
    expect(places([], { labels: {} })[0]).toBe(
      "Pods: /api/v1/namespaces/ingress/pods fieldSelector=metadata.name=wick-0",
    )
  })

  test("nobody waits for them", () => {
    expect(
      watched([])
        .filter(({ isRequired }) => !isRequired)
        .map(({ kind }) => kind),
    ).toEqual(["Pod", "Node"])
  })
})
