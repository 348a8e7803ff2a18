// So many of something, in Brazilian Portuguese; without the calendars of format.ts, which the sign-in page does not need.

/** '1 contato', '12 contatos' */
export function countOf(count: number, one: string, many: string): string {
  return `${count.toLocaleString('pt-BR')} ${count === 1 ? one : many}`
}
