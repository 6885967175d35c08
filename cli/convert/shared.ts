import { qualifiedName } from "../../controller/model/objects/object.ts"
import type { Subject } from "../lint/subject.ts"
import { type Remark, remarksOf, remarksOfIngress } from "./conversion.ts"
import type { Draft } from "./drafts.ts"
import { backendNames, type IngressRoutes } from "./routes.ts"

// What Ingresses have in common, and is said of each by itself in the Gateway API, or of all of them at once.

/** A listener takes one kind of routes for a host. Source: GRPCRoute, "hostnames". */
export function sharedHosts(drafts: readonly Draft[], remarks: Remark[]): void {
  const ofHttp = new Set(
    drafts
      .filter(({ kind }) => kind === "HTTPRoute")
      .flatMap((draft) => draft.hostnames.flatMap((host) => placesOf(host, draft))),
  )
  for (const draft of drafts.filter(({ kind }) => kind === "GRPCRoute"))
    for (const host of draft.hostnames.filter((it) => placesOf(it, draft).some((place) => ofHttp.has(place))))
      remarksOfDraft(draft, remarks).addChange(
        "hosts",
        "spec.rules",
        `${host} has routes of HTTP, too: an implementation takes one kind for a host, so give one of them another host`,
      )
}

function placesOf(host: string, { parentRefs }: Draft): readonly string[] {
  return parentRefs.map((ref) => JSON.stringify([host, ref]))
}

/** Of a Service all who use it speak TLS, or none. */
export function sharedPolicies(found: readonly IngressRoutes[], remarks: Remark[]): void {
  const policies = new Set(found.flatMap((it) => it.policies.map(({ metadata }) => qualifiedName(metadata))))
  for (const { drafts, policies: own } of found) {
    const ownNames = new Set(own.map(({ metadata }) => qualifiedName(metadata)))
    for (const draft of drafts)
      for (const name of draft.rules.flatMap(backendNames)) {
        const service = qualifiedName({ namespace: draft.namespace, name })
        if (policies.has(service) && !ownNames.has(service))
          remarksOfDraft(draft, remarks).addChange(
            "backends",
            "spec.rules",
            `Service ${service} gets TLS from now on: another Ingress has it so, and a BackendTLSPolicy is for all who use the Service`,
          )
      }
  }
}

function remarksOfDraft({ namespace, name }: Draft, remarks: Remark[]) {
  return remarksOf({ kind: "Ingress", namespace, name }, remarks)
}

/** Of several Ingresses with a Service the oldest says how it is balanced; of routes each says it for itself. */
export function sharedBalancing(subjects: readonly Subject[], remarks: Remark[]): void {
  for (const subject of subjects)
    for (const { field, message } of subject.problems.filter(({ code }) => code === "balancing-overruled"))
      remarksOfIngress(subject, remarks).addChange(
        "balancing",
        field,
        `${message}. From now on each has its own`,
      )
}
