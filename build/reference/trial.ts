import { plan } from "../../controller/core/plan/plan.ts"
import type { Translation } from "../../controller/core/translate/translate.ts"
import { tlsData } from "../../test/support/certificates.ts"
import {
  ingress,
  ingressClass,
  type Json,
  secret,
  service,
  settings,
  slice,
} from "../../test/support/manifests.ts"
import { changesOf, optionsOf, translationOf } from "../../test/support/translation.ts"

// Whether a change reloads is not written down anywhere but tried out: the controller's own plan from a small world without it to the same
// world with it.

/** What the controller does when something is set. */
export type Outcome = "reload" | "post" | "nothing"

type Texts = Readonly<Record<string, string>>

/** @throws Error when the controller finds fault with it */
export function outcomeOfKey(name: string, value: string): Outcome {
  const { [name]: _, ...others } = needed
  return outcome(translationWith({}, others), translationWith({}, { ...others, [name]: value }), name)
}

/**
 * @param name   with its prefix unless that is the usual one
 * @param beside annotations that are there before and after
 * @throws Error when the controller finds fault with it
 */
export function outcomeOfAnnotation(name: string, value: string, beside: Texts): Outcome {
  const flags = neededFlags[name] ?? []
  const before = translationWith(beside, needed, flags)
  return outcome(before, translationWith({ ...beside, [name]: value }, needed, flags), name)
}

function outcome(before: Translation, after: Translation, name: string): Outcome {
  const fault = after.problems.find(({ field }) => field.includes(`${name}"]`))
  if (fault !== undefined) throw new Error(`Example of ${name}: ${fault.message}`)
  return plan(before.model, after.model).kind
}

/** Keys without which others have no effect. */
const needed: Texts = {
  "global-allowed-response-headers": "X-Shop",
  "ssl-session-tickets": "true",
  "syslog-host": "syslog.test",
}

/** Flags without which annotations have no effect. */
const neededFlags: Readonly<Record<string, readonly string[]>> = {
  "ssl-passthrough": ["--enable-ssl-passthrough"],
}

/** One Ingress with these annotations, beside an older one that it could be a canary of, and all that annotations and keys may name. */
function translationWith(annotations: Texts, data: Texts, flags: readonly string[] = []): Translation {
  const path = "shop.example.com/shop/(.*) → web:80"
  const objects: Json[] = [
    ingressClass,
    ...["shop/web", "shop/next", "shop/errors", "shop/front"].flatMap(serviceWithAddress),
    ...(annotations.canary === undefined ? [] : [ingress("shop/older", path, { affinity: "cookie" }, 1)]),
    ingress("shop/front", "shop.example.com/ → front:80", {}, 1),
    ingress(
      "shop/own",
      annotations.canary === undefined ? path : path.replace("web", "next"),
      annotations,
      2,
    ),
    settings("wick/settings", data),
    settings("shop/headers", { "X-Shop": "cart" }),
    settings("shop/fastcgi", { SCRIPT_FILENAME: "/app/index.php" }),
    secret("shop/backend-tls", tlsData),
    secret("shop/clients-ca", { "ca.crt": tlsData["ca.crt"] }),
    secret("shop/dh", {
      "dhparam.pem": "-----BEGIN DH PARAMETERS-----\nMEYCQQ==\n-----END DH PARAMETERS-----",
    }),
  ]
  return translationOf(
    objects.flatMap((object) => changesOf(object, "reference")),
    optionsOf(["--configmap=wick/settings", ...flags]),
  )
}

function serviceWithAddress(name: string): Json[] {
  const ports = [{ port: 80, targetPort: 8080, protocol: "TCP" }]
  const spec = { type: "ClusterIP", clusterIP: "10.96.0.1", ports }
  return [{ ...service(name), spec }, slice(name, ["10.0.0.1", "10.0.0.2"], 8080)]
}
