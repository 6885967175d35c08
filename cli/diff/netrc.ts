import { Failure } from "../../controller/support/failure.ts"

/** Users and passwords by host, as curl and ftp read them from `.netrc`. */
export interface Netrc {
  /** value of the header Authorization (RFC 7617); absent: nobody is known for this host */
  readonly authorizationFor: (host: string) => string | undefined
}

interface Entry {
  login?: string
  password?: string
}

/** Nobody is known anywhere. */
export const noCredentials: Netrc = { authorizationFor: () => undefined }

/**
 * `machine HOST login USER password PASSWORD`, and `default` for all other hosts. Words may stand in double quotes; a line that begins with `#` is a
 * comment. The first entry for a host counts.
 *
 * @throws Failure that names the line, never what stands there
 */
export function parseNetrc(text: string): Netrc {
  const hosts = new Map<string, Entry>()
  let entry: Entry | undefined
  const words = wordsOf(text)
  for (let at = 0; at < words.length; at += 1) {
    const { word = "", line = 0 } = words[at] ?? {}
    if (word === "default") entry = entryFor(hosts, "")
    else {
      const value = words[at + 1]?.word
      if (value === undefined) throw bad(line, `nothing follows its last word`)
      if (word === "machine") entry = entryFor(hosts, value.toLowerCase())
      else if (entry === undefined || !isField(word)) throw bad(line, "write machine, login and password")
      else if (word === "login" || word === "password") entry[word] ??= value
      at += 1
    }
  }
  return { authorizationFor: (host) => authorizationOf(hosts.get(host) ?? hosts.get("")) }
}

function entryFor(hosts: Map<string, Entry>, name: string): Entry {
  const entry = {}
  if (!hosts.has(name)) hosts.set(name, entry)
  return entry
}

function isField(word: string): boolean {
  return word === "login" || word === "password" || word === "account"
}

function authorizationOf({ login = "", password }: Entry = {}): string | undefined {
  if (password === undefined) return undefined
  return `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`
}

function wordsOf(text: string): readonly { word: string; line: number }[] {
  return text.split(/\r?\n/).flatMap((written, at) => {
    if (/^\s*#/.test(written)) return []
    const found = written.match(/"(?:[^"\\]|\\.)*"|\S+/g) ?? []
    return found.map((word) => ({ word: unquoted(word), line: at + 1 }))
  })
}

function unquoted(word: string): string {
  const isQuoted = word.length > 1 && word.startsWith('"') && word.endsWith('"')
  return isQuoted ? word.slice(1, -1).replace(/\\(.)/g, "$1") : word
}

function bad(line: number, what: string): Failure {
  return new Failure("credentials-unreadable", `Cannot read line ${line} of the credentials: ${what}`)
}
