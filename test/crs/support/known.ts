// The tests that do not pass, and why: none of the reasons is wick's own. What the project itself expects to fail with libmodsecurity and nginx is in
// `nginx-overrides.yaml` beside its tests.
import type { Outcome } from "./run.ts"

interface Known {
  readonly reason: string
  readonly names: readonly string[]
  /** Other versions of libmodsecurity pass. */
  readonly mayPass?: true
}

const of = (rule: number, ...tests: number[]) => tests.map((test) => `${rule}-${test}`)

const known: readonly Known[] = [
  {
    reason: "nginx refuses the request itself, with 400 or 505, before any rule is asked",
    names: [...of(920100, 4, 14), ...of(920181, 1), ...of(920290, 4), ...of(920430, 8)],
  },
  {
    reason:
      "nginx serves what Apache, which the test is written for, refuses: a colon or a fragment in the path, and these hosts",
    names: [...of(920100, 8), ...of(920270, 4), ...of(920274, 1), ...of(920610, 2)],
  },
  {
    reason: "nginx has read http://localhost as /, and tells rules so",
    names: of(920100, 16),
  },
  {
    reason: "Apache makes one of two Content-Type fields; with nginx rules see both, and speak",
    names: of(920620, 1),
  },
  {
    reason:
      "nginx drops fields with dots and underscores in their names, from the backend, too (ignore-invalid-headers, enable-underscores-in-headers)",
    names: [...of(933110, 3, 13, 14, 20, 21, 22, 24, 25, 26, 27), ...of(944140, 3, 8), ...of(933220, 2, 4)],
  },
  {
    reason: "libmodsecurity fills REQUEST_BODY with XML, too, and so names of elements are looked at",
    names: [
      ...of(944100, 11, 12, 15, 16),
      ...of(944110, 11, 12, 15, 16),
      ...of(944120, 6, 7, 23, 24, 40, 41, 57, 58, 74, 75, 91, 92, 108, 109, 125, 126),
      ...of(944210, 6, 7, 23, 24, 40, 41),
    ],
  },
  {
    reason:
      "libmodsecurity logs the first rule of this chain, without a message, although the chain does not match and counts nothing",
    names: of(942131, 3, 5, 7),
  },
  {
    reason: "libmodsecurity does not log a rule that has noauditlog, unless it blocks",
    names: of(980170, 1, 2),
  },
  {
    reason:
      "libmodsecurity 3.0.9, of Debian 12, leaves the end of the line in the header of a part, and takes any charset for an unknown one; 3.0.15 does not",
    names: of(922110, 5, 6, 12, 13, 14, 16, 17, 27, 30),
    mayPass: true,
  },
  {
    reason: "a pattern that libmodsecurity 3.0.15 gives up; 3.0.9 does not",
    names: of(942521, 17, 18),
    mayPass: true,
  },
]

/** Faults that nobody has explained, and tests that pass although they are said not to. */
export function surprises(outcomes: readonly Outcome[]): string[] {
  const expected = new Set(known.flatMap(({ names }) => names))
  const lasting = new Set(known.filter(({ mayPass }) => mayPass !== true).flatMap(({ names }) => names))
  return outcomes.flatMap(({ name, faults }) => {
    if (faults.length > 0 && !expected.has(name)) return [`${name}: ${faults.join("; ")}`]
    return faults.length === 0 && lasting.has(name)
      ? [`${name}: passes, although test/crs/support/known.ts says it does not`]
      : []
  })
}
