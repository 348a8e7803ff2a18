// Sentences of the conversation.
import { countOf, formatDuration } from '#domain/format.ts'
import type { MediaKind } from '#domain/message.ts'

export const UNNAMED = 'Sem nome'
export const NO_MESSAGES = 'Nenhuma mensagem encontrada'
export const NOT_ON_BOARD = 'Este contato não está mais no seu quadro.'
export const OFFLINE = 'Sem conexão. Mensagens novas aparecem quando a internet voltar.'
export const MESSAGES = 'Mensagens'
export const YOU = 'Você'
export const REACTIONS = 'Reações: '
export const REACT = 'Reagir'
export const reactWith = (name: string) => `Reagir com ${name}`
export const EDITED = 'editada'
export const LIVE_LOCATION = 'Localização em tempo real'
export const OPEN_MAP = 'Abrir no mapa'
export const VOICE_MESSAGE = 'Mensagem de voz'
export const seeMedia = (kind: MediaKind) => (kind === 'video' ? 'Ver vídeo' : 'Ver foto')
export const VIEW_ONCE = 'Visualização única'
export const MEDIA_UNAVAILABLE = 'Mídia indisponível'
export const STATUS = 'Status'
export const MOVE_TO = 'Mover para'
export const UNDO = 'Desfazer'
export const MOVE_FAILED = 'Erro ao atualizar status do lead. Tente novamente.'

export const loadFailed = (message: string) => `Erro ao carregar mensagens: ${message}`
export const movedTo = (name: string, stage: string) => `${name} foi para ${stage}`
export const newBelow = (count: number) => countOf(count, 'nova', 'novas')
export const heard = (name: string, words: string) => `${name}: ${words}`

export const BOOK_VISIT = 'Agendar visita'

// The search within.
export const SEARCH_MESSAGES = 'Buscar na conversa'
export const SEARCHING_OLDER = 'Buscando…'
export const NONE_FOUND = 'Nada encontrado'
export const PREVIOUS_FOUND = 'Resultado mais antigo'
export const NEXT_FOUND = 'Resultado mais novo'
export const CLOSE_SEARCH = 'Fechar busca'
export const foundOf = (place: number, count: number) => `${place} de ${count}`

// The composer.
export const WRITE = 'Mensagem'
export const CAPTION = 'Legenda'
export const SEND = 'Enviar'
export const HOLD_TO_SEND_LATER = 'Segure para enviar depois'
export const ATTACH = 'Anexar arquivo'
export const CAMERA = 'Câmera'
export const PHOTOS = 'Fotos'
export const DOCUMENT = 'Documento'
export const LOCATION = 'Localização'
export const CONTACT = 'Contato'
export const SHOWN_ON_MAP = 'O contato vê no mapa onde você está agora.'
export const FINDING_PLACE = 'Procurando sua localização…'
export const PLACE = {
  denied: 'A localização está bloqueada. Libere-a para este site nos ajustes do navegador.',
  unknown: 'Não foi possível achar sua localização. Confira se o GPS está ligado e tente de novo.',
  unsupported: 'Este navegador não informa a localização.',
}
export const SEND_CONTACT = 'Enviar contato'
export const CONTACT_NAME = 'Nome'
export const CONTACT_PHONE = 'Telefone'
export const SAY_NAME = 'Informe o nome.'
export const SAY_PHONE = 'Informe o telefone com DDD.'
export const sendPlaceTo = (name: string) => `Enviar sua localização a ${name}?`
export const sentTo = (name: string) => `Para ${name}`
export const DROP_HERE = 'Solte para anexar'
export const SEND_FAILED = 'Erro ao enviar a mensagem. O texto continua no campo.'
export const PREPARING = 'Preparando…'
export const removeFile = (name: string) => `Remover ${name}`
export const stopSending = (name: string) => `Cancelar o envio de ${name}`
export const sendingFile = (name: string) => `Enviando ${name}`
export const sendAgain = (name: string) => `Tentar de novo: ${name}`
export const attached = (count: number) => countOf(count, 'anexo', 'anexos')

// Voice messages.
export const RECORD = 'Gravar áudio'
export const RECORDING = 'Gravando'
export const SLIDE_TO_CANCEL = 'Deslize para cancelar'
export const SLIDE_TO_LOCK = 'Deslize para cima para gravar sem segurar'
export const DISCARD = 'Descartar'
export const STOP = 'Parar'
export const PLAY = 'Ouvir'
export const PAUSE = 'Pausar'
export const rateLabel = (rate: number) => `Velocidade: ${rate.toLocaleString('pt-BR')}x. Mudar`
/** '0:23', and once it was heard '0:09 de 0:23'. */
export const heardOf = (atSeconds: number, length: number) =>
  atSeconds > 0 ? `${formatDuration(atSeconds)} de ${formatDuration(length)}` : formatDuration(length)
export const TOO_SHORT = 'Segure para gravar e solte para enviar.'
export const MICROPHONE = {
  denied: 'O microfone está bloqueado. Libere-o para este site nos ajustes do navegador.',
  missing: 'Nenhum microfone encontrado neste aparelho.',
  busy: 'O microfone está em uso por outro aplicativo.',
  unsupported: 'Este navegador não grava áudio. Anexe um arquivo de áudio.',
}

// Quick replies.
export const QUICK_REPLIES = 'Respostas rápidas'
export const EDIT_REPLIES = 'Editar respostas'
export const NEW_REPLY = 'Nova resposta'
export const EDIT_REPLY = 'Editar resposta'
export const OWN_REPLIES = 'Minhas'
export const SHARED_REPLIES = 'De todos'
export const REPLY_TITLE = 'Título'
export const REPLY_TEXT = 'Texto'
export const INSERT_NAME = 'Inserir nome'
export const NAME_HINT = '{nome} vira o primeiro nome do contato.'
export const NO_REPLIES = 'Nenhuma resposta ainda.'
export const SEARCH_REPLIES = 'Buscar resposta'
export const DELETE_REPLY = 'Excluir'
export const EDIT = 'Editar'
export const MOVE_UP = 'Subir'
export const MOVE_DOWN = 'Descer'
export const SHARED_REMOVAL = 'Ela some para todos os corretores.'
export const OWN_REMOVAL = 'Isso não pode ser desfeito.'
export const DISCARD_CHANGES = 'Descartar o que foi escrito?'
export const UNSAVED = 'A resposta não foi salva.'
export const REPLY_FAILED = 'Erro ao salvar a resposta. Tente novamente.'
export const removeReply = (title: string) => `Excluir "${title}"?`
export const optionsOf = (title: string) => `Opções de ${title}`
export const noReplyWith = (typed: string) => `Nenhuma resposta com "${typed}"`

// A line's own menu, and one that did not arrive.
export const MESSAGE_OPTIONS = 'Opções da mensagem'
export const COPY = 'Copiar'
export const REPLY = 'Responder'
export const FORWARD = 'Encaminhar'
export const FORWARD_TO = 'Encaminhar para'
export const FIND_LEAD = 'Buscar contato'
export const NO_LEAD_FOUND = 'Nenhum contato encontrado'
export const FORWARD_FAILED = 'Não foi possível encaminhar.'
export const forwardTo = (name: string) => `Encaminhar para ${name}?`
export const forwarded = (name: string) => `Encaminhada para ${name}`
export const SEND_ANEW = 'Enviar de novo'
export const DISCARD_MESSAGE = 'Descartar'
export const ROUTE = 'Rota'
export const MUTE = 'Silenciar'
export const UNMUTE = 'Tirar do silêncio'
export const MUTED = 'Sem avisos do que este contato escreve.'
export const UNMUTED = 'Avisos deste contato ligados.'
export const CALL = 'Ligar'
export const COPY_NUMBER = 'Copiar número'
export const NUMBER_COPIED = 'Número copiado'
export const COPIED = 'Texto copiado'
export const COPY_FAILED = 'Erro ao copiar. Selecione o texto e copie.'
export const SENDING = 'enviando…'
export const ANSWERING = 'Respondendo a'
export const DROP_ANSWER = 'Não responder a esta mensagem'
export const UNKNOWN_END = 'Pode ter sido enviada. Confira no celular antes de repetir.'
export const notDone = (message: string | null) => `Erro: ${message ?? 'tente novamente.'}`
export const RENAME = 'Editar nome'
export const LEAD_NAME = 'Nome do lead'
export const RENAME_FAILED = 'Erro ao salvar o nome. Tente novamente.'
