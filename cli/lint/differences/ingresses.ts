import { type Differences, operation } from "./difference.ts"
import { anyTakenNow, refused } from "./matching.ts"

/** Differences under the heading "Ingresses and annotations". */
export const ingressesDifferences = {
  "unknown-annotation-under-prefix": {
    what: "Unknown annotation under the prefix",
    before: "Ignored",
    now: "A Problem that names the closest known annotation",
    why: "Typos are found",
    concerns: operation,
  },
  "annotation-value-refused": {
    what: "An annotation, such as `proxy-body-size`, has a value that wick refuses",
    before: "The Ingress is left out, or the value is ignored silently",
    now: "The value is ignored, with a Problem on the Ingress",
    why: "Nothing is dropped silently",
    concerns: refused(),
    breadth: "any",
  },
  "annotation-value-taken": {
    what: "An annotation has a value that ingress-nginx refuses and wick takes",
    before: "The Ingress is left out, its requests are refused, or the value is ignored",
    now: "The value is in effect",
    why: "It can be done",
    concerns: anyTakenNow,
    breadth: "any",
  },
  "ingressclass-added-deleted-gets-another-controller": {
    what: "An IngressClass is added, deleted or gets another controller after its Ingresses exist",
    before: "Added or deleted: noticed at each Ingress's next event. Another controller: never noticed",
    now: "Takes effect at once",
    concerns: operation,
  },
  "no-right-list-ingressclasses": {
    what: "No right to list IngressClasses",
    before: "The class annotation is read when an Ingress is new, but not when it changes",
    now: "The class annotation is always read",
    why: "An Ingress that moves to another controller must not stay here",
    concerns: operation,
  },
  "watch-namespace-selector-labels-namespace-change": {
    what: "`--watch-namespace-selector`: the labels of a Namespace change",
    before: "Takes effect at each Ingress's next event",
    now: "Takes effect at once",
    concerns: operation,
  },
} satisfies Differences
