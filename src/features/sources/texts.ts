// Texts of the lead sources.
import { countOf, formatNumber } from '#domain/count.ts'
import { formatPhone } from '#domain/phone/phone.ts'
import type { ReadAgain, Tested } from './data.ts'

export const CONNECT = 'Ligar uma fonte'
export const OWN_DEVELOPMENT = 'Roleta do empreendimento'
export const ADDRESS_NOT_COPIED = 'Não foi possível copiar. Mostre o endereço e copie o texto.'
export const ADDRESS_FAILED = 'Não foi possível mostrar o endereço.'
export const TEST_FAILED = 'Não foi possível enviar o teste.'
export const CHANGE_FAILED = 'Não foi possível salvar.'
/** For example '120 por minuto'. */
export const perMinuteOf = (leads: number) => `${formatNumber(leads)} por minuto`
export const whereOf = (development: string | undefined) =>
  development === undefined ? OWN_DEVELOPMENT : `Roleta ${development}`

/** For example 'Lido por inteiro: nome, telefone, mensagem, código 4471'. */
export function testedText({ fault, told }: Tested): string {
  if (told === null) return fault ?? TEST_FAILED
  const parts = [
    told.name !== null && 'nome',
    told.number !== null && 'telefone',
    told.email !== null && 'e-mail',
    told.message !== null && 'mensagem',
    told.listing !== null && `código ${told.listing}`,
  ].filter((part) => part !== false)
  return `Lido por inteiro: ${parts.join(', ')}`
}

export const READING = 'Lendo...'
export const READ_FAILED = 'Não foi possível ler esta entrega.'
/** Formats the phone number that a lead without a name has in place of the name. */
const calledBy = (name: string) => (/^\d{10,15}$/.test(name) ? formatPhone(name) : name)

/**
 * For one delivery: 'Lido: Luiz Ramos', or the reason why it is unreadable. For several: how many were read and not
 * read.
 */
export function readText(read: readonly ReadAgain[]): { text: string; tone: 'success' | 'error' } {
  const [first] = read
  const left = read.filter(({ fault }) => fault !== null).length
  if (read.length === 1 && first)
    return first.fault === null
      ? { text: first.name === null ? 'Lido.' : `Lido: ${calledBy(first.name)}`, tone: 'success' }
      : { text: `${READ_FAILED} ${first.fault}.`, tone: 'error' }
  return {
    text: `${countOf(read.length - left, 'entrega lida', 'entregas lidas')}${left === 0 ? '' : `, ${left} ainda não`}.`,
    tone: left === read.length ? 'error' : 'success',
  }
}
