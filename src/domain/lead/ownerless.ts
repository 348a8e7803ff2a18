// Shown for a lead without a broker.

export const NO_OWNER = 'Este lead está sem corretor. Entregue-o a um corretor para responder.'
