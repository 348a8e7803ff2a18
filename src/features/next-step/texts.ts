// Sentences of the next step.
import type { ActionKind } from '#domain/next-action.ts'
import { ACTION_LABEL } from '#domain/next-action-words.ts'

export const NEXT_STEP = 'Próximo passo'
export const NOT_NOW = 'Agora não'
export const CHOOSE = 'Escolher'
export const VISIT = 'Visita'
export const UNDO = 'Desfazer'
export const WHAT = 'O que fazer'
export const WHEN = 'Quando'
export const NOTE = 'Anotação'
export const NOTE_HINT = 'Opcional'
export const OTHER_TIME = 'Outro dia e hora'
export const DAY_AND_HOUR = 'Dia e hora'
export const FINISH = 'Concluir'
export const SNOOZE_HOUR = 'Adiar 1 h'
export const CHANGE = 'Mudar'
export const REMOVE = 'Excluir'
export const NO_ANSWER_NEEDED = 'Não precisa de resposta'
export const FINISHED = 'Concluído'
export const REMOVED = 'Próximo passo excluído'
export const QUIETED = 'Não espera mais resposta'
export const SAVE_FAILED = 'Não foi possível salvar o próximo passo.'

/** 'Ligar hoje 17h' */
export const stepWords = (kind: ActionKind, when: string) => `${ACTION_LABEL[kind]} ${when}`
export const snoozeTo = (when: string) => when.charAt(0).toUpperCase() + when.slice(1)
export const putOffTo = (when: string) => `Adiado para ${when}`
/** 'Próximo passo: ligar hoje, 17 horas.' is heard as it reads. */
export const spokenStep = (words: string) => `${NEXT_STEP}: ${words}.`
