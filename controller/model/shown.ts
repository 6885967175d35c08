/** How many characters of a user's text a message repeats. */
const maxShown = 80

/**
 * A user's text as messages quote it: in double quotes, cut to 80 characters, everything but printable ASCII escaped as in JSON, so that
 * it can neither break a log line nor pass for something else.
 */
export function shown(text: string): string {
  const cut = text.length > maxShown ? `${text.slice(0, maxShown)}…` : text
  return JSON.stringify(cut).replace(/[^\x20-\x7e…]/gu, (character) => {
    const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("")
  })
}
