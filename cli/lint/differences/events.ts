import { type Differences, operation } from "./difference.ts"

/** Differences under the heading "Events". */
export const eventsDifferences = {
  "events-ingress": {
    what: "Events of an Ingress",
    before: "`Sync`, and `AnnotationParsingFailed` for a denied location",
    now: "Every Problem is a Warning on its object: Ingress, Service, EndpointSlice, Secret or ConfigMap",
    why: "`kubectl describe` shows the error on the object that has it",
    concerns: operation,
  },
  "several-replicas": {
    what: "Several replicas",
    before: "Each writes the Events of all Ingresses",
    now: "The leader writes them. Each replica writes `RELOAD` on its own Pod",
    why: "One Event for one thing",
    concerns: operation,
  },
  "reload-events-configuration-nginx-refuses": {
    what: "`RELOAD` Events of a configuration that nginx refuses",
    before: "One for every attempt",
    now: "One. What was refused is left out, and the next attempt is a different configuration",
    concerns: operation,
  },
  "sync-events-at-start-thousands-ingresses": {
    what: "`Sync` Events at a start with thousands of Ingresses",
    before: "As many as get through",
    now: "At most 1,000, at 20 a second; Warnings go first",
    why: "Events cost etcd, and everybody who watches them",
    concerns: operation,
  },
} satisfies Differences
