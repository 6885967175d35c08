import type { Options } from "../core/options/flags.ts"
import { Downloads } from "../facts/geoip/downloads.ts"
import { ageMs, DatabaseDirectory } from "../input/geoip/database-directory.ts"
import { databaseFault } from "../input/geoip/metadata.ts"
import type { Problem } from "../model/problem.ts"
import type { Workplace } from "../output/nginx/workplace.ts"
import type { DataPlane } from "../output/plane/plane.ts"

/** Where clients are. */
export interface GeoFacts {
  readonly want: (isWanted: boolean) => void
  readonly problems: () => readonly Problem[]
}

/** Databases of the flags: downloaded if that is asked for, and brought to nginx. */
export function takeGeoDatabases(
  options: Options,
  workplace: Pick<Workplace, "storeDatabase">,
  plane: Pick<DataPlane, "putDatabase" | "keepDatabases">,
  wires: { readonly changed: () => void; readonly signal: AbortSignal },
): GeoFacts {
  const { geoipDir: directory, maxmindEditionIds: editions } = options
  const downloads = Downloads.start({
    ...{ ...wires, editions },
    licenseKey: options.maxmindLicenseKey,
    mirror: options.maxmindMirror,
    attempts: options.maxmindRetriesCount,
    retryMs: options.maxmindRetriesTimeout,
    ageMs: (edition) => ageMs(directory, edition),
    store: (edition, bytes) => workplace.storeDatabase(directory, edition, bytes, databaseFault),
  })
  const databases = new DatabaseDirectory({ ...wires, directory, editions, plane })
  return {
    want: (isWanted) => databases.want(isWanted),
    problems: () => [...databases.problems(), ...downloads.problems()],
  }
}
