import { error, info, type ProblemEntry, warning } from "./entry.ts"

/** Annotations of an Ingress, each for itself. */
export const annotationProblems = {
  "annotation-refused": error(
    "The value of an annotation cannot be used; the default applies, or, if the annotation is there to keep requests out, all requests are refused",
    "Correct the value as the message says",
  ),
  "annotation-empty": warning(
    "The value of an annotation is empty, which counts as absent",
    "Give it a value, or remove it",
  ),
  "annotation-changed": warning(
    "Only part of an annotation's value is used, or another value is used instead",
    "Write a value that the message allows",
  ),
  "annotation-idle": warning(
    "An annotation needs another annotation, which is missing; it has no effect, or the one that the message names",
    "Add the annotation that the message names, or remove this one",
  ),
  "annotation-guard-closes": error(
    "Something of a snippet has no effect, and may be there to keep requests out; so requests get 503",
    "Write what the message says in its place, or remove it",
  ),
  "snippet-in-part": warning(
    "A directive of a snippet has no effect, and keeps nobody out; all others are in force",
    "Write what the message says in its place, or remove the directive",
  ),
  "snippet-not-allowed": warning(
    "A directive of a snippet could only be raw text of nginx's configuration, which Ingresses may not have; it has no effect, and keeps nobody out",
    "Remove it, or ask the operator of wick for allow-snippet-annotations and annotations-risk-level: Critical",
  ),
  "snippet-overruled": warning(
    "Two Ingresses of a host have a server-snippet; a server has one, that of the older Ingress",
    "Write both into the one that the message names",
  ),
  "annotation-unknown": warning(
    "There is no annotation of this name; it has no effect",
    "Correct the name as the message says, or remove the annotation",
  ),
  "annotation-overridden": info(
    "An annotation is set under its current name and under an older one; the current name is used",
    "Remove the one with the older name",
  ),
  "annotation-forbidden": error(
    "An annotation breaks a rule of the ConfigMap: annotations-risk-level, annotation-value-word-blocklist or admission-forbidden-annotations; it has no effect, and requests get 503",
    "Remove the annotation, or ask the operator of wick to change the rule that the message names",
  ),
  "annotation-required": error(
    "The ConfigMap's key admission-required-annotations requires an annotation that the Ingress does not have; requests get 503",
    "Add the annotation",
  ),
  "geoip-needed": error(
    "Clients are let in or refused by their country or autonomous system, and no database says it: use-geoip2 is off, or --maxmind-edition-ids names none that does; requests get 503",
    "Set use-geoip2 in the ConfigMap and give wick a database ([GeoIP](../guides/geoip.md)), or remove the annotation",
  ),
  "users-left-out": warning(
    "A Secret has users whose passwords cannot be verified: their hashes are of no known form, or would take too long; these users get 401, the others log in",
    "Give them a hash of bcrypt, as `htpasswd -B` makes it",
  ),
  "backends-unverified": error(
    "Annotation proxy-ssl-verify is on, and no Secret has the CA certificates to verify backends with; requests get 503",
    "Set annotation proxy-ssl-secret to a Secret with the key `ca.crt`, or remove proxy-ssl-verify",
  ),
  "modsecurity-rules-refused": error(
    "Rules of ModSecurity have a directive, operator or action that could reach files, programs, other machines or other Ingresses, or that cannot be read; none of them is in force, and requests get 503",
    "Write what the message says in its place, or remove it",
  ),
  "modsecurity-rules-invalid": error(
    "Rules of ModSecurity have a mistake that libmodsecurity finds; none of them is in force, and requests get 503",
    "Correct what libmodsecurity's words in the message name",
  ),
  "modsecurity-absent": error(
    "The library or the rules of ModSecurity are not installed, or cannot be used; requests that rules should look at get 503",
    "Install libmodsecurity3, and the rules that the message names; or decide with the ConfigMap's key modsecurity-fallback that requests get in",
  ),
  "modsecurity-open": error(
    "The library or the rules of ModSecurity are not installed, or cannot be used; the ConfigMap's key modsecurity-fallback lets requests in that rules should look at",
    "Install libmodsecurity3, and the rules that the message names",
  ),
  "location-refused": error(
    "nginx refuses the configuration made of the annotations; requests get 503 until the annotations or the ConfigMap change",
    "Correct what nginx's error in the message names",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>

/** ConfigMaps, Secrets and addresses that annotations name. */
export const referenceProblems = {
  "reference-missing": error(
    "An annotation names a ConfigMap or Secret that does not exist; requests get 503, or 403 if it is for client certificates",
    "Create it, or correct the name in the annotation",
  ),
  "reference-forbidden": error(
    "An annotation names a ConfigMap or Secret in another namespace; requests get 503, or 403 if it is for client certificates",
    'Copy it into the namespace of the Ingress, or set allow-cross-namespace-resources: "true" in the ConfigMap',
  ),
  "custom-headers-refused": error(
    "A header in the ConfigMap of annotation custom-headers is malformed or not allowed; requests get 503",
    "Correct the header, or list it in the ConfigMap's key global-allowed-response-headers",
  ),
  "auth-headers-refused": error(
    "A header in the ConfigMap of annotation auth-proxy-set-headers cannot be sent to the authentication service; requests get 503",
    "Correct the keys that the message names",
  ),
  "auth-host-unclear": error(
    "Annotation auth-url or key global-auth-url has $host as its host, and the Ingress has a wildcard host, no host, or a path of several hosts; requests get 503",
    "Write the name of the authentication service in place of $host",
  ),
  "fastcgi-refused": error(
    "A parameter in the ConfigMap of annotation fastcgi-params-configmap cannot be used; requests get 503",
    "Correct the keys that the message names",
  ),
  "mirror-refused": error(
    "Annotation mirror-target leads to this machine, to an address that endpoints may not have, or to a name without other addresses; requests are not mirrored",
    "Name a Service, or a host that other machines can reach",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>
