// What is served while wick changes: a Service with one pod, behind an Ingress of a namespace in which wick may work.
import type { Backends } from "../../support/backends.ts"
import type { Question } from "../../support/http.ts"
import { ingress, service } from "../../support/manifests.ts"
import type { ApiServer } from "./api-server.ts"
import { podPort, sliceOf, startPods } from "./pods.ts"
import { grant } from "./rights.ts"

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
    const web = `${namespace}/web`
    const pods = await startPods("web")
    await grant(server, namespace)
    await server.admin.apply(
      service(web, podPort),
      sliceOf(web, pods),
      ingress(web, `${namespace}.test/ → web:${podPort}`),
    )
    return new Shop(namespace, pods)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pods.stop()
  }
}
