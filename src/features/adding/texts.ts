// Texts of 'Adicionar lead'.

export const ADD_LEAD = 'Adicionar lead'
