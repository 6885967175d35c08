import { error, info, type ProblemEntry, warning } from "./entry.ts"

/** Objects that cannot be read as they are written, wherever they come from. */
export const objectProblems = {
  "type-wrong": error(
    "A field has a value of the wrong type; the smallest part of the object around it is left out",
    "Write a value of the type that the message names; put strings such as true or 80 in quotes",
  ),
  "field-missing": error(
    "A required field is missing; the smallest part of the object around it is left out",
    "Add the field",
  ),
  "field-unknown": error(
    "A field has a name that its object does not have; it has no effect, and an API server would refuse the object",
    "Correct the name of the field, or remove it",
  ),
  "host-in-capitals": warning(
    "The host of a rule has capital letters; an API server would refuse the object, and it is used in small letters",
    "Write the host in small letters",
  ),
  "address-bad": error(
    "An address in an EndpointSlice does not match the slice's addressType; it is left out",
    "Correct the address or the addressType",
  ),
  "backend-twice": error(
    "A backend names both a Service and a resource; its path is left out",
    "Remove one of the two",
  ),
  "port-twice": error(
    "A backend gives its port both by number and by name; its path is left out",
    "Remove one of the two",
  ),
  "name-bad": error(
    "The name or namespace of the object is not valid in Kubernetes; the object is left out",
    "Rename it: lower-case letters, digits and dashes",
  ),
  "time-bad": warning(
    "The creationTimestamp is not valid; the object counts as created when wick first saw it",
    "Write a time such as 2026-01-31T12:00:00Z, or remove the field",
  ),
  "token-bad": error(
    "The name of a header or of a query parameter has characters that no such name may have; the object is left out",
    "Write letters, digits and dashes",
  ),
  "text-bad": error(
    "A text has characters that cannot stand where it is to be used; the object is left out",
    "Write what the message asks for",
  ),
  "duration-bad": error(
    "A time cannot be read; the object is left out",
    "Write a number and a unit, as in 10s, 500ms or 1m30s",
  ),
  "filter-twice": error(
    "A rule has two filters, or two fields, that exclude each other; the route is left out",
    "Remove one of the two",
  ),
  "prefix-missing": error(
    "A filter replaces what a prefix matches, and its rule does not have exactly one match of type PathPrefix; the route is left out",
    "Write one match of type PathPrefix, or ReplaceFullPath",
  ),
  "version-retired": error(
    "The object has an apiVersion that Kubernetes has removed; it is not read",
    "Write it in the apiVersion that the message names",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>

/** Files below the directory of `--manifests`, and Ingresses in them that no controller takes. */
export const manifestProblems = {
  "no-object": error(
    "A document in a manifest file is not a Kubernetes object; it is left out",
    "Add apiVersion and kind, or move the document out of the directory",
  ),
  "kind-not-read": error(
    "wick does not read objects of this kind; the object is left out",
    "Use the kind that the message names",
  ),
  "kind-unknown": error(
    "A document has a kind that does not exist, and that looks like one that wick reads; it is left out",
    "Correct the kind",
  ),
  "not-yaml": error(
    "A file is not valid YAML; the parts that can be read apply, and the rest stays as in the file's last good version",
    "Correct the line that the message names",
  ),
  "not-json": error(
    "A file is not valid JSON; its last good version stays in force",
    "Correct the line that the message names",
  ),
  "object-twice": warning(
    "An object is in the manifests more than once; the first one is used, in the order of the file names",
    "Remove all but one",
  ),
  "file-unreadable": error(
    "A file cannot be read; its last good version stays in force",
    "Make it a regular file of at most 64 MiB that wick's user may read; a link may lead to one in the same directory or below, not elsewhere",
  ),
  "manifest-too-large": error(
    "A document in a manifest file exceeds a limit: size, depth, keys of a map, documents in a file, or time or memory to parse it; it is not read, and its last good version stays in force",
    "Split it with lines of --- into documents of at most 2 MiB, or write it as JSON; correct a document that is deeper than 100 or has a map of more than 10,000 keys",
  ),
  "watch-failed": error(
    "Not all of the directory can be watched; changes may go unnoticed",
    "Fix the cause that the message names (often the limit fs.inotify.max_user_watches), then restart wick",
  ),
  "directory-gone": error(
    "The directory is gone or cannot be read; its last known objects stay in force",
    "Restore the directory; wick notices by itself",
  ),
  "configmap-unnamed": warning(
    "A ConfigMap below the directory of --manifests has ingress-nginx's keys, and no flag names it; it has no effect",
    "Name it with --configmap, or remove it",
  ),
  "class-missing": error(
    "The Ingress names no IngressClass, or one that does not exist; it is left out",
    "Set spec.ingressClassName to the name of an IngressClass that exists",
  ),
  "namespace-missing": error(
    "The Namespace of the Ingress does not exist, so --watch-namespace-selector cannot check its labels; the Ingress is left out",
    "Add the Namespace, with its labels",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>

/** Keys of the ConfigMap that `--configmap` names. */
export const configMapProblems = {
  "value-refused": error(
    "The value of a key cannot be used; the last good value stays in force, or the default if there was none",
    "Correct the value as the message says",
  ),
  "modsecurity-audit-log": warning(
    "The folder of ModSecurity's audit log is not there, or cannot be written; what rules log is lost, and requests are served as the rules say",
    "Mount a volume at the folder that the ConfigMap's key modsecurity-audit-log names, which nginx's workers can write",
  ),
  "value-cut": warning(
    "Only part of a key's value is used",
    "Correct or remove the part that the message names",
  ),
  "value-corrected": warning(
    "The value of a key does not fit another key or the installed nginx; another value is used instead",
    "Change it, or the other key, as the message says",
  ),
  "own-address": warning(
    "A key of the ConfigMap sends spans or logs to a port of wick itself: of this Pod or machine, of another replica, or of a Service or node that leads there",
    "Set it to the host and port of a collector or of a log server",
  ),
  "forwarded-headers-open": warning(
    "X-Forwarded headers are trusted from every client, so that each can choose host and scheme of its request, and the address that access lists and limits see",
    "Set proxy-real-ip-cidr to the addresses of the proxies in front; without any, remove use-forwarded-headers",
  ),
  "key-unknown": warning(
    "There is no key of this name; it has no effect",
    "Correct the name, or remove the key",
  ),
  "key-twice": info(
    "A key is set twice, in upper and in lower case; the one in lower case is used",
    "Remove the other one",
  ),
  "key-without-effect": warning(
    "Nothing is done with the key, neither by wick nor by ingress-nginx",
    "Write what the message says in its place, or remove it",
  ),
  "key-guard-closes": error(
    "Something of a snippet is not in force, and may be there to keep requests out; so requests get 503",
    "Use the annotation or key that the message names in its place, or remove it; with `unsupported-guards: close-ingresses` it closes nothing",
  ),
  "guard-ignored": error(
    "Something of a snippet that may keep requests out is not in force, and `unsupported-guards` lets requests in",
    "Use the annotation or key that the message names in its place, or remove `unsupported-guards`",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>
