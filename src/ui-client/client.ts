// Runs on every page that a server sends. Pages are complete without it.
document.documentElement.classList.add('has-script')
