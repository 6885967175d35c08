import type { Node } from "../objects/node.ts"
import { qualifiedName } from "../objects/object.ts"
import type { Pod } from "../objects/pod.ts"

/** The Pod that this controller is, the Nodes, and in which zone that puts it. */
export class Zone {
  #pod: Pod | undefined
  readonly #nodes = new Map<string, Node>()
  readonly pods = {
    get: (name: string) => (this.#pod && qualifiedName(this.#pod.meta) === name ? this.#pod : undefined),
    /** @returns whether the zone is another one now */
    put: (_name: string, pod: Pod | undefined) =>
      this.#isMoved(() => {
        this.#pod = pod
      }),
  }
  readonly nodes = {
    get: (name: string) => this.#nodes.get(name),
    put: (name: string, node: Node | undefined) =>
      this.#isMoved(() => {
        if (node === undefined) this.#nodes.delete(name)
        else this.#nodes.set(name, node)
      }),
  }

  /** Source: Kubernetes, "Well-Known Labels". */
  name(): string | undefined {
    return this.#nodes.get(this.#pod?.nodeName ?? "")?.meta.labels["topology.kubernetes.io/zone"]
  }

  #isMoved(change: () => void): boolean {
    const before = this.name()
    change()
    return this.name() !== before
  }
}
