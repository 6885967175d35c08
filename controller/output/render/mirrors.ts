import type { Policy } from "../../model/policy.ts"

/** What the template of the location that sends copies prints. */
interface Mirror {
  readonly uri: string
  readonly hasBody: boolean
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
export function mirrorsOf(policies: readonly Policy[]): readonly Mirror[] {
  return Object.values(mirrors).filter((mirror) => policies.some((policy) => mirrorOf(policy) === mirror))
}
