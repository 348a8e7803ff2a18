// Sentences of the leads that no broker has yet.
import type { OpenRoutingCase } from '#data/lead-history.ts'
import { formatHour } from '#domain/format.ts'
import { formatPhone } from '#domain/phone.ts'

export const OPEN_LEADS = 'Leads a distribuir'
export const OPEN_LEADS_HINT =
  'Os que chegaram pela captação ou pelo número central e ainda não têm corretor. Os que ficaram de um corretor removido não estão aqui.'
export const NO_OPEN_LEADS = 'Nenhum lead esperando.'
export const NO_OPEN_LEADS_HINT =
  'Aparecem aqui os que estão sendo oferecidos, os do bolsão e os que nenhuma roleta recebe.'
export const NO_DEVELOPMENT = 'Sem empreendimento'
export const STATE: Record<OpenRoutingCase['state'], string> = {
  waiting: 'Aguardando corretor',
  offered: 'Oferecido',
  pool: 'No bolsão',
  inbox: 'Com o administrador',
}
export const historyLabel = (name: string) => `Ver o caminho de ${name}`
export const until = (ms: number) => `até ${formatHour(ms)}`
export const ONLY_EMAIL = 'Só e-mail'
export const NUMBER = 'WhatsApp'
export const NUMBER_MISSING = 'Informe o telefone com DDD, por exemplo (11) 95550-0142.'
export const COMPLETE = 'Salvar e distribuir'
export const COMPLETING = 'Salvando...'
export const COMPLETE_HINT = 'Este lead deixou só o e-mail. Com o telefone ele segue para a roleta.'
export const COMPLETED = 'Telefone salvo. O lead segue para a roleta.'
export const COMPLETED_KNOWN = 'Este telefone já era de um lead: os dois agora são um.'
export const leadName = ({ name, number, email }: Pick<OpenRoutingCase, 'name' | 'number' | 'email'>) =>
  name?.trim() || (number === null ? (email ?? 'Sem nome') : formatPhone(number))
