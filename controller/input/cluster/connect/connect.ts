import { Failure } from "../../../support/failure.ts"
import type { Log } from "../../../support/log.ts"
import { type Api, ApiFailure } from "../api.ts"
import type { ClusterFlags } from "../options.ts"
import {
  Attempts,
  type AttemptsOptions,
  always,
  unlessRefused,
  type Worthwhile,
  whileUnready,
} from "./attempts.ts"
import * as checks from "./checks.ts"
import { Client } from "./client.ts"
import { openAccess } from "./configuration.ts"
import type { ServiceAddress } from "./service-account.ts"

export interface ConnectOptions extends Pick<AttemptsOptions, "pauseMs"> {
  readonly options: Pick<
    ClusterFlags,
    | "apiserverHost"
    | "certificateAuthority"
    | "kubeconfig"
    | "watchNamespace"
    | "publishService"
    | "defaultBackendService"
    | "updateStatus"
    | "disableLeaderElection"
  >
  /** where Kubernetes tells a Pod that the API server is */
  readonly service: ServiceAddress
  /** POD_NAMESPACE and POD_NAME; "" when they are not set */
  readonly pod: { readonly namespace: string; readonly name: string }
  /** of this program, as `1.2.3` */
  readonly release: string
  readonly log: Pick<Log, "info" | "warn">
}

/** An API server that answers, and what was found out when it first did. */
export interface Connection {
  readonly api: Api
  /** of Kubernetes, as `v1.31.2` */
  readonly version: string
  readonly pod: checks.OwnPod
  /** IngressClasses may be listed */
  readonly readsClasses: boolean
  /** Ends the connections that are idle. */
  close(): void
}

/**
 * Finds the API server and looks whether everything is there that the flags name.
 *
 * @throws Failure when it is not, or when no answer came in ten tries; when the signal aborts, too
 */
export async function connect(given: ConnectOptions, signal: AbortSignal): Promise<Connection> {
  const { options, service, pod, release, log } = given
  if (options.certificateAuthority !== "" && options.apiserverHost === "")
    log.warn("Flag --certificate-authority has an effect only together with --apiserver-host")
  const access = await openAccess(options, service)
  checks.checkPodNames(pod)
  const { server, origin } = access
  const client = new Client({ access, userAgent: `wick/${release}` })
  const reading = readingWith(client, new Attempts(given))
  try {
    const version = await reach(reading(always, signal), `${server.href} (by ${origin})`, signal)
    log.info({ server: server.href, by: origin, version }, "Connected to the API server")
    const found = await lookRound(reading, version, given, signal)
    return { api: client, version, ...found, close: () => client.close() }
  } catch (error) {
    client.close()
    throw error
  }
}

type Reading = (isWorthwhile: Worthwhile, signal: AbortSignal) => checks.Read

function readingWith(api: Api, attempts: Attempts): Reading {
  return (isWorthwhile, signal) =>
    (path, query = {}) =>
      attempts.make((limit) => api.send({ method: "GET", path, query }, limit), isWorthwhile, signal)
}

/** @returns the version of Kubernetes */
async function reach(read: checks.Read, server: string, signal: AbortSignal): Promise<string> {
  try {
    return await checks.readVersion(read)
  } catch (error) {
    if (!(error instanceof ApiFailure) || signal.aborted) throw error
    const message = `Cannot start without the API server at ${server}: ${error.message}`
    throw new Failure("api-unreachable", message, { cause: error })
  }
}

/** Asks everything at once; the first that is wrong ends it. */
async function lookRound(
  reading: Reading,
  version: string,
  { options, pod, log }: ConnectOptions,
  signal: AbortSignal,
): Promise<Pick<Connection, "pod" | "readsClasses">> {
  const done = new AbortController()
  const asked = AbortSignal.any([signal, done.signal])
  const read = sureOfRefusals(reading(unlessRefused, asked), reading(whileUnready, asked))
  const { publishService, defaultBackendService, watchNamespace } = options
  try {
    const [own, mayReadClasses, isNamespaceKnown] = await Promise.all([
      checks.readOwnPod(read, pod),
      checks.mayReadClasses(read),
      watchNamespace === "" || checks.checkNamespace(read, watchNamespace),
      checks.checkKinds(read, version),
      publishService && checks.checkService(read, publishService, "--publish-service"),
      defaultBackendService && checks.checkService(read, defaultBackendService, "--default-backend-service"),
    ])
    if (!isNamespaceKnown)
      log.warn({ namespace: watchNamespace }, "No right to see whether the namespace exists")
    if (!mayReadClasses) log.warn("No right to list IngressClasses: spec.ingressClassName is not looked at")
    return { pod: own ?? unseenPod(pod, options, log), readsClasses: mayReadClasses }
  } finally {
    done.abort()
  }
}

/**
 * An API server that has just started refuses what it has not read the roles for: what it refuses is asked once more when it is ready. A start finds out
 * once what it may do, and goes by that until its end.
 */
function sureOfRefusals(read: checks.Read, readWhenReady: checks.Read): checks.Read {
  let ready: Promise<void> | undefined
  return async (path, query) => {
    try {
      return await read(path, query)
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== 403) throw error
      ready ??= checks.untilReady(readWhenReady)
      await ready
      return read(path, query)
    }
  }
}

/** Its labels say which Pods are replicas of it, without which no status can be right. */
function unseenPod(
  pod: ConnectOptions["pod"],
  { updateStatus, disableLeaderElection }: ConnectOptions["options"],
  log: ConnectOptions["log"],
): checks.OwnPod {
  const name = `${pod.namespace}/${pod.name}`
  if (updateStatus && !disableLeaderElection)
    throw new Failure(
      "pod-forbidden",
      `Cannot read Pod "${name}", which runs this controller: allow its service account to get Pods in its namespace, or set --update-status=false`,
    )
  log.warn({ pod: name }, "No right to read the controller's Pod: Events about it name no uid")
  return { ...pod, uid: "", labels: {} }
}
