// What is served while controllers change: a Service with one pod, behind an Ingress.
import type { Backends } from "../../../harness/backends.ts"
import type { ApiServer } from "../../../harness/cluster/api-server.ts"
import { podPort, sliceOf, startPods } from "../../../harness/cluster/pods.ts"
import type { Question } from "../../../harness/http.ts"
import { type Load, startLoad } from "../../../harness/load.ts"
import { ingress, type Json, service } from "../../../harness/manifests.ts"
import { startHttp2Load } from "../../support/http2-load.ts"

export class Shop implements AsyncDisposable {
  readonly namespace: string
  readonly #pods: Backends

  private constructor(namespace: string, pods: Backends) {
    this.namespace = namespace
    this.#pods = pods
  }

  /** Asks for it. */
  get question(): Question {
    return { host: `${this.namespace}.test` }
  }

  static async open(server: ApiServer): Promise<Shop> {
    const namespace = await server.namespace("shop")
    const pods = await startPods("web")
    const name = `${namespace}/web`
    await server.admin.apply(service(name, podPort), sliceOf(name, pods))
    const shop = new Shop(namespace, pods)
    await server.admin.apply(shop.ingress("nginx"))
    return shop
  }

  /** Leads its host to its pod. @param className of which class it is, and how it is told from those of others */
  ingress(className: string): Json {
    const object = ingress(this.ingressName(className), `${this.namespace}.test/ → web:${podPort}`)
    return { ...object, spec: { ...(object.spec as Json), ingressClassName: className } }
  }
  /** `namespace/name` */
  ingressName(className: string): string {
    return `${this.namespace}/web-${className}`
  }

  /** Requests of customers, over new and over kept connections. */
  customers(host: string): readonly Load[] {
    const target = { host, port: 80, connections: 4, pauseMs: 5, question: () => this.question }
    return [startLoad({ ...target, keepAlive: false }), startLoad(target)]
  }

  /** Those that come by HTTP/2 with TLS, over kept connections. */
  secureCustomers(host: string): Load {
    const { namespace, question } = this
    const target = { host, port: 443, servername: `${namespace}.test`, connections: 4, pauseMs: 5 }
    return startHttp2Load({ ...target, question: () => question })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pods.stop()
  }
}
