import { type DestinationStream, pino } from "pino"
import { prettyFactory } from "pino-pretty"
import type { ObjectName } from "../../model/problem.ts"
import type { Log } from "../../support/log.ts"

export interface LogOptions {
  /** `-v`: from 2 on debug lines too */
  readonly verbosity: number
  /** lines for people instead of JSON; main says true when stderr is a terminal */
  readonly isPretty: boolean
  /** stderr; tests give their own */
  readonly destination?: DestinationStream
}

/** Fields that never appear, wherever they are in what is logged. Parsers drop the values of Secrets before that; this is the second lock. */
const secretFields = ["data", "stringData", "*.data", "*.stringData"]

/** Makes the log of the process. It writes synchronously: nothing is lost when the process ends, and a line per change is not much. */
export function createLog({
  verbosity,
  isPretty,
  destination = pino.destination({ fd: 2, sync: true }),
}: LogOptions): Log {
  const options = {
    level: verbosity >= 2 ? "debug" : "info",
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: secretFields, censor: "[redacted]" },
  }
  return pino(options, isPretty ? forPeople(destination) : destination)
}

/** What there is of it: `Problem: Ingress "shop/cart" spec.rules[0].host: sentence`. */
function sentence({ msg, object, field, detail }: Readonly<Record<string, unknown>>): string {
  const place = [objectText(object), field].filter((part) => part !== undefined && part !== "").join(" ")
  return [msg, place, detail].filter((part) => part !== undefined && part !== "").join(": ")
}

/** An object has its kind, namespace and name apart; others have theirs as a text. */
function objectText(object: unknown): string {
  if (typeof object !== "object" || object === null) return String(object ?? "")
  const { kind, namespace, name } = object as Partial<ObjectName>
  return `${kind} ${JSON.stringify(namespace ? `${namespace}/${name}` : name)}`
}

/** `08:30:00 WARN Problem: Ingress "shop/cart" spec.rules[0].host: sentence`, further fields behind it; remedies are in the reference. */
function forPeople(destination: DestinationStream): DestinationStream {
  const print = prettyFactory({
    colorize: true,
    translateTime: "SYS:HH:MM:ss.l",
    messageFormat: ({ msg, object, field, detail }) => sentence({ msg, object, field, detail }),
    ignore: "object,field,detail,severity,remedy",
    singleLine: true,
  })
  return { write: (line) => destination.write(print(line)) }
}
