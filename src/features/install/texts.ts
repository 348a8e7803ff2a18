// A text that the install sheet and the push prompt share.

export const NOT_NOW = 'Agora não'
