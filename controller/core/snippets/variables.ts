// Variables in words, as nginx compiles them. Source: nginx, ngx_http_script_compile; names are compared without regard to case
// (ngx_http_get_variable_index), so what goes on has them in small letters.

/** Literal text, `$name`, or `$1` to `$9`. */
export type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "variable"; readonly name: string }
  | { readonly kind: "group"; readonly number: number }

/** @returns nginx's own words where it would refuse the text */
export function piecesOf(text: string): readonly Piece[] | string {
  const pieces: Piece[] = []
  for (let at = 0; at < text.length; ) {
    const found = pieceAt(text, at)
    if (typeof found === "string") return found
    pieces.push(found.piece)
    at += found.length
  }
  return pieces
}

function pieceAt(text: string, at: number): { piece: Piece; length: number } | string {
  const [literal] = match(/[^$]+/y, text, at)
  if (literal !== undefined) return { piece: { kind: "text", text: literal }, length: literal.length }
  const [group] = match(/\$[1-9]/y, text, at)
  if (group !== undefined) return { piece: { kind: "group", number: Number(group.slice(1)) }, length: 2 }
  const [whole, braced, bare] = match(/\$(?:\{([A-Za-z0-9_]+)\}|([A-Za-z0-9_]+))/y, text, at)
  const name = braced ?? bare
  if (whole !== undefined && name !== undefined)
    return { piece: { kind: "variable", name: name.toLowerCase() }, length: whole.length }
  const [, opened] = match(/\$\{([A-Za-z0-9_]+)/y, text, at)
  return opened === undefined
    ? "invalid variable name"
    : `the closing bracket in "${opened}" variable is missing`
}

function match(pattern: RegExp, text: string, at: number): readonly (string | undefined)[] {
  pattern.lastIndex = at
  return pattern.exec(text) ?? []
}

/** The text of pieces in the one way that wick writes it: braces only where the name would not end by itself. */
export function printPieces(pieces: readonly Piece[]): string {
  return pieces.map((piece, nth) => printPiece(piece, pieces[nth + 1])).join("")
}

function printPiece(piece: Piece, next: Piece | undefined): string {
  if (piece.kind === "text") return piece.text
  if (piece.kind === "group") return `$${piece.number}`
  const goesOn = next?.kind === "text" && /^[A-Za-z0-9_]/.test(next.text)
  return goesOn ? `\${${piece.name}}` : `$${piece.name}`
}

/** Each once. */
export function variablesOf(pieces: readonly Piece[]): readonly string[] {
  return [...new Set(pieces.flatMap((piece) => (piece.kind === "variable" ? [piece.name] : [])))]
}

/** Names of the groups of a pattern: nginx makes variables of them. Source: PCRE2, pcre2pattern(3), "Named capture groups". */
export function groupNamesOf(pattern: string): readonly string[] {
  const named = /(?<!\\)(?:\\\\)*\(\?P?(?:<([A-Za-z_]\w*)>|'([A-Za-z_]\w*)')/g
  return [...pattern.matchAll(named)].map(([, angled, quoted]) => (angled ?? quoted ?? "").toLowerCase())
}
