// Sentences about a card's moves.
import { type Lead, leadTitle } from '#domain/lead/lead.ts'

export const MOVE_TO = 'Mover para'
export const FIRST_STAGE = 'Primeiro estágio'
export const LAST_STAGE = 'Último estágio'
export const DRAG_CANCELLED = 'Movimento cancelado.'

/** Returns the lead's first name, or what leadTitle shows for a lead without a name. */
function shortName(lead: Lead): string {
  return lead.name?.trim().split(/\s+/)[0] || leadTitle(lead)
}

export const movedTo = (lead: Lead, stage: string) => `${shortName(lead)} foi para ${stage}`
/** Where a lead is after a refused move. `isBack`: in its old stage; otherwise somebody else moved it there. */
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
