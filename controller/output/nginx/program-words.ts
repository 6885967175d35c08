const maxReason = 400

/** Words of a program, to be put behind a colon. Those about what a user wrote are partly the user's own: they may be long, and hold anything. */
export function reasonIn(words: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: taking them out is its purpose
  const plain = words.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim()
  const phrase = plain.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase()).replace(/\.$/, "")
  return phrase.length > maxReason ? `${phrase.slice(0, maxReason)}…` : phrase
}
