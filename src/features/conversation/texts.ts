// Sentences of the conversation. Spec 2.10, 8; DESIGN-SYSTEM 10, 11; INTERACTIONS 8, 9.
import { countOf } from '#domain/format.ts'

export const UNNAMED = 'Sem nome'
export const NO_MESSAGES = 'Nenhuma mensagem encontrada'
export const NOT_ON_BOARD = 'Este contato não está mais no seu quadro.'
export const OFFLINE = 'Sem conexão. Mensagens novas aparecem quando o sinal voltar.'
export const MESSAGES = 'Mensagens'
export const YOU = 'Você'
export const REACTIONS = 'Reações: '
export const EDITED = 'editada'
export const LIVE_LOCATION = 'Localização em tempo real'
export const OPEN_MAP = 'Abrir no mapa'
export const VOICE_MESSAGE = 'Mensagem de voz'
export const VIEW_ONCE = 'Visualização única'
export const MEDIA_UNAVAILABLE = 'Mídia indisponível'
export const STATUS = 'Status'
export const MOVE_TO = 'Mover para'
export const UNDO = 'Desfazer'
export const MOVE_FAILED = 'Erro ao atualizar status do lead. Tente novamente.'

const UNKNOWN_ERROR = 'Erro desconhecido'

export const loadFailed = (message: string) => `Erro ao carregar mensagens: ${message}`
export const moveRefused = (message: string | null) => `Erro ao atualizar status: ${message ?? UNKNOWN_ERROR}`
export const movedTo = (name: string, stage: string) => `${name} foi para ${stage}`
export const newBelow = (count: number) => countOf(count, 'nova', 'novas')
export const heard = (name: string, words: string) => `${name}: ${words}`
