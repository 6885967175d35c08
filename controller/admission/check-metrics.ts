import type { Declare } from "../support/declare.ts"

/** How a check ended. */
interface Checked {
  readonly ingress: { readonly namespace: string; readonly name: string }
  readonly outcome: "accepted" | "refused"
  readonly ingresses: number
  readonly checkSeconds: number
  readonly totalSeconds: number
}

/** Of so many Ingresses checks are counted, the latest: a client of the webhook can name as many as it likes. */
const maxCounted = 10_000

/** The metrics of the admission webhook. Nothing is rendered for a check: those of that stay 0. @returns is told of each check */
export function admissionMetrics(declare: Declare): (checked: Checked) => void {
  const labels = ["namespace", "ingress"] as const
  const successes = declare.counter(
    "nginx_ingress_controller_check_success",
    "Ingresses that the admission webhook let in",
    labels,
  )
  const errors = declare.counter(
    "nginx_ingress_controller_check_errors",
    "Ingresses that the admission webhook refused for their annotations or paths",
    labels,
  )
  const gauge = (name: string, help: string) =>
    declare.gauge(`nginx_ingress_controller_admission_${name}`, help)
  const tested = gauge(
    "tested_ingresses",
    "Ingresses that the last accepted one was compared with, and itself",
  )
  const testSeconds = gauge("tested_duration", "Seconds that the last accepted check took after decoding")
  const totalSeconds = gauge("roundtrip_duration", "Seconds that the last accepted check took")
  gauge("render_ingresses", "Always 0: no configuration is rendered for a check")
  gauge("render_duration", "Always 0: no configuration is rendered for a check")
  gauge("config_size", "Always 0: no configuration is rendered for a check")
  const counted = new Map<string, { readonly namespace: string; readonly ingress: string }>()

  /** The latest last. */
  const note = ({ namespace, name }: Checked["ingress"]) => {
    const key = `${namespace}/${name}`
    const series = { namespace, ingress: name }
    counted.delete(key)
    counted.set(key, series)
    const [oldest] = counted
    if (counted.size > maxCounted && oldest !== undefined) {
      counted.delete(oldest[0])
      successes.remove(oldest[1])
      errors.remove(oldest[1])
    }
    return series
  }

  return (checked) => {
    const series = note(checked.ingress)
    if (checked.outcome === "refused") return errors.inc(series)
    successes.inc(series)
    tested.set(checked.ingresses + 1)
    testSeconds.set(checked.checkSeconds)
    totalSeconds.set(checked.totalSeconds)
  }
}
