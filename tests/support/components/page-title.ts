// Sets the page's title before the app starts; import it before modules that read it.
document.title = 'Portal do Corretor'
