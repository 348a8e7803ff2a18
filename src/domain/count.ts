// Counts in Brazilian Portuguese, separate from format.ts, whose date formats the sign-in page does not need.

/**
 * '12.000', '1,5'. Whole numbers avoid Intl, whose first use takes 150 ms on a slow phone before the first
 * card.
 */
export function formatNumber(value: number): string {
  if (!Number.isSafeInteger(value)) return value.toLocaleString('pt-BR')
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, '.')
}

/** '1 contato', '12 contatos' */
export function countOf(count: number, one: string, many: string): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`
}
