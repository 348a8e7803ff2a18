// Text for a lead that has no broker yet.

export const NO_OWNER = 'Este lead está sem corretor. Entregue-o a um corretor para responder.'
