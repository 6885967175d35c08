import { flag, toggle } from "../flag.ts"
import { labelSelector, text } from "../parser.ts"

/** Which objects are ours. */
export const scope = {
  "ingress-class": flag(
    "NAME",
    text,
    "nginx",
    "value of the annotation kubernetes.io/ingress.class that makes an Ingress ours",
  ),
  "controller-class": flag(
    "NAME",
    text,
    "k8s.io/ingress-nginx",
    "spec.controller of the IngressClasses that are ours",
  ),
  "ingress-class-by-name": toggle(
    false,
    "the IngressClass named as --ingress-class is ours too, whatever its controller",
  ),
  "watch-ingress-without-class": toggle(false, "Ingresses that name no class are ours too"),
  "watch-namespace": flag("NAMESPACE", text, "", "read only the objects of this namespace; empty for all"),
  "watch-namespace-selector": flag(
    "SELECTOR",
    labelSelector,
    "",
    "only Ingresses, Gateways and routes of namespaces with these labels are ours; empty for all",
  ),
  "annotations-prefix": flag(
    "PREFIX",
    text,
    "nginx.ingress.kubernetes.io",
    "what stands before the slash in annotations",
  ),
  "disable-catch-all": toggle(false, "leave out Ingresses that have a spec.defaultBackend"),
}
