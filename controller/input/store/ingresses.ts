import { isDeepStrictEqual } from "node:util"
import type { Ingress } from "../../model/objects/ingress.ts"
import type { IngressClass } from "../../model/objects/ingress-class.ts"
import { type LabelSelector, selects } from "../../model/objects/label-selector.ts"
import type { Namespace } from "../../model/objects/namespace.ts"
import { type GatewayRoute, qualifiedName } from "../../model/objects/object.ts"
import type { Problem } from "../../model/problem.ts"
import { Multimap } from "../../support/incremental/multimap.ts"
import { compareText } from "../../support/order.ts"
import { type Belonging, belonging, type ClassOptions } from "./class.ts"
import { type References, type ReferencesOf, referencedBy } from "./references.ts"

export interface IngressesOptions extends ClassOptions {
  /** false where IngressClasses may not be listed: then spec.ingressClassName is not looked at */
  readonly readsClasses: boolean
  /** Ingresses are ours only in namespaces with such labels; undefined: in all */
  readonly watchNamespaceSelector: LabelSelector | undefined
  /** Ingresses that no controller can take are Problems: with `--manifests`, where nobody else reads them */
  readonly reportsUnassigned: boolean
  /** hears of each Ingress of ours that comes, changes or goes: what it was and what it is */
  readonly oursChanged?: (before: Ingress | undefined, after: Ingress | undefined) => void
  /** what the annotations of an Ingress name */
  readonly referencesOf: ReferencesOf<Ingress | GatewayRoute>
}

interface Entry {
  readonly ingress: Ingress
  readonly belonging: Belonging
}

/**
 * Every Ingress, IngressClass and Namespace, and which Ingresses are ours. A class that comes, goes or changes its controller, and a Namespace
 * that comes, goes or changes its labels, take effect at once on the Ingresses that name it.
 */
export class Ingresses {
  readonly classes = {
    get: (name: string) => this.#classes.get(name),
    /** @returns as `put` of an Ingress */
    put: (name: string, ingressClass: IngressClass | undefined) => this.#putClass(name, ingressClass),
  }
  readonly namespaces = {
    get: (name: string) => this.#namespaces.get(name),
    /** @returns as `put` of an Ingress */
    put: (name: string, namespace: Namespace | undefined) => this.#putNamespace(name, namespace),
  }
  readonly #options: IngressesOptions
  readonly #references: References
  readonly #classes = new Map<string, IngressClass>()
  readonly #namespaces = new Map<string, Namespace>()
  readonly #entries = new Map<string, Entry>()
  readonly #ofClass = new Multimap<string>()
  readonly #ofNamespace = new Multimap<string>()
  #ours: readonly Ingress[] | undefined
  #unassigned: readonly Problem[] | undefined

  /** @param references is told what our Ingresses reference */
  constructor(options: IngressesOptions, references: References) {
    this.#options = options
    this.#references = references
  }

  /** Ours; the same list while none of them changes. */
  ours(): readonly Ingress[] {
    this.#ours ??= [...this.#entries.values()].filter(isOurs).map((entry) => entry.ingress)
    return this.#ours
  }

  /** Whether an Ingress would be ours if it were there. */
  wouldBeOurs(ingress: Ingress): boolean {
    return this.#belonging(ingress).kind === "ours"
  }

  get(key: string): Ingress | undefined {
    return this.#entries.get(key)?.ingress
  }

  /** Replaces or removes an Ingress. @returns whether what we serve or complain about is touched */
  put(key: string, ingress: Ingress | undefined): boolean {
    const before = this.get(key)
    this.#ofClass.move(key, before?.className, ingress?.className)
    this.#ofNamespace.move(key, before?.meta.namespace, ingress?.meta.namespace)
    return this.#replace(key, ingress && { ingress, belonging: this.#belonging(ingress) })
  }

  /** One Problem for each Ingress that no controller can take, in the order of their names; the same list while it does not change. */
  unassigned(): readonly Problem[] {
    if (!this.#options.reportsUnassigned) return []
    this.#unassigned ??= [...this.#entries]
      .sort(([a], [b]) => compareText(a, b))
      .flatMap(([, { ingress, belonging }]) =>
        belonging.kind === "unassigned" ? [unassignedProblem(ingress, belonging)] : [],
      )
    return this.#unassigned
  }

  #putClass(name: string, ingressClass: IngressClass | undefined): boolean {
    if (ingressClass) this.#classes.set(name, ingressClass)
    else this.#classes.delete(name)
    return this.#judgeAgain([...this.#ofClass.of(name)])
  }

  #putNamespace(name: string, namespace: Namespace | undefined): boolean {
    if (namespace) this.#namespaces.set(name, namespace)
    else this.#namespaces.delete(name)
    return this.#judgeAgain([...this.#ofNamespace.of(name)])
  }

  #judgeAgain(keys: readonly string[]): boolean {
    return keys.map((key) => this.put(key, this.get(key))).includes(true)
  }

  #belonging(ingress: Ingress): Belonging {
    const byClass = belonging(ingress, this.#options.readsClasses ? this.#classes : undefined, this.#options)
    return byClass.kind === "others" ? byClass : (this.#outOfScope(ingress) ?? byClass)
  }

  /** What keeps an Ingress out whatever its class, if its namespace does. */
  #outOfScope({ meta }: Ingress): Belonging | undefined {
    const { watchNamespaceSelector } = this.#options
    if (watchNamespaceSelector === undefined) return undefined
    const namespace = this.#namespaces.get(meta.namespace)
    if (namespace)
      return selects(watchNamespaceSelector, namespace.meta.labels) ? undefined : { kind: "others" }
    const state = `names the Namespace ${JSON.stringify(meta.namespace)}, which does not exist: --watch-namespace-selector asks for its labels`
    return { kind: "unassigned", field: "metadata.namespace", code: "namespace-missing", state }
  }

  #replace(key: string, entry: Entry | undefined): boolean {
    const before = this.#entries.get(key)
    if (before?.ingress === entry?.ingress && isDeepStrictEqual(before?.belonging, entry?.belonging))
      return false
    if (entry) this.#entries.set(key, entry)
    else this.#entries.delete(key)
    this.#references.replace(this.#referenced(before), this.#referenced(entry))
    const kinds = [before, entry].map((either) => either?.belonging.kind)
    if (kinds.includes("ours")) this.#change(before, entry)
    if (kinds.includes("unassigned")) this.#unassigned = undefined
    return kinds.includes("ours") || (this.#options.reportsUnassigned && kinds.includes("unassigned"))
  }

  #change(before: Entry | undefined, after: Entry | undefined): void {
    this.#ours = undefined
    this.#options.oursChanged?.(oursIn(before), oursIn(after))
  }

  #referenced(entry: Entry | undefined) {
    return entry && isOurs(entry) ? referencedBy(entry.ingress, this.#options.referencesOf) : []
  }
}

function oursIn(entry: Entry | undefined): Ingress | undefined {
  return entry && isOurs(entry) ? entry.ingress : undefined
}

function isOurs({ belonging }: Entry): boolean {
  return belonging.kind === "ours"
}

function unassignedProblem(
  ingress: Ingress,
  { field, code, state }: Belonging & { kind: "unassigned" },
): Problem {
  const { namespace, name } = ingress.meta
  const message = `Ingress ${JSON.stringify(qualifiedName(ingress.meta))} is left out: ${field} ${state}`
  return { object: { kind: "Ingress", namespace, name }, field, code, message }
}
