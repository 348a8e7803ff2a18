// Sentences of connecting WhatsApp.
import { formatPhone } from '#domain/phone.ts'

export const CONNECT = 'Conectar WhatsApp'
export const CONNECTING = 'Conectando...'
export const CONNECT_HINT = 'Conecte seu WhatsApp para começar'
export const ONCE_ONLY = 'Você só precisa fazer isso uma vez neste número.'
export const OFFLINE_HINT = 'Você precisa de internet para conectar.'
export const OFFLINE_CODE = 'Sem conexão. O código aparece quando a internet voltar.'
export const UNCONFIGURED = 'WhatsApp não configurado'
export const UNCONFIGURED_HINT = 'Peça ao administrador para configurar o WhatsApp.'
export const SEE_LEADS = 'Ver meus leads'
export const DROPPED = 'WhatsApp desconectado. Reconecte para enviar mensagens.'
export const DEAD = 'O WhatsApp parou de responder. Conecte de novo.'
export const UNREACHABLE = 'O WhatsApp não responde agora. As mensagens chegam quando ele voltar.'
export const CONNECT_SHORT = 'Conectar'
export const UNDERSTOOD = 'Entendi'

export const SCAN = 'Escaneie este código'
export const SCAN_HELP = 'WhatsApp › Aparelhos conectados › Conectar aparelho'
export const SAME_PHONE = 'Estou neste mesmo celular'
export const PAIRING_HELP =
  'Digite este código no WhatsApp: Aparelhos conectados › Conectar com número de telefone'
export const NO_PAIRING_CODE =
  'O WhatsApp não deu um código para este número. Confira o número ou escaneie o QR Code.'
export const NUMBER_LABEL = 'Número do seu WhatsApp, com DDD'
export const NUMBER_REQUIRED = 'Informe o número com DDD, por exemplo (11) 95550-0187.'
export const BACK_TO_QR = 'Usar o QR Code'

export const CONNECTED = 'Conectado!'
export const DISCONNECTED = 'Desconectado'
export const MAKING_CODE = 'Gerando QR Code...'
export const EXPIRED = 'O código expirou.'
export const GET_CODE = 'Gerar código'
export const NEW_CODE = 'Gerar novo código'
export const STUCK = 'O WhatsApp está demorando para dar um código.'
export const RESTART = 'Reiniciar conexão'
export const STILL_STUCK = 'O WhatsApp ainda não deu um código. Recrie a conexão para começar do zero.'
export const RECREATE = 'Recriar conexão'

export const qrAlt = (seconds: number) =>
  `QR Code para conectar o WhatsApp. Cada código vale ${seconds} segundos.`
export const newCodeIn = (seconds: number) => `Novo código em ${seconds} s`
export const codeOf = (count: number, limit: number) => `Código ${count} de ${limit}`
export const connectFailed = (message: string) => `Erro ao conectar WhatsApp: ${message}`
export const replaced = (number: string) =>
  `Outro WhatsApp foi conectado no lugar de ${formatPhone(number)}. As conversas de antes continuam aqui.`
