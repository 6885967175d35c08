import type { Ingress } from "../../model/objects/ingress.ts"
import type { IngressClass } from "../../model/objects/ingress-class.ts"
import type { ProblemCode } from "../../model/problems/catalogue.ts"

/** Which Ingresses are ours: the flags of that. */
export interface ClassOptions {
  /** `--ingress-class` */
  readonly ingressClass: string
  /** `--controller-class` */
  readonly controllerClass: string
  /** `--ingress-class-by-name` */
  readonly ingressClassByName: boolean
  /** `--watch-ingress-without-class` */
  readonly watchIngressWithoutClass: boolean
}

/** `unassigned`: no controller can take it, so its author has probably forgotten something. */
export type Belonging =
  | { readonly kind: "ours" }
  | { readonly kind: "others" }
  | {
      readonly kind: "unassigned"
      readonly field: string
      readonly code: ProblemCode
      readonly state: string
    }

const annotation = "kubernetes.io/ingress.class"
const ours: Belonging = { kind: "ours" }
const others: Belonging = { kind: "others" }

/** Is this class ours? By its controller, or by its name when the flags say so. */
function isOurClass(ingressClass: IngressClass, options: ClassOptions): boolean {
  if (ingressClass.controller === options.controllerClass) return true
  return options.ingressClassByName && ingressClass.meta.name === options.ingressClass
}

/**
 * Whose Ingress is it? spec.ingressClassName decides when it is set, then the annotation, then `--watch-ingress-without-class`; a set one is
 * final, whatever the next says. Source: ingress-nginx 1.15, order of its class check.
 *
 * @param classes every IngressClass by name; undefined when they may not be listed: then ingressClassName is not looked at
 */
export function belonging(
  ingress: Ingress,
  classes: ReadonlyMap<string, IngressClass> | undefined,
  options: ClassOptions,
): Belonging {
  if (classes && ingress.className !== undefined) return byName(ingress.className, classes, options)
  const annotated = ingress.meta.annotations[annotation]
  if (annotated !== undefined) return annotated === options.ingressClass ? ours : others
  if (options.watchIngressWithoutClass) return ours
  return noClass("is missing: name an IngressClass")
}

function byName(name: string, classes: ReadonlyMap<string, IngressClass>, options: ClassOptions): Belonging {
  const ingressClass = classes.get(name)
  if (ingressClass) return isOurClass(ingressClass, options) ? ours : others
  return noClass(`names the IngressClass ${JSON.stringify(name)}, which does not exist`)
}

function noClass(state: string): Belonging {
  return { kind: "unassigned", field: "spec.ingressClassName", code: "class-missing", state }
}
