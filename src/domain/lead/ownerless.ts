// What is said where nobody can answer a lead yet.

export const NO_OWNER = 'Este lead está sem corretor. Entregue-o a um corretor para responder.'
