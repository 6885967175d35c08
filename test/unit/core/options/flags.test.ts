import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { flagTable } from "../../../../controller/core/options/flag-table.ts"
import { type Command, type Options, parseFlags } from "../../../../controller/core/options/flags.ts"
import { flagHelp } from "../../../../controller/core/options/help.ts"

function run(...args: string[]): Extract<Command, { kind: "run" }> {
  const command = parseFlags(args)
  if (command.kind !== "run") throw new Error(JSON.stringify(command))
  return command
}

function options(...args: string[]): Options {
  return run(...args).options
}

function errors(...args: string[]): readonly string[] {
  const command = parseFlags(args)
  return command.kind === "wrong" ? command.errors : []
}

describe("arguments are taken apart as Go's pflag does", () => {
  test.each([
    [["--http-port=8080"], 8080],
    [["--http-port", "8080"], 8080],
    [["--http-port=0x1f90"], 8080],
    [["--http-port=8080", "--http-port=8081"], 8081],
  ])("%j", (args, port) => {
    expect(options(...args).httpPort).toBe(port)
  })

  test.each([
    [["-v", "2"], 2],
    [["-v=2"], 2],
    [["-v2"], 2],
    [["--v=2"], 2],
    [["--v", "-1"], -1],
  ])("the letter of a flag: %j", (args, level) => {
    expect(options(...args).v).toBe(level)
  })

  test.each([
    [["--watch-ingress-without-class"], true],
    [["--watch-ingress-without-class=true"], true],
    [["--watch-ingress-without-class=T"], true],
    [["--watch-ingress-without-class", "--watch-ingress-without-class=0"], false],
  ])("switches: %j", (args, isOn) => {
    expect(options(...args).watchIngressWithoutClass).toBe(isOn)
  })

  test("a switch leaves the next word alone, which then is one too many", () => {
    expect(errors("--watch-ingress-without-class", "false")).toEqual([
      'Unexpected argument "false": flags start with two dashes',
    ])
  })

  test("a switch with a value that stands apart, a letter with an odd one", () => {
    expect(errors("-x")).toEqual(["Unknown flag -x: --help-flags lists all of them"])
    expect(errors("-v=")).toHaveLength(1)
  })

  test("a value may contain what separates others", () => {
    expect(options("--manifests=/a=b --c").manifests).toBe("/a=b --c")
    expect(options("--manifests", "--odd").manifests).toBe("--odd")
    expect(options("--watch-namespace=").watchNamespace).toBe("")
  })

  test("every text given with = arrives as it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        expect(options(`--runtime-dir=${value}`).runtimeDir).toBe(value)
      }),
    )
  })

  test("no arguments whatever make it throw", () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom(
        "-",
        "--",
        "---",
        "--=",
        "-=",
        "--v",
        "-v",
        "--http-port",
        "--constructor",
        "--__proto__=1",
      ),
    )
    fc.assert(
      fc.property(fc.array(word), (args) => {
        expect(["run", "help", "version", "wrong"]).toContain(parseFlags(args).kind)
      }),
    )
  })
})

describe("values", () => {
  test("durations are milliseconds", () => {
    expect(options("--election-ttl=1h1m1.5s").electionTtl).toBe(3_661_500)
    expect(options().electionTtl).toBe(30_000)
  })

  test("namespace/name", () => {
    expect(options("--configmap=ingress/settings").configmap).toEqual({
      namespace: "ingress",
      name: "settings",
    })
    expect(options().configmap).toBeUndefined()
    expect(errors("--configmap=settings")).toEqual([
      'Cannot use --configmap="settings": write namespace/name',
    ])
  })

  test("lists that add up over several occurrences, and lists that do not", () => {
    expect(
      options("--exclude-socket-metrics=a,b", "--exclude-socket-metrics", "c").excludeSocketMetrics,
    ).toEqual(["a", "b", "c"])
    expect(options("--time-buckets=1,2e3").timeBuckets).toEqual([1, 2000])
  })

  test.each([
    ["--http-port=0"],
    ["--http-port=65536"],
    ["--http-port=80x"],
    ["--http-port="],
    ["--enable-metrics=yes"],
    ["--election-ttl=30"],
    ["--election-ttl=1x"],
    ["--sync-rate-limit=0"],
    ["--sync-rate-limit=NaN"],
    ["--shutdown-grace-period=-1"],
    ["--time-buckets=1,,2"],
    ["--time-buckets=2,1"],
    ["--size-buckets=-1,1"],
    ["--bucket-factor=1"],
    ["--bucket-factor=-2"],
    ["--bucket-factor=1,1"],
    ["--max-buckets=-1"],
    ["--health-check-path=healthz"],
    ["--health-check-path=/a;b"],
    ["--annotations-prefix=a/b"],
    ["--annotations-prefix=wick.dev"],
  ])("%s is refused, naming the flag", (arg) => {
    expect(errors(arg)).toHaveLength(1)
    expect(errors(arg)[0]).toContain(arg.split("=")[0])
  })
})

describe("mistakes", () => {
  test("all of them are told at once", () => {
    expect(errors("--htp-port=80", "--dance", "--http-port=x", "stray", "--manifests")).toEqual([
      "Unknown flag --htp-port, did you mean --http-port",
      "Unknown flag --dance: --help-flags lists all of them",
      "Flag --manifests lacks its value: write --manifests=VALUE",
      'Unexpected argument "stray": flags start with two dashes',
      'Cannot use --http-port="x": write a whole number from 1 to 65535',
    ])
  })

  test.each([
    [
      ["--publish-service=a/b", "--publish-status-address=1.2.3.4"],
      "--publish-service and --publish-status-address",
    ],
    [
      ["--watch-namespace=a", "--watch-namespace-selector=b"],
      "--watch-namespace and --watch-namespace-selector",
    ],
    [["--metrics-per-undefined-host", "--metrics-per-host=false"], "--metrics-per-undefined-host"],
    [["--metrics-per-endpoint"], "--metrics-per-endpoint needs --enable-metrics"],
    [["--http-port=10254"], "--http-port and --healthz-port share port 10254"],
    [
      ["--validating-webhook=:80", "--validating-webhook-certificate=c", "--validating-webhook-key=k"],
      "--http-port and --validating-webhook share port 80",
    ],
    [["--ui-port=10254"], "--healthz-port and --ui-port share port 10254"],
    [
      ["--ui-port=8080", "--ui-address=0.0.0.0"],
      "Flag --ui-address=0.0.0.0 lets others ask for the page: give --ui-token-file, or a loopback address",
    ],
    [["--ui-port=8080", "--ui-address=::"], "--ui-address=:: lets others ask"],
    [
      ["--profiling", "--profiler-address=0.0.0.0"],
      "Flag --profiler-address=0.0.0.0 lets others ask for profiles, which hold private keys: give --profiler-token-file, or a loopback address",
    ],
    [["--profiling", "--profiler-port=10254"], "--healthz-port and --profiler-port share port 10254"],
    [["--validating-webhook=:8443"], "needs --validating-webhook-certificate and --validating-webhook-key"],
  ])("flags that contradict each other: %j", (args, part) => {
    expect(errors(...args)).toEqual([expect.stringContaining(part)])
  })

  test("a page for others needs a token, one for this machine or none at all does not", () => {
    for (const more of ["--ui-address=127.0.0.2", "--ui-address=::1", "--ui-token-file=f"])
      expect(run("--ui-port=8080", more).warnings).toEqual([])
    expect(run("--ui-address=0.0.0.0").options.uiPort).toBe(0)
    expect(errors("--ui-address=localhost")).toEqual([
      'Cannot use --ui-address="localhost": write an IP address',
    ])
  })

  test("profiles for others need a token; without --profiling nobody gets any", () => {
    for (const more of ["--profiler-address=127.0.0.2", "--profiler-token-file=f", "--profiling=false"])
      expect(run("--profiling", more).warnings).toEqual([])
    expect(run("--profiler-address=0.0.0.0", "--profiler-port=10254").options.profiling).toBe(false)
  })

  test("a selector that an API server would refuse", () => {
    expect(errors("--watch-namespace-selector=foo in bar")).toEqual([
      'Cannot use --watch-namespace-selector="foo in bar": write ( after "in", not "bar"',
    ])
  })

  test.each([
    ["https://me:secret@mirror.test/geo", "https://[redacted]@mirror.test/geo"],
    ["https://me:sec/ret@mirror.test", "https://[redacted]@mirror.test"],
    ["https://mirror.test/geo?key=secret#part", "https://mirror.test/geo?[redacted]"],
  ])("a URL with what others should not read: %s", (url, printed) => {
    expect(errors(`--maxmind-mirror=${url}`)).toEqual([
      `Cannot use --maxmind-mirror="${printed}": write a URL of http or https without user, query and fragment`,
    ])
  })

  test("a factor by which no bucket grows", () => {
    expect(errors("--bucket-factor=0.5")).toEqual([
      'Cannot use --bucket-factor="0.5": write 0 or a number above 1, such as 1.1',
    ])
    expect(options("--bucket-factor=1.1").bucketFactor).toBe(1.1)
  })

  test("a flag without effect gives a warning that says why, and none when they are as by default", () => {
    expect(run("--stream-port=10247", "--logtostderr").warnings).toEqual([])
    expect(run("--stream-port=5", "--log_dir=/tmp", "--http-port=1").warnings).toEqual([
      "Flag --stream-port has no effect: backends of TCP and UDP take the way that all others take; no TCP or UDP service may have the port",
      "Flag --log_dir has no effect: logs go to standard error, a JSON object a line: collect them there",
    ])
  })
})

describe("the table", () => {
  test("the defaults of ingress-nginx hold", () => {
    expect(options()).toMatchObject({
      httpPort: 80,
      httpsPort: 443,
      statusPort: 10246,
      streamPort: 10247,
      healthzPort: 10254,
      healthCheckPath: "/healthz",
      ingressClass: "nginx",
      controllerClass: "k8s.io/ingress-nginx",
      annotationsPrefix: "nginx.ingress.kubernetes.io",
      syncRateLimit: 0.3,
      shutdownGracePeriod: 0,
      postShutdownGracePeriod: 10,
      deepInspect: true,
      logtostderr: true,
    })
  })

  test("--help-flags names every flag by what it is about; help goes before everything that is wrong", () => {
    expect(parseFlags(["--help", "--no-such-flag"])).toEqual({ kind: "help", about: "commands" })
    expect(parseFlags(["-h"])).toEqual({ kind: "help", about: "commands" })
    expect(parseFlags(["--help-flags", "--x"])).toEqual({ kind: "help", about: "flags" })
    expect(parseFlags(["--version"])).toEqual({ kind: "version" })
    const text = flagHelp()
    for (const name of Object.keys(flagTable)) expect(text).toContain(`--${name}`)
    expect(text).toMatch(/\n\nMetrics:\n\n {2}--/)
    expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(110)
  })
})
