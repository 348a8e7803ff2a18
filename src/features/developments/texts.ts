// Texts that the list of developments and the page of one share.
import type { Price } from '#domain/development/development.ts'
import { shortDay } from '#domain/development/edit.ts'

export const NEW = 'Novo empreendimento'
export const SAVE_ONLINE = 'Você precisa de internet para salvar.'
export const NO_PRICE = 'Sem preço publicado'

/** A price is never shown without its day. */
export const priceDay = ({ isExpired, pricedOn, validUntil }: Price) =>
  isExpired ? `venceu em ${shortDay(validUntil)}` : `tabela de ${shortDay(pricedOn)}`

/** 'R$ 412 mil', 'R$ 1,18 mi', below a thousand in full. */
export function shortReais(cents: number): string {
  const reais = cents / 100
  if (reais >= 1_000_000) return `R$ ${compact(reais / 1_000_000)} mi`
  if (reais >= 1_000) return `R$ ${compact(reais / 1_000)} mil`
  return `R$ ${compact(reais)}`
}

const compact = (amount: number) => amount.toLocaleString('pt-BR', { maximumFractionDigits: 2 })
