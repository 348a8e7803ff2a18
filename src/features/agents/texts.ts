// Sentences of the agents' screens.
import type { AgentState, Pause } from '#domain/agent.ts'
import { countOf, formatDate, formatDateTime, formatHour } from '#domain/format.ts'
import type { ChatNumber } from '#domain/chat-number.ts'

// The list.
export const TITLE = 'Gerenciamento de Agentes'
export const ADD = 'Adicionar Empreendimento'
export const REFRESH = 'Atualizar lista'
export const NONE = 'Nenhum agente encontrado'
export const NONE_HINT = 'Adicione um empreendimento para criar o agente que atende por ele.'
export const LIST_FAILED = 'Erro ao carregar os agentes. Tente novamente.'
export const REFRESH_FAILED = 'Erro ao atualizar os agentes. Tente novamente.'
export const DETAILS_FAILED = 'Erro ao carregar detalhes do agente. Tente novamente.'
export const SAVE_FAILED = 'Erro ao salvar alterações. Tente novamente.'
export const INFO = 'Informações'
export const CHAT = 'Chat'
export const configure = (name: string) => `Configurar ${name}`
export const infoOf = (name: string) => `Informações de ${name}`
export const chatOf = (name: string) => `Chat de ${name}`
export const agentCount = (count: number) => countOf(count, 'agente', 'agentes')
export const NO_INSTANCE = 'Sem WhatsApp central'

// A new one.
export const NAME = 'Nome do empreendimento'
export const NAME_HINT = 'Use o nome que vem nos leads. O agente atende as conversas dele.'
export const INSTANCE = 'WhatsApp central'
export const NO_INSTANCE_YET = 'Escolher depois'
export const COPY_FROM = 'Copiar prompts de'
export const COPY_NONE = 'Começar em branco'
export const CREATE = 'Criar agente'
export const CREATING = 'Criando...'
export const NAME_MISSING = 'Nome do empreendimento é obrigatório'
export const NAME_TAKEN = 'Já existe um agente para este empreendimento'
export const INSTANCES_FAILED =
  'Não foi possível carregar as conexões. Escolha depois, nas informações do agente.'
export const addFailed = (message: string) => `Erro ao criar agente: ${message}`
export const added = (name: string) => `Agente ${name} criado com sucesso!`

// Informações.
export const PAUSE_AGENT = 'Pausar agente'
export const RESUME_AGENT = 'Retomar agente'
export const pauseAgentQuestion = (name: string) => `Pausar o agente ${name}?`
export const PAUSE_AGENT_CONSEQUENCE = 'Ele deixa de responder a todas as conversas até ser retomado.'
export const NEVER_EDITED = 'Nenhum texto salvo'
export const NO_ROTATION = 'Nenhuma roleta com este empreendimento'
export const edited = (by: string, atMs: number) => `${by}, em ${formatDateTime(atMs)}`
export const pausedBy = (by: string, sinceMs: number) => `Pausado por ${by} em ${formatDateTime(sinceMs)}`
export const versionOf = (version: number) => (version === 0 ? NEVER_EDITED : `Versão ${version}`)

// Settings.
export const settingsTitle = (name: string) => `Configurações - ${name}`
export const NO_CONTENT = 'Nenhum conteúdo definido...'
export const LOCKED = 'Campo bloqueado para edição...'
export const BACK_TO_LIST = 'Voltar aos agentes'
export const NOT_FOUND = 'Agente não encontrado'
export const draftWaits = (count: number) =>
  count === 1 ? '1 texto é rascunho e ainda não vale.' : `${count} textos são rascunho e ainda não valem.`
export const TEST_AND_PUBLISH = 'Testar e publicar'

// Deleting a chat's history.
export const PHONE = 'Número de telefone'
export const PHONE_PLACEHOLDER = '(11) 95550-0187'
export const DELETE = 'Deletar'
export const DELETING = 'Deletando...'
export const deleteQuestion = (number: string) => `Deletar o histórico de chat de ${number}?`
export const DELETE_CONSEQUENCE =
  'O agente esquece tudo o que já conversou com este número. Não dá para desfazer.'
export const DELETE_FAILED = 'Erro ao deletar histórico de chat. Tente novamente.'
export const DISMISS = 'Fechar aviso'

export const PHONE_FAULT = {
  empty: 'Por favor, informe um número de telefone válido.',
  short: 'Número muito curto. Digite pelo menos 8 dígitos.',
  'no-area': 'Falta o DDD do estado. Adicione o DDD antes do número (ex: 11, 21, 41).',
  local: 'Por favor, adicione o DDD do estado (ex: 11, 21, 41, etc.) antes do número.',
} satisfies Record<Extract<ChatNumber, { ok: false }>['reason'], string>

export function deletionResult(number: string, deleted: number): string {
  if (deleted === 0)
    return `Nenhuma mensagem encontrada para o número ${number}. Histórico já estava vazio ou número não existe.`
  return deleted === 1
    ? `✅ 1 mensagem deletada com sucesso para ${number}`
    : `✅ ${deleted.toLocaleString('pt-BR')} mensagens deletadas com sucesso para ${number}`
}

// The editor.
export const PROMPT_MISSING = 'Prompt ou campo não encontrado'
export const PROMPT_FAILED = 'Erro ao carregar dados do prompt'
export const UNSAVED = 'Alterações não salvas'
export const MODIFIED = 'Modificado'
export const SAVED = 'Salvo'
export const SAVE_CHANGES = 'Salvar Alterações'
export const SAVED_CHANGES = 'Salvo!'
export const DRAFT = 'Rascunho'
export const DRAFT_UNUSED = 'O agente usa a versão publicada até este rascunho ser publicado'
export const HISTORY = 'Histórico'
export const DRAFT_KEPT = 'Sem conexão. Rascunho guardado.'
export const DRAFT_RESTORED = 'Este texto é um rascunho deste aparelho e ainda não foi salvo.'
export const DROP_DRAFT = 'Descartar rascunho'
export const LEAVE_QUESTION = 'Você tem alterações não salvas. Deseja sair mesmo assim?'
export const LEAVE_CONSEQUENCE =
  'O agente continua com o texto salvo. O que você escreveu fica guardado neste aparelho como rascunho.'
export const LEAVE = 'Sair'
export const STAY = 'Continuar editando'
export const EDITOR_TEXT = 'Texto do prompt'
const UNKNOWN_ERROR = 'Erro desconhecido'
export const saveFailed = (detail: string) => `Erro ao salvar alterações: ${detail || UNKNOWN_ERROR}`
export const characters = (count: number) => countOf(count, 'caractere', 'caracteres')

// Another saved meanwhile.
export const CONFLICT_TITLE = 'Outra pessoa salvou este texto'
export const conflictBy = (by: string, atMs: number) =>
  `${by} salvou em ${formatDateTime(atMs)}, depois que você abriu. Nada foi perdido: compare e escolha qual fica.`
export const THEIRS = 'O que está salvo'
export const MINE = 'O que você escreveu'
export const KEEP_MINE = 'Salvar o meu'
export const TAKE_THEIRS = 'Ficar com o salvo'

// Versions.
export const HISTORY_TITLE = 'Histórico de versões'
export const NO_VERSIONS = 'Nenhuma versão salva ainda.'
export const VERSIONS_FAILED = 'Não foi possível carregar as versões.'
export const PUBLISHED = 'Publicada'
export const RESTORE = 'Restaurar esta versão'
export const RESTORED = 'Versão restaurada com sucesso!'
export const THIS_VERSION = 'Esta versão'
export const EDITOR_NOW = 'No editor agora'
export const SAME_TEXT = 'Os dois textos são iguais.'
export const restoreQuestion = 'Restaurar esta versão?'
export const RESTORE_CONSEQUENCE = 'Ela vira um rascunho. O agente usa a versão publicada até você publicar.'
export const RESTORE_OVER_DRAFT = 'Ela vira um rascunho, e o que você escreveu e não salvou se perde.'
export const versionLabel = (by: string, atMs: number) => `${by}, ${formatDateTime(atMs)}`
export const linesAlike = (count: number) => countOf(count, 'linha igual', 'linhas iguais')
export const REMOVED_LINE = 'retirado: '
export const ADDED_LINE = 'novo: '

// Chat.
export const chatTitle = (name: string) => `Chat - ${name}`
export const ACTIVE_CONVERSATIONS = 'Conversas Ativas'
export const SEARCH = 'Buscar por número ou nome...'
export const NO_MATCH = 'Nenhuma conversa encontrada'
export const NO_MATCH_HINT = 'Tente buscar por outro número ou nome'
export const NO_CONVERSATION = 'Nenhuma conversa ativa'
export const NO_CONVERSATION_HINT = 'Aguarde leads iniciarem conversas'
export const CHOOSE = 'Escolha uma conversa'
export const CHOOSE_HINT = 'Ela aparece aqui, com o botão para pausar o agente.'
export const CONVERSATIONS_FAILED = 'Não foi possível carregar as conversas.'
export const CONVERSATION_FAILED = 'Não foi possível carregar a conversa.'
export const CONVERSATION_MISSING = 'Conversa não encontrada'
export const MORE = 'Carregar mais conversas'
export const BACK_TO_CONVERSATIONS = 'Voltar às conversas'
export const PAUSE = 'Pausar'
export const TAKE = 'Assumir'
export const GIVE_BACK = 'Devolver ao agente'
export const PAUSED = 'Pausado'
export const PAUSE_FAILED = 'Erro ao pausar o agente. Tente novamente.'
export const RESUME_FAILED = 'Erro ao retomar o agente. Tente novamente.'
export const PAUSE_FOR = 'Pausar o agente nesta conversa'
export const PAUSE_LENGTHS: readonly { label: string; minutes: number | null }[] = [
  { label: 'Por 1 hora', minutes: 60 },
  { label: 'Por 24 horas', minutes: 24 * 60 },
  { label: 'Por 7 dias', minutes: 7 * 24 * 60 },
  { label: 'Até eu retomar', minutes: null },
]
export const ANSWERS = 'O agente conduz esta conversa.'
export const ANSWERS_UNTIL = 'Se você escrever, ele para por 24 horas.'
/** Why nobody answers here, whatever the conversation; nothing where the agent does. */
export const SILENCE: Record<AgentState, string> = {
  available: '',
  paused: 'O agente está pausado para todas as conversas.',
  'no-prompt': 'Sem prompt: o agente não tem o que responder.',
  offline: 'O WhatsApp deste agente está desconectado: nada é respondido aqui.',
  'no-engine': 'Sem motor: ninguém responde aqui ainda.',
  suggests: 'O agente sugere respostas ao corretor. Ninguém responde aqui sozinho.',
  off: 'O agente está desligado.',
}
export const NO_ENGINE_HINT =
  'Ninguém responde aqui ainda: falta o programa que usa estes textos, com um token de serviço.'
export const CHOOSE_INSTANCE = 'Escolher o WhatsApp'
export const LINK_AGAIN = 'Conectar o WhatsApp'
export const NOT_LINKED = 'Este WhatsApp está desconectado.'
export const TO_BROKERS = 'Conectar em Gerenciar Corretores'
export const AUTHOR = { agent: 'Agente: ', campaign: 'Campanha: ', human: 'Corretor: ' }
export const ownedBy = (broker: string) => `com ${broker}`

const REASON = {
  person: (by: string) => `por ${by}`,
  portal: (by: string) => `porque ${by} respondeu pelo portal`,
  phone: (by: string) => `porque ${by} respondeu pelo celular`,
} satisfies Record<Pause['reason'], (by: string) => string>

/** 'Pausado até 23/11 às 14:00, porque camila respondeu pelo celular.' */
export function pauseSentence({ reason, by, untilMs }: Pause): string {
  const until =
    untilMs === null ? 'até ser retomado' : `até ${formatDate(untilMs).slice(0, 5)} às ${formatHour(untilMs)}`
  return `Pausado ${until}, ${REASON[reason](by)}.`
}
