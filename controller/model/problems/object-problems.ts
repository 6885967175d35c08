import { error, info, type ProblemEntry, warning } from "./entry.ts"

/** Objects that cannot be read as they are written, wherever they come from. */
export const objectProblems = {
  "type-wrong": error(
    "A field holds a value of another type than Kubernetes asks for; the smallest part around it is left out",
    "Write the type that the message names; put texts such as true or 80 in quotes",
  ),
  "field-missing": error(
    "A field that has to be there is missing; the smallest part around it is left out",
    "Add the field",
  ),
  "address-bad": error(
    "An address of an EndpointSlice is not of the slice's addressType; it is left out",
    "Correct the address or the addressType",
  ),
  "backend-twice": error(
    "A backend names a Service and a resource; its path is left out",
    "Remove one of the two",
  ),
  "port-twice": error(
    "A backend names its port by number and by name; its path is left out",
    "Remove one of the two",
  ),
  "name-bad": error(
    "The object's name or namespace is not one that Kubernetes allows; the object is left out",
    "Rename it: lower-case letters, digits and dashes",
  ),
  "time-bad": warning(
    "The creationTimestamp cannot be read; the object counts as created when wick first saw it",
    "Write a time as in 2026-01-31T12:00:00Z, or remove the field",
  ),
  "version-retired": error(
    "The object has an apiVersion that Kubernetes has retired; it is not read",
    "Write it in the apiVersion that the message names",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>

/** Files below the directory of `--manifests`, and Ingresses in them that no controller takes. */
export const manifestProblems = {
  "no-object": error(
    "A text in a manifest is no Kubernetes object; it is left out",
    "Write apiVersion and kind, or take the text out of the directory",
  ),
  "kind-not-read": error(
    "The object is of a kind that wick does not read; it is left out",
    "Write the kind that the message names",
  ),
  "not-yaml": error(
    "A file is not YAML; what can be read of it counts, and what else it said before stays",
    "Correct the line that the message names",
  ),
  "not-json": error(
    "A file is not JSON; what it said before stays",
    "Correct the line that the message names",
  ),
  "object-twice": warning(
    "An object is in the manifests more than once; the first one counts, in the order of the files' names",
    "Remove all but one",
  ),
  "file-unreadable": error(
    "A file cannot be read; what it said before stays",
    "Make it a regular file of at most 64 MiB that wick's user may read",
  ),
  "watch-failed": error(
    "Not all of the directory can be watched; changes may go unnoticed",
    "Remove the cause that the message names (often the limit fs.inotify.max_user_watches), then restart wick",
  ),
  "directory-gone": error(
    "The directory is gone or cannot be read; what it said before stays",
    "Bring the directory back; wick finds it by itself",
  ),
  "class-missing": error(
    "The Ingress names no IngressClass, or one that does not exist; it is left out",
    "Set spec.ingressClassName to the name of an IngressClass that exists",
  ),
  "namespace-missing": error(
    "The Ingress's Namespace does not exist, and --watch-namespace-selector asks for its labels; the Ingress is left out",
    "Add the Namespace, with its labels",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>

/** Keys of the ConfigMap that `--configmap` names. */
export const configMapProblems = {
  "value-refused": error(
    "The value of a key cannot be used; the last good one stays in force, or the default if there was none",
    "Correct the value as the message says",
  ),
  "value-cut": warning(
    "The value of a key is used in part",
    "Correct or remove the part that the message names",
  ),
  "value-corrected": warning(
    "A key does not fit another key, or what is installed; something else is used instead",
    "Change one of the two, as the message says",
  ),
  "key-unknown": warning("No key has this name; it has no effect", "Correct the name, or remove the key"),
  "key-twice": info(
    "A key is there twice, in upper and in lower case; the one in lower case is used",
    "Remove the other one",
  ),
  "key-without-effect": warning(
    "wick knows the keys, but they have no effect",
    "Remove them, or do without their effect until a later version has it",
  ),
} satisfies Readonly<Record<string, ProblemEntry>>
