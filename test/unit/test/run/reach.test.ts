import { expect, test } from "vitest"
import { Reach } from "../../../run/reach.ts"
import { treeOfFiles } from "../../../run/tree.ts"

const reachOf = (source: string, files: Readonly<Record<string, string>>) => {
  const tree = treeOfFiles(Object.keys(files), (path) => Buffer.from(files[path] ?? ""))
  return new Reach(tree).of(source)
}

test("what a source imports is read in turn", () => {
  const files = {
    "test/a.test.ts": 'import { b } from "./support/b.ts"\nexport * from "../core/c.ts"',
    "test/support/b.ts": 'const { d } = await import("./d.ts")',
    "test/support/d.ts": "",
    "core/c.ts": "",
    "core/other.ts": "",
  }
  expect(reachOf("test/a.test.ts", files)).toEqual([
    "core/c.ts",
    "test/a.test.ts",
    "test/support/b.ts",
    "test/support/d.ts",
  ])
})

test("files and folders that are read are inputs, whichever way their path is written", () => {
  const files = {
    "test/a.test.ts": `
      join(root, "deploy/chart")
      join(root, "nginx", "templates", "http.liquid")
      join(root, "docs")
      join(import.meta.dirname, "cases")
      readFileSync(\`\${root}/wire/fixture.hex\`)
      new URL("./page.html", import.meta.url)
      readFileSync(join(shared, "spec/keys.json"))`,
    "deploy/chart/a.yaml": "",
    "deploy/chart/sub/b.yaml": "",
    "deploy/other.yaml": "",
    "nginx/templates/http.liquid": "",
    "nginx/templates/server.liquid": "",
    "docs/page.md": "",
    "test/cases/one.yaml": "",
    "test/page.html": "",
    "wire/fixture.hex": "",
    "../shared/spec/keys.json": "",
    "../shared/spec/other.json": "",
  }
  expect(reachOf("test/a.test.ts", files)).toEqual([
    "../shared/spec/keys.json",
    "deploy/chart/a.yaml",
    "deploy/chart/sub/b.yaml",
    "docs/page.md",
    "nginx/templates/http.liquid",
    "test/a.test.ts",
    "test/cases/one.yaml",
    "test/page.html",
    "wire/fixture.hex",
  ])
})

test("a program that is started is read as an import is", () => {
  const files = {
    "test/a.test.ts": 'spawn(node, [join(root, "controller/main.ts")])',
    "controller/main.ts": 'import "./run/run.ts"',
    "controller/run/run.ts": "",
  }
  expect(reachOf("test/a.test.ts", files)).toContain("controller/run/run.ts")
})

test("a source of AssemblyScript names others without their extension", () => {
  const files = { "f/index.ts": 'import { x } from "./lib/x"', "f/lib/x.ts": "" }
  expect(reachOf("f/index.ts", files)).toContain("f/lib/x.ts")
})

test("comments, names of objects and words are no paths", () => {
  const files = {
    "test/a.test.ts": '// see core/c.ts\n/** of demo/demo.ts */\nput("demo/app", "nginx", "nginx/1.22")',
    "core/c.ts": "",
    "demo/demo.ts": "",
    "nginx/lib.rs": "",
  }
  expect(reachOf("test/a.test.ts", files)).toEqual(["test/a.test.ts"])
})

test("pages that messages of the product name are none of its inputs", () => {
  const files = {
    "controller/a.ts": 'throw new Error("see docs/wire.md")',
    "test/a.ts": 'read("docs/wire.md")',
    "docs/wire.md": "",
  }
  expect(reachOf("controller/a.ts", files)).toEqual(["controller/a.ts"])
  expect(reachOf("test/a.ts", files)).toContain("docs/wire.md")
})
