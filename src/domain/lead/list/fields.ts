// The fields of a row of an imported list, and why a row is refused.

/** The fields of a row, in the order in which requests send the cells. */
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
  'broker',
  'boardStage',
  'value',
  'tags',
  'arrivedAt',
  'lastContactAt',
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
  broker: 'Corretor',
  boardStage: 'Etapa no quadro',
  value: 'Valor',
  tags: 'Etiquetas',
  arrivedAt: 'Data de chegada',
  lastContactAt: 'Último contato',
} as const satisfies Record<ListField, string>

/** The fields of one row; empty ones are absent. */
export type ListRow = Partial<Record<ListField, string>>

/** Why a row is refused. portal.import_rows.fault stores the same codes. */
export type RowFault =
  | 'no-contact'
  | 'half-phone'
  | 'bad-phone'
  | 'cut-phone'
  | 'service-phone'
  | 'titles'
  | 'test'
  | 'erased'
  | ValueFault
  | BindingFault
/** The row has a value, an arrival or a last contact that the portal cannot read, although another system wrote it. */
type ValueFault = 'bad-value' | 'bad-arrival' | 'bad-last-contact'
/** The row names a broker or a stage that the portal does not know, and the administrator chose to refuse such rows. */
export const BINDING_FAULTS = ['unknown-broker', 'unknown-stage'] as const
export type BindingFault = (typeof BINDING_FAULTS)[number]

export const FAULT_TEXT = {
  'no-contact': 'Sem telefone nem e-mail',
  'half-phone': 'Telefone sem DDD',
  'bad-phone': 'O telefone não é válido',
  'cut-phone': 'A planilha cortou o telefone (1,1955E+10). Formate a coluna como texto.',
  'service-phone': 'Telefone de central (0800, 4004): ninguém responde no WhatsApp',
  titles: 'Linha de títulos repetida',
  test: 'Contato de teste da Meta',
  erased: 'Esta pessoa pediu a exclusão dos dados',
  'bad-value': 'O valor não é um número',
  'bad-arrival': 'A data de chegada não é um dia que já passou',
  'bad-last-contact': 'A data do último contato não é um dia que já passou',
  'unknown-broker': 'Corretor que você escolheu não importar',
  'unknown-stage': 'Etapa que você escolheu não importar',
} as const satisfies Record<RowFault, string>
