// Texts of connecting WhatsApp.

export const CONNECT = 'Conectar WhatsApp'
export const CONNECTING = 'Conectando...'
export const UNCONFIGURED = 'WhatsApp não configurado'

export const MOVING =
  'Esta conexão está mudando de serviço. Até o código ser lido, as mensagens seguem pela conexão de agora.'

export const BACK_TO_QR = 'Usar o QR Code'
