import { type Node, zoneLabel } from "../../model/objects/node.ts"
import type { Pod } from "../../model/objects/pod.ts"
import { SharedMap } from "../../support/incremental/shared-map.ts"

/** The Pods and Nodes, and in which zone they put this controller. */
export class Zone {
  readonly #pods = new SharedMap<Pod>()
  readonly #nodes = new SharedMap<Node>()
  readonly #own: string | undefined
  readonly pods = this.#shelf(this.#pods)
  readonly nodes = this.#shelf(this.#nodes)

  /** @param own the Pod that this controller is, `namespace/name`; undefined where zones make no difference */
  constructor(own: string | undefined) {
    this.#own = own
  }

  name(): string | undefined {
    const pod = this.#own === undefined ? undefined : this.#pods.get(this.#own)
    return this.#nodes.get(pod?.nodeName ?? "")?.meta.labels[zoneLabel]
  }

  #shelf<V>(map: SharedMap<V>) {
    return {
      get: (name: string) => map.get(name),
      /** @returns whether the zone is another one now */
      put: (name: string, value: V | undefined) => {
        const before = this.name()
        map.put(name, value)
        return this.name() !== before
      },
      view: () => map.view(),
    }
  }
}
