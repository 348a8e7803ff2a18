// What a row of a list of leads may tell, and why no lead can be made of one.

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

/** What one row says; empty fields are left out. */
export type ListRow = Partial<Record<ListField, string>>

/** Why no lead can be made of a row; in SQL it is portal.import_rows.fault. */
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
