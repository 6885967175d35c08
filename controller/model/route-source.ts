import { kinds } from "./objects/kinds.ts"
import type { ObjectName } from "./problem.ts"

// A route says by a name whose it is, beside its namespace: an Ingress by its own, an object of another kind with that before it, as
// `httproute/cart`. No object has a slash in its name. It is what metrics and logs have for `ingress`, too.

const kindsByWord: ReadonlyMap<string, string> = new Map(
  Object.keys(kinds).map((kind) => [kind.toLowerCase(), kind]),
)

/** What a route of this object has for `ingressName`; kept as one text (`qualifiedName`). */
export function routeSourceName({ kind, name }: Pick<ObjectName, "kind" | "name">): string {
  return kind === "Ingress" || name === "" ? name : [kind.toLowerCase(), name].join("/")
}

/** The object that a route is of. */
export function routeSourceOf(route: {
  readonly namespace: string
  readonly ingressName: string
}): ObjectName {
  const { namespace, ingressName } = route
  const [word = "", name] = ingressName.split("/")
  return name === undefined
    ? { kind: "Ingress", namespace, name: word }
    : { kind: kindsByWord.get(word) ?? word, namespace, name }
}
