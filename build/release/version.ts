// The version, wherever it stands: `build/node build/release/version.ts VERSION [DATE]` writes it there and gives the changes of
// CHANGELOG.md its name; the notes of the release go to standard output, and with `--notes VERSION` those of one that was made.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const root = join(import.meta.dirname, "../..")

/** A place of the version: everything but what is between the two groups stays. */
interface Place {
  readonly file: string
  readonly pattern: RegExp
}

/** Lock files of Cargo follow by `cargo update --workspace`, manifests by `npm run docs`. */
export const places: readonly Place[] = [
  { file: "package.json", pattern: /^( {2}"version": ").*(",)$/m },
  { file: "package-lock.json", pattern: /^( {2}"version": ").*(",)$/m },
  { file: "package-lock.json", pattern: /^( {6}"name": "wick",\n {6}"version": ").*(",)$/m },
  { file: "nginx/Cargo.toml", pattern: /^(version = ").*(")$/m },
  { file: "launcher/Cargo.toml", pattern: /^(version = ").*(")$/m },
  { file: "deploy/chart/Chart.yaml", pattern: /^(version: ).*()$/m },
  { file: "deploy/chart/Chart.yaml", pattern: /^(appVersion: ).*()$/m },
  { file: "deploy/chart/Chart.yaml", pattern: /^( {6}image: registry\.wick\.dev\/wick\/controller:).*()$/m },
  { file: "Dockerfile", pattern: /^(ARG VERSION=).*()$/m },
]

/** What stands there now. @throws Error when the file has no such place any more */
export function versionAt({ file, pattern }: Place): string {
  const [whole, before = "", after = ""] = pattern.exec(readFileSync(join(root, file), "utf8")) ?? []
  if (whole === undefined) throw new Error(`${file} does not say its version where it did`)
  return whole.slice(before.length, whole.length - after.length)
}

/** Of https://semver.org, without what builds are told apart by: registries of images and charts do not take a plus. */
export function isVersion(text: string): boolean {
  const number = String.raw`(0|[1-9]\d*)`
  return new RegExp(`^${number}\\.${number}\\.${number}(-[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?$`).test(text)
}

const unreleased = "## Unreleased\n"

/**
 * The changelog with its latest changes under a version, and these changes by themselves.
 *
 * @param date as `2026-11-23`
 * @throws Error when nothing has changed, or the version has been released
 */
export function released(
  changelog: string,
  version: string,
  date: string,
): { readonly changelog: string; readonly notes: string } {
  if (changelog.includes(`\n## ${version} (`))
    throw new Error(`CHANGELOG.md has a version ${version} already`)
  const start = changelog.indexOf(unreleased)
  const rest = changelog.slice(start + unreleased.length)
  const [section = ""] = rest.split(/^## /m)
  const notes = section.trim()
  if (start === -1 || notes === "") throw new Error('CHANGELOG.md has nothing under "## Unreleased"')
  const older = rest.slice(section.length)
  const heading = `${unreleased}\n## ${version} (${date})\n\n`
  return { changelog: `${changelog.slice(0, start)}${heading}${notes}\n${older && `\n${older}`}`, notes }
}

/** The changes of a version that was released. @throws Error when there is none */
export function notesOf(changelog: string, version: string): string {
  const [, section] = changelog.split(`\n## ${version} (`)
  if (section === undefined) throw new Error(`CHANGELOG.md has no version ${version}`)
  const [text = ""] = section.slice(section.indexOf("\n")).split(/^## /m)
  return text.trim()
}

function main(version: string, date: string): void {
  if (!isVersion(version)) throw new Error(`"${version}" is no version: write 1.2.3 or 1.2.3-rc.1`)
  const file = join(root, "CHANGELOG.md")
  const { changelog, notes } = released(readFileSync(file, "utf8"), version, date)
  for (const place of places) versionAt(place)
  for (const { file: name, pattern } of places) {
    const path = join(root, name)
    writeFileSync(path, readFileSync(path, "utf8").replace(pattern, `$1${version}$2`))
  }
  writeFileSync(file, changelog)
  process.stdout.write(`${notes}\n`)
}

function printNotes(version: string): void {
  process.stdout.write(`${notesOf(readFileSync(join(root, "CHANGELOG.md"), "utf8"), version)}\n`)
}

if (import.meta.main) {
  try {
    if (process.argv[2] === "--notes") printNotes(process.argv[3] ?? "")
    else main(process.argv[2] ?? "", process.argv[3] ?? new Date().toISOString().slice(0, 10))
  } catch (error) {
    process.stderr.write(`wick: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
