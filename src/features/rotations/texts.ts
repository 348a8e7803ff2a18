// Sentences of 'Gerenciamento de Roletas'.
import { countOf, formatDate } from '#domain/format.ts'
import type { PlanChanges } from '#domain/rotation/editing.ts'

export const TITLE = 'Gerenciamento de Roletas'
export const NEW = 'Nova Roleta'
export const CREATE = 'Criar'
export const CREATING = 'Criando...'
export const NAME = 'Nome do Empreendimento'
export const NAME_MISSING = 'Nome do empreendimento é obrigatório'
export const CREATED = 'Roleta criada com sucesso!'
export const CREATE_FAILED = 'Erro ao criar roleta'
export const LOAD_FAILED = 'Erro ao carregar roletas'
export const NONE = 'Nenhuma roleta ainda.'
export const NONE_HINT = 'Crie uma por empreendimento: ela reparte os novos leads entre os corretores.'
export const REMOVE = 'Remover'
export const REMOVED = 'Roleta removida com sucesso!'
export const REMOVE_FAILED = 'Erro ao remover roleta'
export const REMOVE_CONSEQUENCE =
  'A fila e as regras dela se perdem. Os leads que ela já entregou ficam com seus corretores; os novos deste empreendimento ficam com o administrador.'
export const SWITCH_FAILED = 'Erro ao alterar status da roleta'
export const DISTRIBUTE = 'Distribuir'
export const DISTRIBUTING = 'Distribuindo...'
export const DISTRIBUTE_CONSEQUENCE =
  'Vão para os corretores desta roleta na ordem em que chegaram, pelas mesmas regras dos leads novos.'
export const DISTRIBUTE_FAILED = 'Erro ao distribuir os leads'
export const ACTIVE = 'Ativa'
export const INACTIVE = 'Inativa'

export const DETAILS = 'Detalhes da Roleta'
export const BROKERS = 'Corretores'
export const ADD_BROKER = 'Adicionar Corretor'
export const NO_BROKERS = 'Nenhum corretor nesta roleta.'
export const BROKERS_FAILED = 'Erro ao carregar corretores'
export const JOINED = 'Novo'
export const SAVE_CHANGES = 'Salvar Alterações'
export const SAVED = 'Alterações salvas com sucesso!'
export const SAVE_FAILED = 'Erro ao salvar alterações'
const NO_CHANGES = 'Nenhuma alteração'
export const CHANGED_MEANWHILE =
  'Outra pessoa alterou esta roleta há pouco, e suas alterações não podem mais ser salvas. Veja como ficou e refaça o que faltar.'
export const SEE_NEWEST = 'Ver como ficou'

export const PICK = 'Selecionar Corretor'
export const SEARCH = 'Buscar corretor por nome...'
export const PICK_FAILED = 'Erro ao carregar corretores disponíveis'
export const NOBODY_LEFT = 'Todos os corretores ativos já estão nesta roleta.'
export const DISABLED = 'Desativado'
export const CONNECTED = 'Conectado'
export const DISCONNECTED = 'Desconectado'

export const switchLabel = (name: string) => `Roleta ${name} ativa`
export const removeLabel = (name: string) => `Remover a roleta ${name}`
export const openLabel = (name: string) => `Abrir a roleta ${name}`
export const removeQuestion = (name: string) => `Tem certeza que deseja remover a roleta "${name}"?`
export const brokerCount = (count: number) => countOf(count, 'corretor', 'corretores')
export const leadCount = (count: number) => countOf(count, 'lead', 'leads')
export const createdOn = (ms: number) => `Criada em ${formatDate(ms)}`
export const distribute = (leads: number) =>
  `Distribuir ${leads === 1 ? 'o lead' : `os ${leads.toLocaleString('pt-BR')} leads`} da caixa de entrada`
export const distributeQuestion = (leads: number, name: string) =>
  `${distribute(leads)} pela roleta "${name}"?`
export const distributed = (leads: number) =>
  leads === 0 ? 'Nenhum lead a distribuir.' : `${leadCount(leads)} a caminho dos corretores.`
export const nobodyFound = (text: string) => `Nenhum corretor com "${text}"`
export const unseatLabel = (name: string) => `Tirar ${name} da roleta`
export const unseated = (name: string) => `${name} saiu da lista. A roleta muda quando você salvar.`
export const seated = (name: string) => `${name} entrou no fim da fila.`

/** 'Ordem e 1 corretor alterados'. */
export function changesText(changes: PlanChanges | null): string {
  if (!changes) return NO_CHANGES
  const { hasName, hasOrder, hasSettings, seatCount } = changes
  const parts = [
    { isIn: hasName, text: 'nome', end: 'alterado' },
    { isIn: hasOrder, text: 'ordem', end: 'alterada' },
    { isIn: hasSettings, text: 'distribuição', end: 'alterada' },
    {
      isIn: seatCount > 0,
      text: brokerCount(seatCount),
      end: seatCount === 1 ? 'alterado' : 'alterados',
    },
  ].filter(({ isIn }) => isIn)
  const words = new Intl.ListFormat('pt-BR').format(parts.map(({ text }) => text))
  const end = parts.length === 1 ? (parts[0]?.end ?? '') : 'alterados'
  return `${words.charAt(0).toUpperCase()}${words.slice(1)} ${end}`
}
