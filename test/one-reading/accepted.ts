// Disagreements that are accepted, each with its reason. What is not among them is mended, or refused.

interface Accepted {
  readonly name: string
  readonly reason: string
  /** by what `disagreements` says of it */
  readonly is: (what: string) => boolean
}

const byPath = (name: string) => (what: string) => what.startsWith(`path, by ${name}: `)

export const acceptedDisagreements: readonly Accepted[] = [
  {
    name: "parameters: `/guarded;x` is `/guarded` to servlets",
    reason:
      "Java has sent sessions so for decades (`;jsessionid=`), so such paths cannot be refused, and nginx has always taken them for a part of the name. Guard `/` and open what is to be open; before dots (`/..;/`) they are refused",
    is: byPath("parameters"),
  },
  {
    name: "case: `/GUARDED` is `/guarded` to some",
    reason:
      "Paths of Ingresses have case (Kubernetes API), and only the application knows whether its own do. With `use-regex` they have none",
    is: byPath("case"),
  },
  {
    name: "decoded twice: `/%2567uarded` is `/guarded` to an application that decodes twice",
    reason: "To decode once is what RFC 3986, 2.4, says; a path may have a percent sign in it",
    is: byPath("decoded twice"),
  },
  {
    name: "slashes: `//guarded` is no `/guarded` to some",
    reason:
      "nginx makes one slash of several before a route is found, and passes them on as they came; clients send them by mistake every day",
    is: byPath("slashes"),
  },
]

/** The name of that which a finding is; `undefined`: it is none of them. */
export function accepted(what: string): string | undefined {
  return acceptedDisagreements.find(({ is }) => is(what))?.name
}
