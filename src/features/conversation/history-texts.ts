// Sentences of how a lead came in and went from broker to broker.
import type { LeadHistory } from '#data/lead-history.ts'
import { formatDateTime } from '#domain/format.ts'
import { sourceLabel } from '#domain/lead-source.ts'

export const HISTORY = 'Caminho do lead'
export const SEE_HISTORY = 'Ver o caminho deste lead'
export const HISTORY_FAILED = 'Não foi possível carregar o caminho deste lead.'
export const NO_HISTORY = 'Este lead não passou por nenhuma roleta.'
export const WHY = 'Por quê'
export const CAME_IN = 'Como chegou'

export const historyTitle = ({ roleta: rotation, development }: LeadHistory) =>
  rotation ?? development ?? 'Sem empreendimento'

type Intake = LeadHistory['intakes'][number]

/** 'Pela chave Site · origem Instagram · campanha Lançamento · código 4471'. */
export function intakeText({ key, source, campaign, listing }: Intake): string {
  const way = key === null ? 'Por mensagem ao número central' : `Pela chave ${key}`
  return [
    way,
    `origem ${sourceLabel(source)}`,
    ...(campaign === null ? [] : [`campanha ${campaign}`]),
    ...(listing === null ? [] : [`código ${listing}`]),
  ].join(' · ')
}

export const consentText = ({ consentAtMs, consentText: words }: Intake) =>
  consentAtMs === null
    ? null
    : `Consentimento em ${formatDateTime(consentAtMs)}${words === null ? '' : `: "${words}"`}`
