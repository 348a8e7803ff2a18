// Texts of 'Notas do Lead' and of a lead's name.

export const NOTES_TITLE = 'Notas do Lead'
