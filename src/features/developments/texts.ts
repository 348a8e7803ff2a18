// Texts that both the list of developments and the page of one development use.
import type { Price } from '#domain/development/development.ts'
import { shortDay } from '#domain/development/price-words.ts'

export const NEW = 'Novo empreendimento'
export const SAVE_ONLINE = 'Você precisa de internet para salvar.'
export const NO_PRICE = 'Sem preço publicado'

/** A price is always shown with the day it is from. */
export const priceDay = ({ isExpired, pricedOn, validUntil }: Price) =>
  isExpired ? `venceu em ${shortDay(validUntil)}` : `tabela de ${shortDay(pricedOn)}`
