/** How many characters of a user's text a message repeats. */
const maxShown = 80

/** What stands before the `@` of a URL (RFC 3986, 3.2.1): often a password, and messages are read by many. */
const userInformation = /(:\/\/)[^/?#\s]*@/g

/**
 * A user's text as messages quote it: in double quotes, without the user names and passwords of URLs, cut to 80 characters, everything
 * but printable ASCII escaped as in JSON, so that it can neither break a log line nor pass for something else.
 */
export function shown(text: string): string {
  const open = text.replace(userInformation, "$1…@")
  const cut = open.length > maxShown ? `${open.slice(0, maxShown)}…` : open
  return JSON.stringify(cut).replace(/[^\x20-\x7e…]/gu, (character) => {
    const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("")
  })
}
