// Texts of the conversation.

export const UNNAMED = 'Sem nome'
export const YOU = 'Você'
export const VOICE_MESSAGE = 'Mensagem de voz'
export const MEDIA_UNAVAILABLE = 'Mídia indisponível'
export const STATUS = 'Status'
export const MOVE_TO = 'Mover para'

export const loadFailed = (message: string) => `Erro ao carregar mensagens: ${message}`

// Texts of the search.
export const SEARCH_MESSAGES = 'Buscar na conversa'

// Texts of the composer.
export const SEND = 'Enviar'

// Texts of voice messages.
export const DISCARD = 'Descartar'
export const PLAY = 'Ouvir'
export const PAUSE = 'Pausar'

// Texts of quick replies.
export const WITH_FILE = 'com arquivo'
export const REMOVE_FILE = 'Remover o arquivo'
export const QUICK_REPLIES = 'Respostas rápidas'
export const optionsOf = (title: string) => `Opções de ${title}`

// Menu of a message, and failed messages.
export const MESSAGE_OPTIONS = 'Opções da mensagem'
export const COPY = 'Copiar'
export const FORWARD = 'Encaminhar'
export const DELETE_FOR_ALL = 'Apagar para todos'
export const SEND_ANEW = 'Enviar de novo'
export const CALL = 'Ligar'
export const CALL_BACK = 'Ligar de volta'
export const NUMBER_COPIED = 'Número copiado'
export const COPY_FAILED = 'Erro ao copiar. Selecione o texto e copie.'
export const notDone = (message: string | null) => `Erro: ${message ?? 'tente novamente.'}`
