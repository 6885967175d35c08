import type { TemplateHeader } from "../../model/http/requests.ts"
import type { Location } from "../../model/location.ts"
import type { Fixed } from "../../model/model.ts"
import { headersAboutClients } from "./http/request-headers.ts"

/** Where a named location has copies sent. */
interface Mirror {
  readonly uri: string
  readonly hasBody: boolean
}

/** What the template of the location that sends copies prints. */
interface MirrorLocation extends Mirror {
  /** what the backend is told of the client, a copy is told, too */
  readonly headers: readonly TemplateHeader[]
}

const mirrors: Readonly<Record<NonNullable<Location["mirror"]>, Mirror>> = {
  "with-body": { uri: "/_wick/mirror", hasBody: true },
  "without-body": { uri: "/_wick/mirror-without-body", hasBody: false },
}

/** Which copies a named location makes, if any. */
export function mirrorOf({ mirror }: Location): Mirror | null {
  return mirror === undefined ? null : mirrors[mirror]
}

/** A location for each kind of copies that some route's location makes. */
export function mirrorsOf({ locations, http }: Fixed): readonly MirrorLocation[] {
  const used = Object.values(mirrors).filter((mirror) => locations.some((it) => mirrorOf(it) === mirror))
  return used.map((mirror) => ({ ...mirror, headers: headersAboutClients(http) }))
}
