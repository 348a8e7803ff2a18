// Sentences of the assistant's draft.
export const SUGGESTION = 'Sugestão do assistente'
/** As server/agents/engine/rules-model.ts calls itself. */
export const isDemoModel = (model: string | null) => model?.startsWith('modelo de demonstração') ?? false
export const DEMO_MODEL = 'responde por regras'
export const USE = 'Usar'
export const EDIT = 'Editar'
export const DISMISS = 'Dispensar'
/** 'usou a tabela de 21/11', of a day '2026-11-21'. */
export const usedSource = (day: string) => `usou a tabela de ${day.slice(8, 10)}/${day.slice(5, 7)}`
