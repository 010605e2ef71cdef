// What is looked for in the rulebooks: it stays while one turns from book to book.

export const looking = $state({ text: '' })
