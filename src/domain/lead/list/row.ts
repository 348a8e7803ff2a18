// One row of a list of leads: what its cells may be, and the lead it is or why it is none.
import { cleanText, cutText } from '#domain/clean-text.ts'
import { isName, tidyName } from '../adding.ts'
import { phoneKey, storedNumber } from '#domain/phone/number-key.ts'
import { type NumberFault, type NumbersRead, numbersIn } from '#domain/phone/read.ts'

/** In the order in which a row's cells travel. */
export const LIST_FIELDS = [
  'name',
  'phone',
  'otherPhone',
  'email',
  'development',
  'source',
  'campaign',
  'note',
] as const
export type ListField = (typeof LIST_FIELDS)[number]

export const FIELD_LABEL = {
  name: 'Nome',
  phone: 'Telefone',
  otherPhone: 'Outro telefone',
  email: 'E-mail',
  development: 'Empreendimento',
  source: 'Origem',
  campaign: 'Campanha',
  note: 'Observação',
} as const satisfies Record<ListField, string>

/** What the cells of one row say; what is not mapped is not there. */
export type ListRow = Partial<Record<ListField, string>>

/** Why no lead can be made of a row; in SQL it is portal.import_rows.fault. */
export type RowFault = 'no-contact' | 'half-phone' | 'bad-phone' | 'cut-phone' | 'erased'

export const FAULT_TEXT = {
  'no-contact': 'Sem telefone nem e-mail',
  'half-phone': 'Telefone sem DDD',
  'bad-phone': 'O telefone não é válido',
  'cut-phone': 'A planilha cortou o telefone (1,1955E+10). Formate a coluna como texto.',
  erased: 'Esta pessoa pediu a exclusão dos dados',
} as const satisfies Record<RowFault, string>

/** As portal.take_import_rows takes it. */
export type ListLead = {
  name: string | null
  /** As portal.shown_number gives it; null where only an e-mail is told. */
  number: string | null
  /** portal.number_key of the number. */
  key: string | null
  /** Further numbers of the same person, as `number`. */
  numbers: readonly string[]
  /** In small letters. */
  email: string | null
  development: string | null
  source: string | null
  campaign: string | null
  note: string | null
}

export type ReadRow = { lead: ListLead; fault: null } | { lead: null; fault: RowFault }

const MOST = { name: 200, email: 254, development: 120, source: 60, campaign: 200, note: 4_000 } as const
const EMAIL = /^[^\s<>"'(),;:@]+@[^\s<>"'(),;:@]+\.[a-z]{2,}$/i

/** What is too long is cut. An e-mail that is none is kept in the note, beside a phone that is one. */
export function readRow(row: ListRow): ReadRow {
  const text = (field: keyof typeof MOST) =>
    cutText(cleanText(row[field] ?? '').trim(), MOST[field]).trimEnd() || null
  const phones = numbersIn([row.phone, row.otherPhone])
  const [number = null, ...others] = phones.numbers.map(({ e164 }) => storedNumber(e164))
  const given = text('email')
  const email = given !== null && EMAIL.test(given) ? given.toLowerCase() : null
  if (number === null && email === null) return { lead: null, fault: faultOf(phones) }
  const odd = [
    given !== null && email === null && `E-mail na lista: ${given}`,
    phones.rest !== '' && `Telefone na lista: ${cutText(cleanText(phones.rest), 200)}`,
  ]
  const name = tidyName(text('name') ?? '')
  return {
    fault: null,
    lead: {
      name: isName(name) ? name : null,
      number,
      key: number === null ? null : phoneKey(number),
      numbers: others,
      email,
      development: text('development'),
      source: slugOf(text('source')),
      campaign: text('campaign'),
      note: [text('note'), ...odd].filter((part) => typeof part === 'string').join('\n') || null,
    },
  }
}

const faultOf = ({ fault, rest }: NumbersRead): RowFault =>
  fault === null || (fault === 'empty' && rest === '') ? 'no-contact' : ROW_FAULT[fault]

const ROW_FAULT = {
  empty: 'bad-phone',
  area: 'half-phone',
  cut: 'cut-phone',
  service: 'bad-phone',
  number: 'bad-phone',
} as const satisfies Record<NumberFault, RowFault>

/** 'Mídia física' as 'midia-fisica', so that figures count it with what forms bring in. */
function slugOf(source: string | null): string | null {
  const slug = (source ?? '')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return slug === '' ? null : slug
}
