// Texts of 'Material'.
export const MATERIAL = 'Material'
export const NO_PRICE = 'Sem preço publicado'
export const SEND_FAILED = 'Erro ao enviar o material. Tente de novo.'
