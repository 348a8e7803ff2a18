// Sentences of how an agent works.
import type { AgentMode } from '#domain/agent.ts'

export const HOW_IT_WORKS = 'Como ele atende'
export const MODE_PURPOSE: Record<AgentMode, string> = {
  off: 'Ninguém responde no lugar do corretor.',
  suggest: 'Escreve um rascunho. O corretor decide se envia.',
  after_hours: 'Responde das 20h às 8h e aos domingos.',
  answer: 'Responde sempre e passa ao corretor quando precisa.',
}
export const MODE_FAILED = 'Não foi possível mudar como o agente atende.'
export const modeChanged = (label: string) => `Modo: ${label}`
export const ANYWAY_QUESTION = 'Deixar responder mesmo assim?'
export const ANYWAY = 'Deixar responder'
export const UNDO = 'Desfazer'

export const MODEL_AND_SPENDING = 'Modelo e gasto'
export const MODEL = 'Modelo'
export const NO_MODEL = 'Sem motor: ninguém responde aqui ainda.'
export const NO_MODEL_HINT = 'Quem instala o portal liga um modelo com AGENT_API_URL e AGENT_MODEL.'
export const DEMO_MODEL = 'Modelo de demonstração: responde por regras'
export const MONTH_LIMIT = 'Limite por mês (R$)'
export const LIMIT_HINT =
  'Avisa em 80%. Em 100% ele para e as conversas ficam com os corretores. Vazio: sem limite.'
export const STOPPED = 'Parado: limite do mês atingido'
export const NEAR_LIMIT = 'Mais de 80% do limite do mês já foi usado.'
export const SPENDING = 'Gasto do mês'
export const spent = (amount: string) => `${amount} neste mês`
export const perConversation = (amount: string) => `${amount} por conversa`
export const INPUT_PRICE = 'R$ por 1 milhão de tokens lidos'
export const OUTPUT_PRICE = 'R$ por 1 milhão de tokens escritos'
export const SAVE = 'Salvar'
export const SAVED = 'Salvo'
export const SAVE_FAILED = 'Não foi possível salvar.'
export const AMOUNT_INVALID = 'Escreva um valor em reais, como 200 ou 0,15.'

export const FACTS = 'Fatos'
export const FACTS_HINT = 'O que o agente pode afirmar. Um preço só é dito até o último dia em que vale.'
export const NO_FACTS = 'Nenhum fato ainda. Sem fatos o agente não diz preço nem condição.'
export const ADD_FACT = 'Adicionar fato'
export const EDIT_FACT = 'Mudar fato'
export const FACT_LABEL = 'Nome'
export const FACT_VALUE = 'O que ele pode dizer'
export const IS_PRICE = 'É um preço'
export const VALID_UNTIL = 'Vale até'
export const EXPIRED = 'Venceu'
export const PRICE = 'Preço'
export const validUntil = (day: string) => `até ${day.slice(8, 10)}/${day.slice(5, 7)}`
export const removeFactOf = (label: string) => `Excluir ${label}`
export const editFactOf = (label: string) => `Mudar ${label}`
export const REMOVE_QUESTION = 'Excluir este fato?'
export const REMOVE_CONSEQUENCE = 'O agente deixa de dizer isto agora.'
export const REMOVE = 'Excluir'
export const SETUP_FAILED = 'Não foi possível carregar o funcionamento.'
export const TEXTS_TAB = 'Textos'
export const WORKINGS_TAB = 'Funcionamento e testes'
export const TABS = 'Configurações do agente'
