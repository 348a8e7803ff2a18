// Texts of the next step.
import type { ActionKind } from '#domain/next-action/next-action.ts'
import { ACTION_LABEL } from '#domain/next-action/words.ts'

export const NEXT_STEP = 'Próximo passo'
export const UNDO = 'Desfazer'
export const SAVE_FAILED = 'Não foi possível salvar o próximo passo.'

/** For example 'Ligar hoje 17h'. */
export const stepWords = (kind: ActionKind, when: string) => `${ACTION_LABEL[kind]} ${when}`
/** For screen readers: 'Próximo passo: ligar hoje, 17 horas.' */
export const spokenStep = (words: string) => `${NEXT_STEP}: ${words}.`
