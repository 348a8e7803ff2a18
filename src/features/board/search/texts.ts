// Texts of the search.
import { countOf } from '#domain/count.ts'

export const SEARCH = 'Buscar contato'
export const CLEAR_SEARCH = 'Limpar busca'
export const STILL_READING = 'Ainda lendo os contatos guardados neste aparelho…'

export const noneWith = (query: string) => `Nenhum contato com "${query.trim()}"`
export const found = (count: number) => countOf(count, 'contato encontrado', 'contatos encontrados')
