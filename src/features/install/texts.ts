// Sentences on installing and updating the app, and on being told by it.

export const NOT_NOW = 'Agora não'
