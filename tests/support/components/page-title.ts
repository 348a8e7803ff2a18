// The title that the page has before the app begins; imported before whatever reads it.
document.title = 'Portal do Corretor'
