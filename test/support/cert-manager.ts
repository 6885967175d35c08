// cert-manager's part in HTTP-01, object by object as its versions 1.13 to 1.19 write them (pkg/issuer/acme/http).
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { keptMs } from "../../harness/http.ts"
import type { Json } from "../../harness/manifests.ts"

const challengePath = "/.well-known/acme-challenge"

export interface Challenge {
  readonly host: string
  /** base64url, as an ACME server chooses it */
  readonly token: string
  /** what the ACME server wants to read */
  readonly key: string
}

export type ClassBy = "ingressClassName" | "annotation"

/** Where the ACME server asks. */
export function pathOf({ token }: Challenge): string {
  return `${challengePath}/${token}`
}

/** The pod that answers a challenge. */
export class Solver implements AsyncDisposable {
  readonly challenge: Challenge
  readonly #server: Server

  private constructor(challenge: Challenge, server: Server) {
    this.challenge = challenge
    this.#server = server
  }

  static async start(challenge: Challenge): Promise<Solver> {
    const server = createServer({ keepAliveTimeout: keptMs }, ({ url, headers }, response) => {
      const isAsked = url === pathOf(challenge) && headers.host?.split(":")[0] === challenge.host
      response.writeHead(isAsked ? 200 : 404, { "Cache-Control": "no-cache, no-store, must-revalidate" })
      response.end(isAsked ? challenge.key : "404 page not found\n")
    })
    await once(server.listen(0, "127.0.0.1"), "listening")
    return new Solver(challenge, server)
  }

  /** The Service, and the slice that the control plane makes for it. */
  service(): Json[] {
    const { port } = this.#server.address() as AddressInfo
    const { metadata, serviceName } = this.#names()
    const spec = {
      type: "NodePort",
      ports: [{ name: "http", port: 8089, targetPort: 8089, nodePort: 32_089 }],
    }
    const labels = { "kubernetes.io/service-name": serviceName }
    return [
      {
        ...{ apiVersion: "v1", kind: "Service", spec },
        metadata: { ...metadata, name: serviceName, annotations: { "auth.istio.io/8089": "NONE" } },
      },
      {
        ...{ apiVersion: "discovery.k8s.io/v1", kind: "EndpointSlice", addressType: "IPv4" },
        metadata: { namespace: metadata.namespace, name: `${serviceName}-x7k2p`, labels },
        ports: [{ name: "http", port, protocol: "TCP" }],
        endpoints: [{ addresses: ["127.0.0.1"], conditions: { ready: true } }],
      },
    ]
  }

  /** The Ingress of its own that a challenge usually gets. */
  ingress(classBy: ClassBy = "ingressClassName"): Json {
    const { host } = this.challenge
    const { metadata } = this.#names()
    const annotations = {
      "nginx.ingress.kubernetes.io/whitelist-source-range": "0.0.0.0/0,::/0",
      ...(classBy === "annotation" && { "kubernetes.io/ingress.class": "nginx" }),
    }
    const rules = [{ host, http: { paths: [this.path()] } }]
    const spec = { ...(classBy === "ingressClassName" && { ingressClassName: "nginx" }), rules }
    return {
      ...{ apiVersion: "networking.k8s.io/v1", kind: "Ingress", spec },
      metadata: { ...metadata, name: `cm-acme-http-solver-${this.#suffix()}`, annotations },
    }
  }

  /** What goes into an Ingress that is there already (`acme.cert-manager.io/http01-edit-in-place`). */
  path(): Json {
    const { serviceName } = this.#names()
    const backend = { service: { name: serviceName, port: { number: 8089 } } }
    return { path: pathOf(this.challenge), pathType: "ImplementationSpecific", backend }
  }

  #names() {
    const labels = {
      "acme.cert-manager.io/http-domain": "1078285347",
      "acme.cert-manager.io/http-token": "947362811",
      "acme.cert-manager.io/http01-solver": "true",
    }
    const ownerReferences = [
      { apiVersion: "acme.cert-manager.io/v1", kind: "Challenge", name: "shop-tls-1-2", uid: "1" },
    ]
    const metadata = { namespace: "demo", labels, ownerReferences }
    return { metadata, serviceName: `cm-acme-http-solver-${this.#suffix()}s` }
  }

  /** generateName appends five characters. */
  #suffix(): string {
    return this.challenge.token.slice(0, 4).toLowerCase()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await this.#server[Symbol.asyncDispose]()
  }
}
