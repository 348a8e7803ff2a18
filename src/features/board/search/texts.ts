// Sentences of the search.
import { countOf } from '#domain/format.ts'

export const SEARCH = 'Buscar contato'
export const SEARCH_PLACEHOLDER = 'Buscar por nome, número ou nota'
export const SEARCH_HINT =
  'Encontre alguém pelo nome, pelo número ou pelo que está na nota, em qualquer estágio.'
export const CLEAR_SEARCH = 'Limpar busca'
export const CLOSE_SEARCH = 'Fechar busca'
export const RESULTS = 'Resultados da busca'
export const STILL_READING = 'Ainda lendo os contatos guardados neste aparelho…'

export const noneWith = (query: string) => `Nenhum contato com "${query.trim()}"`
export const found = (count: number) => countOf(count, 'contato encontrado', 'contatos encontrados')
