// Formats counts in Brazilian Portuguese. A file of its own, because the sign-in page does not need the dates of
// format.ts.

/**
 * For example '12.000' or '1,5'. Whole numbers avoid Intl, whose first use takes 150 ms on a slow phone and would delay
 * the first card.
 */
export function formatNumber(value: number): string {
  if (!Number.isSafeInteger(value)) return value.toLocaleString('pt-BR')
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, '.')
}

/** For example '1 contato', '12 contatos'. */
export function countOf(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}
