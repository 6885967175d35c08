/** The first line of what is printed. */
export function origin(comment: "//"): string {
  return `${comment} Printed by \`npm run wire\` from wire/: change it there.\n`
}
