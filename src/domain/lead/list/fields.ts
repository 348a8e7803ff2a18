// The fields of a row of an imported list, and why a row is refused.

/** In the order of the cells in requests. */
export const LIST_FIELDS = [
  'name',
  'phone',
  'otherPhone',
  'email',
  'development',
  'source',
  'campaign',
  'note',
  'stage',
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
  stage: 'Etapa',
} as const satisfies Record<ListField, string>

/** The fields of one row; empty ones are absent. */
export type ListRow = Partial<Record<ListField, string>>

/** Why a row is refused; stored in portal.import_rows.fault. */
export type RowFault =
  'no-contact' | 'half-phone' | 'bad-phone' | 'cut-phone' | 'service-phone' | 'titles' | 'test' | 'erased'

export const FAULT_TEXT = {
  'no-contact': 'Sem telefone nem e-mail',
  'half-phone': 'Telefone sem DDD',
  'bad-phone': 'O telefone não é válido',
  'cut-phone': 'A planilha cortou o telefone (1,1955E+10). Formate a coluna como texto.',
  'service-phone': 'Telefone de central (0800, 4004): ninguém responde no WhatsApp',
  titles: 'Linha de títulos repetida',
  test: 'Contato de teste da Meta',
  erased: 'Esta pessoa pediu a exclusão dos dados',
} as const satisfies Record<RowFault, string>
