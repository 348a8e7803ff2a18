// Texts of connecting WhatsApp.

export const CONNECT = 'Conectar WhatsApp'
export const CONNECTING = 'Conectando...'
export const UNCONFIGURED = 'WhatsApp não configurado'

export const BACK_TO_QR = 'Usar o QR Code'
