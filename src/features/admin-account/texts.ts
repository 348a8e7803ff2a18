// Sentences of Conta: the own password and second step, and the other administrators.

export const TITLE = 'Conta'

export const PASSWORD = 'Senha'
export const PASSWORD_HINT = 'Trocar a senha encerra as suas sessões nos outros aparelhos.'
export const CHANGE_PASSWORD = 'Trocar senha'

export const SECOND_STEP = 'Verificação em duas etapas'
export const SECOND_STEP_HINT =
  'Além da senha, o portal pede um código do aplicativo autenticador do seu celular. Quem descobrir a sua senha não entra.'
export const TURN_ON = 'Ativar'
export const TURN_OFF = 'Desativar'
export const TURN_OFF_QUESTION = 'Desativar a verificação em duas etapas?'
export const TURN_OFF_CONSEQUENCE =
  'A senha passa a ser suficiente para entrar, e os códigos de recuperação deixam de valer.'
export const TURNED_OFF = 'Verificação em duas etapas desativada.'
export const turnOffFailed = (message: string) => `Erro ao desativar: ${message}`
export const SCAN =
  'Escaneie este código com um aplicativo autenticador, como Google Authenticator, Microsoft Authenticator ou 1Password.'
export const SECRET_HINT = 'Não consegue ler? Digite esta chave no aplicativo:'
export const CODE = 'Código de 6 dígitos'
export const CODE_REQUIRED = 'Digite o código que o aplicativo mostra.'
export const QR_LABEL = 'Código QR para o aplicativo autenticador'

export const CODES_TITLE = 'Códigos de recuperação'
export const CODES_HINT =
  'Guarde estes códigos fora do celular. Cada um entra uma vez no lugar do código do aplicativo. Eles não serão mostrados de novo.'
export const codesWords = (count: number) =>
  count === 0
    ? 'Nenhum código de recuperação. Sem eles, perder o celular fecha a sua conta.'
    : count === 1
      ? '1 código de recuperação disponível'
      : `${count} códigos de recuperação disponíveis`
export const NEW_CODES = 'Gerar novos códigos'
export const NEW_CODES_QUESTION = 'Gerar novos códigos de recuperação?'
export const NEW_CODES_CONSEQUENCE = 'Os códigos anteriores deixam de valer.'
export const codesFailed = (message: string) => `Erro ao gerar os códigos: ${message}`
export const COPY_CODES = 'Copiar'
export const CODES_COPIED = 'Códigos copiados.'
export const CODES_COPY_FAILED = 'Não foi possível copiar. Selecione os códigos e copie.'
export const SAVE_CODES = 'Baixar'
export const CODES_FILE = 'codigos-de-recuperacao.txt'
export const CODES_KEPT = 'Guardei os códigos'

export const ADMINS = 'Administradores'
export const ADMINS_HINT = 'Quem vê e administra tudo no portal.'
export const ADD = 'Adicionar administrador'
export const ADDING = 'Adicionando...'
export const USERNAME = 'Usuário'
export const USERNAME_HINT = 'Use letras minúsculas, números, ponto ou hífen, sem espaços.'
export const USERNAME_REQUIRED = 'Digite o usuário.'
export const USERNAME_TAKEN = 'Já existe um administrador com este nome'
export const addFailed = (message: string) => `Erro ao adicionar administrador: ${message}`
export const YOU = 'você'
export const AWAITED = 'Aguardando primeiro acesso'
export const NEVER_SEEN = 'Nunca entrou'
export const TWO_STEPS = 'Duas etapas'

export const RESET = 'Redefinir acesso'
export const NEW_LINK = 'Novo link de acesso'
export const resetQuestion = (name: string) => `Redefinir o acesso de ${name}?`
export const resetConsequence = (name: string) =>
  `A senha e a verificação em duas etapas de ${name} deixam de valer, e ${name} sai de todos os aparelhos. Você recebe um link para ${name} criar outra senha.`
export const resetFailed = (message: string) => `Erro ao redefinir o acesso: ${message}`

export const REMOVE = 'Remover'
export const removeQuestion = (name: string) => `Remover ${name}?`
export const removeConsequence = (name: string) =>
  `${name} perde o acesso na hora. O que fez continua na auditoria.`
export const REMOVED = 'Administrador removido com sucesso!'
export const removeFailed = (message: string) => `Erro ao remover administrador: ${message}`
