import type { Annotation } from "../../controller/core/annotations/table.ts"
import { ownPrefix } from "../../controller/core/options/conflicts.ts"
import type { Setup, Usage } from "../../controller/core/options/usage.ts"
import { plan } from "../../controller/core/plan/plan.ts"
import type { Translation } from "../../controller/core/translate/translate.ts"
import { tlsData } from "../../harness/certificates.ts"
import {
  ingress,
  ingressClass,
  type Json,
  secret,
  service,
  settings,
  slice,
} from "../../harness/manifests.ts"
import { changesOf, optionsOf, translationOf } from "../../harness/translation.ts"

// Whether a change reloads is not written down anywhere but tried out: the controller's own plan from a small world without it to the same
// world with it.

/** What the controller does when something is set. */
export type Outcome = "reload" | "post" | "nothing"

type Example = Pick<Usage, "example" | "exampleWith"> & { readonly name: string }

/** What a change of the setting `entry` to its example does. @throws Error when the controller finds fault with it */
export function outcomeOfKey({ name, example, exampleWith = {} }: Example): Outcome {
  const { keys = {} } = exampleWith
  return outcome(worldOf({ keys }), worldOf({ keys: { ...keys, [name]: example } }), name)
}

/** The same of an annotation. */
export function outcomeOfAnnotation(entry: Example & Pick<Annotation, "isOwn">): Outcome {
  const { annotations = {}, ...others } = entry.exampleWith ?? {}
  const key = keyOf(entry)
  const after = { ...annotations, [key]: entry.example }
  return outcome(worldOf({ ...others, annotations }), worldOf({ ...others, annotations: after }), key)
}

/** What an annotation is written as, without the usual prefix. */
export function keyOf({ name, isOwn }: Pick<Annotation, "name" | "isOwn">): string {
  return isOwn ? `${ownPrefix}/${name}` : name
}

function outcome(before: Translation, after: Translation, name: string): Outcome {
  const fault = after.problems.find(({ field }) => field.includes(`${name}"]`))
  if (fault !== undefined) throw new Error(`Example of ${name}: ${fault.message}`)
  return plan(before.model, after.model).kind
}

/** One Ingress with these annotations, under these keys and flags, beside an older one that it could be a canary of, and all that annotations and keys may name. */
function worldOf({ annotations = {}, keys = {}, flags = [] }: Setup): Translation {
  const path = "shop.example.com/shop/(.*) → web:80"
  const objects: Json[] = [
    ingressClass,
    ...["shop/web", "shop/next", "shop/errors", "shop/front", "shop/auth"].flatMap(serviceWithAddress),
    ...(annotations.canary === undefined ? [] : [ingress("shop/older", path, { affinity: "cookie" }, 1)]),
    ingress("shop/front", "shop.example.com/ → front:80", {}, 1),
    ingress(
      "shop/own",
      annotations.canary === undefined ? path : path.replace("web", "next"),
      annotations,
      2,
    ),
    settings("wick/settings", keys),
    settings("shop/headers", { "X-Shop": "cart" }),
    settings("shop/auth-headers", { "X-Realm": "shop" }),
    settings("shop/rules", { shop: "SecRuleEngine On" }),
    settings("shop/fastcgi", { SCRIPT_FILENAME: "/app/index.php" }),
    secret("shop/backend-tls", tlsData),
    secret("shop/users", { auth: "ada:{PLAIN}sesame", ada: "{PLAIN}sesame" }),
    secret("shop/clients-ca", { "ca.crt": tlsData["ca.crt"] }),
    secret("shop/dh", {
      "dhparam.pem": "-----BEGIN DH PARAMETERS-----\nMEYCQQ==\n-----END DH PARAMETERS-----",
    }),
  ]
  return translationOf(
    objects.flatMap((object) => changesOf(object, "reference")),
    optionsOf(["--configmap=wick/settings", ...flags]),
    { "shadow.example.com": { kind: "found", addresses: ["192.0.2.8"] } },
    { "my-policy": { usable: { digest: "0123456789abcdef".repeat(4), needs: 0 } } },
  )
}

function serviceWithAddress(name: string): Json[] {
  const ports = [{ port: 80, targetPort: 8080, protocol: "TCP" }]
  const spec = { type: "ClusterIP", clusterIP: "10.96.0.1", ports }
  return [{ ...service(name), spec }, slice(name, ["10.0.0.1", "10.0.0.2"], 8080)]
}
