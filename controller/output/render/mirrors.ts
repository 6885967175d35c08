import type { TemplateHeader } from "../../model/http/requests.ts"
import type { Fixed } from "../../model/model.ts"
import type { Policy } from "../../model/policy.ts"
import { headersAboutClients } from "./http/request-headers.ts"

/** Where a policy has copies sent. */
interface Mirror {
  readonly uri: string
  readonly hasBody: boolean
}

/** What the template of the location that sends copies prints. */
interface MirrorLocation extends Mirror {
  /** what the backend is told of the client, a copy is told, too */
  readonly headers: readonly TemplateHeader[]
}

const mirrors: Readonly<Record<NonNullable<Policy["mirror"]>, Mirror>> = {
  "with-body": { uri: "/_wick/mirror", hasBody: true },
  "without-body": { uri: "/_wick/mirror-without-body", hasBody: false },
}

/** Which copies a policy makes, if any. */
export function mirrorOf({ mirror }: Policy): Mirror | null {
  return mirror === undefined ? null : mirrors[mirror]
}

/** A location for each kind of copies that some policy makes. */
export function mirrorsOf({ policies, http }: Fixed): readonly MirrorLocation[] {
  const used = Object.values(mirrors).filter((mirror) => policies.some((it) => mirrorOf(it) === mirror))
  return used.map((mirror) => ({ ...mirror, headers: headersAboutClients(http) }))
}
