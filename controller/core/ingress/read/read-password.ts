import type { Secret } from "../../../model/objects/secret.ts"
import type { ProblemCode } from "../../../model/problems/catalogue.ts"
import { shown } from "../../../model/shown.ts"
import { type AccessValues, unusable } from "../../annotations/values.ts"
import type { RouteAccess } from "../../declared/access.ts"
import { complainAbout, denied, deny, type IngressContext } from "./ingress-context.ts"
import { type Reference, referenced } from "./referenced.ts"
import type { UserLeftOut } from "./user-list.ts"

const annotation = "auth-secret"

const reference: Reference<Secret> = {
  annotation,
  kind: "Secret",
  find: ({ lookups }, name) => lookups.secret(name),
}

/** Whose passwords an Ingress asks for: nobody's, or those of its Secret. A Secret that cannot be used closes what it protects. */
export function readPassword(
  { authType, authRealm = "", authSecret, authSecretType = "auth-file" }: AccessValues,
  context: IngressContext,
): Pick<RouteAccess, "basic" | "digest"> | "closed" | undefined {
  if (authType === undefined) return undefined
  if (authType === unusable || authSecret === unusable || authSecretType === unusable) return "closed"
  if (authSecret === undefined) {
    const state = 'Cannot use annotation "auth-type": annotation "auth-secret" is missing'
    return closed(context, "auth-type", "annotation-refused", state)
  }
  const found = referenced(reference, authSecret, context)
  if (found === denied) return "closed"
  const { object, name } = found
  const { maxBcryptCost } = context.settings
  const read = context.shared.users.of(
    object,
    authSecretType,
    authType === "digest" ? { realm: authRealm } : { maxBcryptCost },
  )
  if (read.kind === "refused")
    return closed(context, annotation, "secret-refused", `Cannot use Secret ${name}: ${read.reason}`)
  if (read.leftOut.length > 0) complainAbout(context, annotation, "users-left-out", about(read.leftOut, name))
  return { [authType]: { users: read.users, realm: authRealm } }
}

function closed(context: IngressContext, name: string, code: ProblemCode, state: string): "closed" {
  deny(context, name, code, state)
  return "closed"
}

/** So many are named. */
const named = 5

/** Says whose hashes cannot be used, and never what they are. */
function about(users: readonly UserLeftOut[], secret: string): string {
  const first = users.slice(0, named).map(({ user, reason }) => `${whose(user)} ${reason}`)
  const more = users.length > named ? `; and ${users.length - named} more` : ""
  return `Cannot accept some users of Secret ${secret}: ${first.join("; ")}${more}`
}

function whose(user: UserLeftOut["user"]): string {
  return typeof user === "number" ? `line ${user}` : shown(user)
}
