import { describe, expect, test } from "vitest"
import { type Command, parseFlags } from "../../../../../controller/core/options/flags.ts"
import { type ConnectOptions, connect } from "../../../../../controller/input/cluster/connect/connect.ts"
import { until } from "../../../../../harness/until.ts"
import { ApiDouble } from "../../../../support/api-double.ts"

const never = new AbortController().signal

/** Status and body of each path that is asked; a function is asked for the next answer. */
type Answers = Readonly<Record<string, Answer | (() => Answer)>>
type Answer = readonly [status: number, body: unknown]

const podPath = "/api/v1/namespaces/ingress/pods/wick-0"
const classesPath = "/apis/networking.k8s.io/v1/ingressclasses?limit=1"
const forbidden: Answer = [403, { kind: "Status", reason: "Forbidden", message: "no rights" }]
const missing: Answer = [404, { kind: "Status", reason: "NotFound", message: "not there" }]

/** An API server with all that a start needs. */
const whole: Answers = {
  "/version": [200, { gitVersion: "v1.31.2" }],
  "/apis/networking.k8s.io/v1": [200, { resources: [{ name: "ingresses" }, { name: "ingressclasses" }] }],
  "/apis/discovery.k8s.io/v1": [200, { resources: [{ name: "endpointslices" }] }],
  [podPath]: [200, { metadata: { uid: "1234", labels: { app: "wick" } } }],
  [classesPath]: [200, { items: [] }],
}

/** Starts with these flags against a server that answers so; it is gone when the promise settles. */
async function start(answers: Answers, flags: readonly string[] = [], given: Partial<ConnectOptions> = {}) {
  const all: Answers = { ...whole, ...answers }
  await using server = await ApiDouble.start((request, response) => {
    const answer = all[request.url ?? ""] ?? missing
    const [status, body] = typeof answer === "function" ? answer() : answer
    response.writeHead(status).end(JSON.stringify(body))
  })
  return await startAt(server.url, flags, given)
}

async function startAt(url: URL, flags: readonly string[], given: Partial<ConnectOptions>, signal = never) {
  const warnings: string[] = []
  const log = { info() {}, warn: (...words: unknown[]) => void warnings.push(String(words.at(-1))) }
  const connection = await connect(
    {
      options: options([`--apiserver-host=${url.origin}`, ...flags]),
      service: { host: "", port: "" },
      pod: { namespace: "ingress", name: "wick-0" },
      release: "1.2.3",
      log,
      pauseMs: () => 1,
      ...given,
    },
    signal,
  )
  connection.close()
  return { ...connection, warnings }
}

function options(flags: readonly string[]): Extract<Command, { kind: "run" }>["options"] {
  const command = parseFlags(flags)
  if (command.kind !== "run") throw new Error(`Flags are ${command.kind}`)
  return command.options
}

async function sentence(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => "It started",
    (error: Error) => error.message,
  )
}

test("a start finds out about the version, its Pod and IngressClasses", async () => {
  const { version, pod, readsClasses, warnings } = await start({})
  expect({ version, pod, readsClasses, warnings }).toEqual({
    version: "v1.31.2",
    pod: { namespace: "ingress", name: "wick-0", uid: "1234", labels: { app: "wick" } },
    readsClasses: true,
    warnings: [],
  })
})

describe("a start ends", () => {
  test.each<[string, Answers, readonly string[], string]>([
    [
      "without the Service of --publish-service",
      {},
      ["--publish-service=ingress/front"],
      'Cannot find Service "ingress/front" of --publish-service: create it, or name one that exists',
    ],
    [
      "without the Service of --default-backend-service",
      {},
      ["--default-backend-service=ingress/errors"],
      'Cannot find Service "ingress/errors" of --default-backend-service: create it, or name one that exists',
    ],
    [
      "without the watched namespace",
      {},
      ["--watch-namespace=shop"],
      'Cannot find namespace "shop" of --watch-namespace: create it, or name one that exists',
    ],
    [
      "without its own Pod",
      { [podPath]: missing },
      [],
      'Cannot find Pod "ingress/wick-0" of POD_NAMESPACE and POD_NAME: set them from metadata.namespace and metadata.name',
    ],
    [
      "when status depends on its Pod, which it may not read",
      { [podPath]: forbidden },
      [],
      'Cannot read Pod "ingress/wick-0", which runs this controller: allow its service account to get Pods in its namespace, or set --update-status=false',
    ],
    [
      "when the Service of a flag may not be read",
      { "/api/v1/namespaces/ingress/services/front": forbidden },
      ["--publish-service=ingress/front"],
      "Cannot read /api/v1/namespaces/ingress/services/front of the API server: it answers 403: no rights",
    ],
    [
      "with a Kubernetes that is older than Ingress v1",
      { "/version": [200, { gitVersion: "v1.18.20" }], "/apis/networking.k8s.io/v1": missing },
      [],
      "Cannot work with Kubernetes v1.18.20: it has no ingresses of networking.k8s.io/v1, which came with 1.19; upgrade Kubernetes",
    ],
    [
      "with a Kubernetes that is older than EndpointSlice v1",
      { "/version": [200, { gitVersion: "v1.20.1" }], "/apis/discovery.k8s.io/v1": missing },
      [],
      "Cannot work with Kubernetes v1.20.1: it has no endpointslices of discovery.k8s.io/v1, which came with 1.21; upgrade Kubernetes",
    ],
  ])("%s", async (_, answers, flags, expected) => {
    expect(await sentence(start(answers, flags))).toBe(expected)
  })

  test("without POD_NAME, before anything is asked", async () => {
    const pod = { namespace: "ingress", name: "" }
    expect(await sentence(startAt(new URL("http://127.0.0.1:1"), [], { pod }))).toBe(
      "Cannot start without POD_NAME and POD_NAMESPACE: set them in the environment from metadata.name and metadata.namespace",
    )
  })
})

describe("a right that is missing is told, and no more, when", () => {
  test("IngressClasses may not be listed", async () => {
    const { readsClasses, warnings } = await start({ [classesPath]: forbidden })
    expect(readsClasses).toBe(false)
    expect(warnings).toEqual(["No right to list IngressClasses: spec.ingressClassName is not looked at"])
  })

  test("the watched namespace may not be read", async () => {
    const { warnings } = await start({ "/api/v1/namespaces/shop": forbidden }, ["--watch-namespace=shop"])
    expect(warnings).toEqual(["No right to see whether the namespace exists"])
  })

  test.each([
    "--update-status=false",
    "--disable-leader-election",
  ])("the Pod may not be read, with %s", async (flag) => {
    const { pod, warnings } = await start({ [podPath]: forbidden }, [flag])
    expect(pod).toEqual({ namespace: "ingress", name: "wick-0", uid: "", labels: {} })
    expect(warnings).toEqual(["No right to read the controller's Pod: Events about it name no uid"])
  })

  test("nobody may see which kinds there are", async () => {
    const { warnings } = await start({
      "/apis/networking.k8s.io/v1": forbidden,
      "/apis/discovery.k8s.io/v1": forbidden,
    })
    expect(warnings).toEqual([])
  })
})

describe("an API server that has just started, and has not read all roles", () => {
  /** Refuses until it was asked so many times whether it is ready. */
  const starting = (unready: number) => {
    let asked = 0
    const later = (answer: Answer) => (): Answer => (asked > unready ? answer : forbidden)
    return {
      "/readyz": (): Answer => {
        asked += 1
        return asked > unready ? [200, "ok"] : [500, "[-]informer-sync failed"]
      },
      [podPath]: later([200, { metadata: { uid: "1234" } }]),
      [classesPath]: later([200, { items: [] }]),
    }
  }

  test.each([0, 3])("is asked again when it is ready, said %i times that it is not", async (unready) => {
    const { pod, readsClasses, warnings } = await start(starting(unready))
    expect({ uid: pod.uid, readsClasses }).toEqual({ uid: "1234", readsClasses: true })
    expect(warnings).toEqual(Array.from({ length: unready }, () => "No answer from the API server so far"))
  })

  test("is believed when it never is", async () => {
    const { readsClasses } = await start({ "/readyz": [500, "no"], [classesPath]: forbidden })
    expect(readsClasses).toBe(false)
  })
})

describe("an API server that does not answer", () => {
  test("is asked ten times, then named with the reason", async () => {
    let asked = 0
    const version = (): Answer => {
      asked += 1
      return [503, "not yet"]
    }
    const said = await sentence(start({ "/version": version }))
    expect(said).toMatch(
      /^Cannot start without the API server at http:\/\/127.0.0.1:\d+\/ \(by --apiserver-host\): Cannot read \/version of the API server: it answers 503: "/,
    )
    expect(asked).toBe(10)
  })

  test("is waited for, whichever question it is", async () => {
    const later = (answer: Answer) => {
      let asked = 0
      return (): Answer => {
        asked += 1
        return asked < 5 ? [503, "not yet"] : answer
      }
    }
    const { warnings } = await start({
      "/version": later([200, { gitVersion: "v1.31.2" }]),
      [podPath]: later([200, { metadata: { uid: "1234" } }]),
    })
    expect(warnings).toEqual(Array.from({ length: 8 }, () => "No answer from the API server so far"))
  })

  test("keeps nobody from stopping", async () => {
    await using server = await ApiDouble.start(() => {})
    const stop = new AbortController()
    const said = sentence(startAt(server.url, [], { pauseMs: () => 60_000 }, stop.signal))
    await until("the first question", () => server.requests === 1)
    stop.abort()
    expect(await said).toContain("given up")
    await until("the connection to be closed", () => server.open === 0)
  })

  test("keeps nobody from stopping between two questions", async () => {
    await using server = await ApiDouble.start((_, response) => void response.writeHead(503).end())
    const stop = new AbortController()
    const said = sentence(startAt(server.url, [], { pauseMs: () => 60_000 }, stop.signal))
    await until("the first answer", () => server.requests === 1)
    stop.abort()
    expect(await said).toContain("given up")
  })
})
