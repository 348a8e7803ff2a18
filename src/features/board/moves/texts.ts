// Sentences about a card's moves.
import { type Lead, leadTitle } from '#domain/lead.ts'

export const MOVE_TO = 'Mover para'
export const UNDO = 'Desfazer'
export const FIRST_STAGE = 'Primeiro estágio'
export const LAST_STAGE = 'Último estágio'
export const MOVE_FAILED = 'Erro ao atualizar status do lead. Tente novamente.'
export const ENDS_HERE = 'Este estágio encerra o atendimento. Depois ainda dá para desfazer.'
export const MOVE_NOW = 'Mover'
export const UNDONE = 'Movimento desfeito.'
export const DRAG_CANCELLED = 'Movimento cancelado.'

const UNKNOWN_ERROR = 'Erro desconhecido'

/** The first name, or whatever else the lead goes by. */
function shortName(lead: Lead): string {
  return lead.name?.trim().split(/\s+/)[0] || leadTitle(lead)
}

export const movedTo = (lead: Lead, stage: string) => `${shortName(lead)} foi para ${stage}`
export const movedSpoken = (lead: Lead, stage: string) =>
  `${leadTitle(lead)} movido para ${stage}. Desfazer disponível.`
/** `reason` is the server's word; null where nothing came of the sending. */
export const moveRefused = (reason: string | null) =>
  reason === null ? MOVE_FAILED : `Erro ao atualizar status: ${reason || UNKNOWN_ERROR}`
/** After a refusal: back where it was, or where someone else moved it. */
type Place = { stage: string; isBack: boolean }
const at = ({ stage, isBack }: Place) => `${isBack ? 'voltou para' : 'está em'} ${stage}`
export const standsAt = (lead: Lead, place: Place) => `${shortName(lead)} ${at(place)}`
export const standsAtSpoken = (lead: Lead, place: Place) =>
  `Não foi possível mover. ${leadTitle(lead)} ${at(place)}.`
export const moveQuestion = (lead: Lead, stage: string) => `Mover ${shortName(lead)} para ${stage}?`

export const pickedUp = (lead: Lead) =>
  `${leadTitle(lead)} na mão. Use as setas para escolher o estágio, espaço para soltar, Esc para cancelar.`
export const overStage = (stage: string, position: number, total: number) =>
  `Sobre ${stage}, estágio ${position} de ${total}.`
export const droppedIn = (stage: string) => `Solto em ${stage}.`
export const HAND_OVER = 'Passar para outro corretor'
