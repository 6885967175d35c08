/** `1 route`, `2 routes`, `0 Ingresses` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`
}
