// Outgoing messages: length limits, and texts that explain why a message waits, failed or is uncertain.

export const MAX_TEXT = 10_000
/** WhatsApp's limit for captions; longer ones are refused. */
export const MAX_CAPTION = 1_024

/** For each code of `delivery_reason`, the text below the message. */
export const DELIVERY_REASON = {
  // The message waits, and the portal sends it later.
  'not-linked': 'Será enviada assim que o WhatsApp conectar.',
  unreachable: 'O serviço de WhatsApp não responde. A mensagem sai assim que ele voltar.',
  gateway: 'O administrador precisa ajustar o serviço de WhatsApp. A mensagem sai depois disso.',
  // The message was not sent.
  'not-on-whatsapp': 'Este número não tem WhatsApp.',
  refused: 'O serviço de WhatsApp não aceitou esta mensagem.',
  failed: 'O serviço de WhatsApp falhou. Tente de novo.',
  'no-number': 'Este lead não tem um número de WhatsApp.',
  'number-in-doubt': 'O número deste lead está em dúvida. O administrador escolhe o certo no CRM.',
  'no-owner': 'Este lead ficou sem corretor.',
  'media-missing': 'O arquivo não está mais guardado. Anexe de novo.',
  'media-away': 'As mídias não responderam. Tente de novo em instantes.',
  // The gateway accepted the message, but WhatsApp refused it.
  rejected: 'O WhatsApp recusou a entrega.',
  restricted: 'O WhatsApp restringiu este número para novas conversas.',
  // Nobody knows whether the message was sent.
  'no-answer': 'Pode ter sido enviada: o WhatsApp não confirmou. Confira no celular antes de repetir.',
  interrupted: 'Pode ter sido enviada: o envio foi interrompido. Confira no celular antes de repetir.',
  // Somebody sent the message again, as another message.
  retried: 'Enviada de novo mais abaixo.',
} as const

/** The app asks this before it sends an uncertain message again. */
export const AGAIN_QUESTION = 'Enviar de novo?'
export const MAY_ARRIVE_TWICE = 'Esta mensagem pode ter sido enviada. Se foi, o contato a recebe duas vezes.'

export type DeliveryReason = keyof typeof DELIVERY_REASON
