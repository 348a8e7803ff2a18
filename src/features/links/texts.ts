// Sentences of links to a central number.
export const TITLE = 'QR para imprimir'
export const CENTRAL = 'Número central'
export const NO_CENTRAL = 'Para ter um link e um QR, torne central um número em WhatsApp.'
export const NO_CODE = 'Para ter um link e um QR, dê um código a esta roleta, acima, e salve.'
export const COPY = 'Copiar link'
export const COPIED = 'Link copiado'
export const NOT_COPIED = 'Não foi possível copiar. O link está no QR.'
export const SVG = 'Baixar SVG'
export const PRINT = 'Imprimir A5'
export const POINT_HERE = 'Aponte a câmera e fale no WhatsApp'
export const qrLabel = (name: string) => `QR de ${name}`
export const opensWith = (text: string) => `Abre o WhatsApp com o texto “${text}”`
