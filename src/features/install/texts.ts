// Texts of installing and updating the app, and of pushes.

export const NOT_NOW = 'Agora não'
