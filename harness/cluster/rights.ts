// The rights that deploy/static gives, in namespaces of a test's own, so that tests do not let wick do more than users do.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parseAllDocuments } from "yaml"
import type { Json } from "../manifests.ts"
import { root } from "../paths.ts"
import { until } from "../until.ts"
import type { ApiServer, ServiceAccount } from "./api-server.ts"
import type { Asked } from "./audit.ts"
import type { Client } from "./client.ts"

/** A rule of a Role or ClusterRole. */
export interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly verbs: readonly string[]
}

/** What of RBAC objects matters here. */
interface RightsObject {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string }
  readonly rules?: readonly Rule[]
  readonly roleRef?: { readonly kind: string; readonly name: string; readonly apiGroup: string }
  readonly subjects?: readonly { readonly kind: string; readonly name: string; readonly namespace: string }[]
}

export interface RightsOptions {
  /** of deploy/static; default `rbac.yaml` */
  readonly file?: string
  /** in the place of `shop`, the watched namespace of rbac-namespaced.yaml */
  readonly watched?: string
  /** another way to the API server for what is let in with these rights, `https://127.0.0.1:port` */
  readonly via?: string
  /** changes the rules of each Role and ClusterRole; the namespace is "" for a ClusterRole */
  readonly change?: (rules: readonly Rule[], namespace: string) => readonly Rule[]
}

/** Gives the ServiceAccount `wick` of the namespace, which exists, the rights of a file in deploy/static, and waits until they are in force. */
export async function grant(
  server: ApiServer,
  namespace: string,
  { file = "rbac.yaml", watched = "shop", via, change = (rules) => rules }: RightsOptions = {},
): Promise<ServiceAccount> {
  const objects = readRights(file)
    .filter(({ kind }) => kind !== "Namespace")
    .map((object) => moved(object, { wick: namespace, shop: watched }))
  const changed = objects.map((object) =>
    object.rules === undefined
      ? object
      : { ...object, rules: change(object.rules, object.metadata.namespace ?? "") },
  )
  await server.admin.apply(...(changed as unknown as Json[]))
  const account = await server.serviceAccount(`${namespace}/wick`, via)
  for (const { rules: [rule] = [], metadata } of changed)
    if (rule !== undefined)
      await until("rights to be in force", () => isAllowed(account.client, rule, metadata.namespace))
  return account
}

function readRights(file: string): RightsObject[] {
  const text = readFileSync(join(root, "deploy/static", file), "utf8")
  return parseAllDocuments(text).map((document) => document.toJS() as RightsObject)
}

/** Into other namespaces. What belongs to no namespace gets a name of its own. */
function moved(object: RightsObject, namespaces: Readonly<Record<string, string>>): RightsObject {
  const to = (name: string) => namespaces[name] ?? name
  const { metadata, roleRef, subjects } = object
  const own = (name: string) => `${name}-${to("wick")}`
  const place =
    metadata.namespace === undefined
      ? { name: own(metadata.name) }
      : { name: metadata.name, namespace: to(metadata.namespace) }
  return {
    ...object,
    metadata: place,
    ...(roleRef?.kind === "ClusterRole" && { roleRef: { ...roleRef, name: own(roleRef.name) } }),
    ...(subjects && { subjects: subjects.map((one) => ({ ...one, namespace: to(one.namespace) })) }),
  }
}

async function isAllowed(client: Client, rule: Rule, namespace = ""): Promise<boolean> {
  const [resource = "", subresource = ""] = rule.resources[0]?.split("/") ?? []
  const asked = { group: rule.apiGroups[0], resource, subresource, verb: rule.verbs[0], namespace }
  const review = (await client.send("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
    body: {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { resourceAttributes: { ...asked, name: rule.resourceNames?.[0] ?? "" } },
    },
  })) as { status: { allowed: boolean } }
  return review.status.allowed
}

/** One verb on one resource, as a rule allows it. */
export interface Right {
  /** of the Role; "" is everywhere */
  readonly namespace: string
  readonly group: string
  /** as RBAC writes it: `ingresses`, `ingresses/status` */
  readonly resource: string
  /** empty is all */
  readonly names: readonly string[]
  readonly verb: string
}

/** Every single right that a file of deploy/static gives. */
export function rightsIn(file: string): Right[] {
  return rightsOf(readRights(file))
}

/** Every single right that these objects give; those of any other kind give none. */
export function rightsOf(objects: readonly RightsObject[]): Right[] {
  return objects.flatMap(({ rules = [], metadata: { namespace = "" } }) =>
    rules.flatMap(({ apiGroups, resources, resourceNames: names = [], verbs }) =>
      resources.flatMap((resource) =>
        verbs.map((verb) => ({ namespace, group: apiGroups[0] ?? "", resource, names, verb })),
      ),
    ),
  )
}

function allows(right: Right, asked: Asked): boolean {
  const { namespace, group, resource, names, verb } = right
  return (
    (namespace === "" || namespace === asked.namespace) &&
    group === asked.group &&
    resource === asked.resource &&
    verb === asked.verb &&
    (names.length === 0 || names.includes(asked.name))
  )
}

/** Rights that nothing was asked for, or only what another right allows, too. */
export function unused(rights: readonly Right[], asked: readonly Asked[]): Right[] {
  const needed = asked.flatMap((one) => {
    const allowing = rights.filter((right) => allows(right, one))
    return allowing.length === 1 ? allowing : []
  })
  return rights.filter((right) => !needed.includes(right))
}

export function refused(asked: readonly Asked[]): Asked[] {
  return asked.filter(({ status }) => status === 403)
}
