// Tells which portal sent a mail, which mails contain no lead whatever their text, and which senders are no persons.
import type { Address, Mail } from './mail.ts'

/**
 * Why a mail is no lead. Null: its content decides. Mails of portals may be marked as bulk or automatic all the same.
 */
export function noLeadReason({ headers, from, subject, parts }: Mail): string | null {
  const type = (headers['content-type'] ?? '').toLowerCase()
  const local = localOf(from?.address ?? '')
  if (
    /multipart\/report|delivery-status|disposition-notification/.test(type) ||
    /^(?:mailer-daemon|postmaster)$/.test(local)
  )
    return 'E-mail devolvido'
  if (
    /^(?:undeliver|mail delivery failed|delivery status notification|returned mail|não entregue|falha na entrega)/i.test(
      subject,
    )
  )
    return 'E-mail devolvido'
  if (
    /auto-replied/i.test(headers['auto-submitted'] ?? '') ||
    'x-autoreply' in headers ||
    'x-autorespond' in headers ||
    /auto_reply/i.test(headers['precedence'] ?? '') ||
    /^(?:resposta autom[aá]tica|automatic reply|auto(?:matic)?[- ]?reply|fora do escrit[oó]rio|out of (?:the )?office)/i.test(
      subject,
    )
  )
    return 'Resposta automática'
  if (/text\/calendar/.test(type) || parts.some((part) => /^text\/calendar/i.test(part)))
    return 'Convite de agenda'
  return null
}

export const isBulk = ({ headers }: Mail): boolean =>
  'list-id' in headers ||
  'list-unsubscribe' in headers ||
  /^(?:bulk|list|junk)$/i.test(headers['precedence'] ?? '') ||
  'feedback-id' in headers

const ROLE =
  /^(?:no[._-]?reply|nao[._-]?responda|naoresponder|donotreply|leads?|contatos?|contact|consultas?|atendimento|notific\w*|avisos?|alertas?|alerts?|news\w*|novidades|boletim|info|informacoes|suporte|support|admin\w*|site|wordpress|webmaster|mailer|marketing|comercial|vendas|sistema|system|equipe|time|ola|hello|root|www-data|apache|cobranca|financeiro|boletos?|nfe?|faturas?|bounces?|comunica\w*|relacionamento|sac|rh|imprensa|portal|formularios?|forms?|postmaster|mailer-daemon)(?:[+._-].*)?$/i

/** A shared or automatic address. */
export const isRole = (address: string): boolean => ROLE.test(localOf(address))

const localOf = (address: string): string => address.split('@')[0] ?? ''
export const domainOf = (address: string): string => address.split('@')[1] ?? ''

const PORTALS: readonly (readonly [RegExp, string])[] = [
  [/viva ?real/, 'Viva Real'],
  [/grupo ?zap|canal ?pro/, 'Grupo OLX'],
  [/\bzap\b|zap ?im[oó]veis/, 'ZAP Imóveis'],
  [/\bolx\b|olxbr/, 'OLX'],
  [/imovelweb|navent/, 'ImovelWeb'],
  [/chaves ?na ?m[aã]o/, 'Chaves na Mão'],
]

export function portalOf(sender: Address): string | null {
  const text = `${sender.name} ${sender.address}`.toLowerCase()
  return PORTALS.find(([like]) => like.test(text))?.[1] ?? null
}
