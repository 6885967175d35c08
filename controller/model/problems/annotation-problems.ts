import { error, info, type ProblemEntry, warning } from "./entry.ts"

/** Annotations of an Ingress, each for itself. */
export const annotationProblems = {
  "annotation-refused": error(
    "The value of an annotation cannot be used; the default applies, or what it should close is closed",
    "Correct the value as the message says",
  ),
  "annotation-changed": warning(
    "The value of an annotation is used in part, or another one is used instead",
    "Write a value that the message allows",
  ),
  "annotation-idle": warning(
    "An annotation needs another one, which is missing; it has no effect, or what the message says is used instead",
    "Add the annotation that the message names, or remove this one",
  ),
  "annotation-without-effect": warning(
    "wick knows the annotation, but it has no effect yet",
    "Remove it, or do without its effect until a later version has it",
  ),
  "annotation-unknown": warning(
    "No annotation has this name; it has no effect",
    "Correct the name as the message says, or remove the annotation",
  ),
  "annotation-overridden": info(
    "An older name of an annotation stands beside the name of today; the name of today is used",
    "Remove the older one",
  ),
  "guard-without-effect": error(
    "An annotation should keep requests out and has no effect yet; requests get 503 rather than being served to everybody",
    "Protect the application in another way, then remove the annotation",
  ),
  "policy-refused": error(
    "nginx refuses what the annotations ask for; requests get 503 until the annotations or the ConfigMap change",
    "Correct what nginx complains of in the message",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>

/** ConfigMaps, Secrets and addresses that annotations name. */
export const referenceProblems = {
  "reference-missing": error(
    "An annotation names a ConfigMap or Secret that does not exist; requests get 503, or 403 where it is about clients' certificates",
    "Create it, or correct the name in the annotation",
  ),
  "reference-forbidden": error(
    "An annotation names a ConfigMap or Secret of another namespace; requests get 503, or 403 where it is about clients' certificates",
    'Copy it into the namespace of the Ingress, or set allow-cross-namespace-resources: "true" in the ConfigMap',
  ),
  "custom-headers-refused": error(
    "A header in the ConfigMap of annotation custom-headers is malformed or not allowed; requests get 503",
    "Correct the header, or list it in the ConfigMap's key global-allowed-response-headers",
  ),
  "fastcgi-refused": error(
    "A parameter in the ConfigMap of annotation fastcgi-params-configmap cannot be used; requests get 503",
    "Correct the keys that the message names",
  ),
  "mirror-refused": error(
    "Annotation mirror-target names this machine, or an address that no endpoint may have; requests are not copied",
    "Name a host that other machines can reach",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>
