// Which of the numbered cases of ingress-nginx's behaviour (../shared/spec/cases.md) a test bears the number of: build/node build/cases.ts.
// A test bears a number when its name, or the folder of a golden case, begins with it; test/golden/README.md says what the numbers are.
import { existsSync, globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { root, shared } from "../harness/paths.ts"

interface Family {
  readonly title: string
  readonly numbers: readonly number[]
}

/** The families of the list, each under its heading, with the numbers that begin its lines. */
function familiesIn(text: string): Family[] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      title: part.slice(0, part.indexOf("\n")),
      numbers: [...part.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number)),
    }))
}

/** `"41: …"`, `"41, 42: …"` and `"41-44: …"` at the beginning of a text between quotes. */
function numbersInTests(): Set<number> {
  const texts = globSync("test/**/*.ts", { cwd: root }).map((file) => readFileSync(join(root, file), "utf8"))
  const heads = texts.flatMap((text) => [...text.matchAll(/["'`]((?:\d+(?:-\d+)?, ?)*\d+(?:-\d+)?): /g)])
  return new Set(heads.flatMap(([, head = ""]) => head.split(/, ?/).flatMap(range)))
}

function range(text: string): number[] {
  const [first = 0, last = first] = text.split("-").map(Number)
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

function numbersInGolden(): number[] {
  const folders = globSync("test/golden/*/*", { cwd: root }).map((folder) => basename(folder))
  return folders.flatMap((name) => /^(\d+)-/.exec(name)?.slice(1).map(Number) ?? [])
}

const list = join(shared, "spec/cases.md")
if (!existsSync(list)) throw new Error(`There is no ${list}: the list of cases is no part of the project`)
const covered = new Set([...numbersInTests(), ...numbersInGolden()])
for (const { title, numbers } of familiesIn(readFileSync(list, "utf8"))) {
  const left = numbers.filter((number) => !covered.has(number))
  const rest = left.length === 0 ? "" : `; left: ${left.join(" ")}`
  console.log(`${numbers.length - left.length} of ${numbers.length}  ${title}${rest}`)
}
