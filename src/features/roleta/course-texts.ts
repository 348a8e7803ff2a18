// Sentences of leads on their way, and of how each came in and went. PRODUCT.md 4.2.
import type { LeadCourse, OpenCase } from '#data/lead-courses.ts'
import { formatDateTime, formatHour } from '#domain/format.ts'
import { formatPhone } from '#domain/phone.ts'

export const OPEN_LEADS = 'Leads sem corretor'
export const NO_OPEN_LEADS = 'Nenhum lead esperando.'
export const NO_OPEN_LEADS_HINT =
  'Aparecem aqui os que estão sendo oferecidos, os do bolsão e os que nenhuma roleta recebe.'
export const NO_DEVELOPMENT = 'Sem empreendimento'
export const STATE: Record<OpenCase['state'], string> = {
  waiting: 'Aguardando corretor',
  offered: 'Oferecido',
  pool: 'No bolsão',
  inbox: 'Com o administrador',
}
export const COURSE = 'Caminho do lead'
export const COURSE_FAILED = 'Não foi possível carregar o caminho deste lead.'
export const NO_COURSE = 'Este lead não passou por nenhuma roleta.'
export const WHY = 'Por quê'
export const CAME_IN = 'Como chegou'

export const courseLabel = (name: string) => `Ver o caminho de ${name}`
export const until = (ms: number) => `até ${formatHour(ms)}`
export const leadName = ({ name, number }: Pick<OpenCase, 'name' | 'number'>) =>
  name?.trim() || (number === null ? 'Sem nome' : formatPhone(number))

export const courseTitle = ({ roleta, development }: LeadCourse) => roleta ?? development ?? NO_DEVELOPMENT

type Intake = LeadCourse['intakes'][number]

/** 'Pela chave Site, de instagram, campanha Lançamento'. */
export function intakeText({ key, source, campaign }: Intake): string {
  const way = key === null ? 'Por mensagem ao número central' : `Pela chave ${key}`
  return [way, `origem ${source}`, ...(campaign === null ? [] : [`campanha ${campaign}`])].join(' · ')
}

export const consentText = ({ consentAtMs, consentText: words }: Intake) =>
  consentAtMs === null
    ? null
    : `Consentimento em ${formatDateTime(consentAtMs)}${words === null ? '' : `: "${words}"`}`
