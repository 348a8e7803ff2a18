// Words in sentences of the audit log: settings, fields, kinds, files, and lists of them.
import { PROMPT_LABEL } from './agent/agent.ts'

export const called = (name: string) => `“${name}”`
export const owner = (name: string) => (name === '' ? 'o administrador' : name)
export const ofOwner = (name: string) => (name === '' ? 'do administrador' : `de ${name}`)
export const listOwner = (destination: string, name: string) =>
  destination === 'rotation' ? `a roleta ${called(name)}` : owner(name)
const KINDS: Readonly<Record<string, string>> = { open: 'Aberto', won: 'Ganho', lost: 'Perdido' }
export const kindOf = (kind: string) => KINDS[kind] ?? kind
export const PURPOSES: Readonly<Record<string, string>> = { password: 'senha errada', code: 'código errado' }
export const SIGN_OUT_SCOPES: Readonly<Record<string, string>> = {
  global: 'de todos os aparelhos',
  others: 'dos outros aparelhos',
}
export const SETTING_NAMES: Readonly<Record<string, string>> = {
  time_zone: 'o fuso horário',
  agency_name: 'o nome da imobiliária',
  agency_color: 'a cor da imobiliária',
  agency_logo: 'o logotipo da imobiliária',
  opens_at: 'o início do horário das campanhas',
  closes_at: 'o fim do horário das campanhas',
  sends_on_sundays: 'o envio aos domingos',
  daily_cap: 'o limite diário das campanhas',
  warm_up_from: 'o primeiro dia do aquecimento',
  warm_up_days: 'os dias do aquecimento',
  rest_days: 'os dias de descanso entre campanhas',
  page_visits: 'o registro de visitas às páginas',
}
export const AGENT_FIELDS: Readonly<Record<string, string>> = {
  ...PROMPT_LABEL,
  nome_agente: 'Nome',
  empreendimento: 'Empreendimento',
  instanceName: 'WhatsApp central',
  listar_horarios: 'Listar Horários',
  agendamento: 'Agendamento',
}
/** What can be exported, by the words that a sentence uses. */
const EXPORTS = {
  audit: 'a auditoria',
  roleta: 'os leads distribuídos pela roleta',
  leads: 'os leads',
  'import-refused': 'as linhas recusadas de uma lista',
  campaigns: 'o histórico de campanhas',
  'campaign-summary': 'o resumo de campanhas por corretor',
}

export type ExportKind = keyof typeof EXPORTS

export const EXPORTED = new Map<string, string>(Object.entries(EXPORTS))

export const ROTATION_RULES: Readonly<Record<string, string>> = {
  needsAcceptance: 'a exigência de aceite',
  acceptMinutes: 'o tempo para aceitar',
  answerMinutes: 'o tempo para responder',
  targetMinutes: 'a meta da primeira resposta',
  listerFirst: 'a vez do angariador',
  teamId: 'a equipe',
  maxHops: 'as tentativas antes do bolsão',
  textCode: 'o código nos links',
}

export function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'sim' : 'não'
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

export const listOf = (value: unknown, labels: Readonly<Record<string, string>> = {}) =>
  (Array.isArray(value) ? value : []).map((each) => labels[textOf(each)] ?? textOf(each)).join(', ')
