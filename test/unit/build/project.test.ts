// What forges and registries read of the project names things that are there.
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { parse } from "yaml"
import { root } from "../../../harness/paths.ts"

const read = (path: string) => readFileSync(join(root, path), "utf8")
const project = /github\.com\/([\w-]+\/[\w-]+)\.git/.exec(read("package.json"))?.[1] ?? ""

describe.each(globSync(".github/**/*.y{a,}ml", { cwd: root }))("%s", (file) => {
  test("is YAML, and runs scripts that are there", () => {
    expect(parse(read(file))).toBeTypeOf("object")
    const scripts = [...read(file).matchAll(/(?:^| )((?:build|test|\.ci)\/[\w./-]+)/gm)].map(
      ([, path = ""]) => path,
    )
    expect(scripts.filter((path) => !existsSync(join(root, path)))).toEqual([])
  })
})

test("CI runs what .ci/run runs", () => {
  const { jobs } = parse(read(".github/workflows/ci.yaml"))
  expect(JSON.stringify(jobs)).toContain(".ci/run")
})

test("every link into the project is to a file that is there, and to this project", () => {
  const files = [...globSync(".github/**/*", { cwd: root, withFileTypes: true })]
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
  const texts = [
    "deploy/chart/Chart.yaml",
    "build/release/krew.ts",
    "build/release/provenance.ts",
    ...files,
  ].map(read)
  const links = texts.flatMap((text) => [
    ...text.matchAll(
      /https:\/\/(?:raw\.githubusercontent|github)\.com\/([\w-]+\/[\w-]+)(?:\/(?:blob\/)?main\/([\w./-]+))?/g,
    ),
  ])
  expect(links.length).toBeGreaterThan(8)
  expect(
    links.filter(([, name]) => name?.startsWith("wick") && name !== project).map(([link]) => link),
  ).toEqual([])
  const paths = links.flatMap(([, name, path]) => (name === project && path !== undefined ? [path] : []))
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

test("owners of code own something", () => {
  const places = [...read(".github/CODEOWNERS").matchAll(/^(\/\S+)/gm)].map(([, place = ""]) => place)
  expect(places.filter((place) => !existsSync(join(root, place)))).toEqual([])
})

test("the chart says who makes it, and Artifact Hub what is in it", () => {
  const chart = parse(read("deploy/chart/Chart.yaml"))
  expect(chart).toMatchObject({ home: expect.stringMatching(/^https:/), maintainers: [expect.anything()] })
  const images = parse(chart.annotations["artifacthub.io/images"])
  expect(images).toMatchObject([{ image: `registry.wick.dev/wick/controller:${chart.version}` }])
})
