/** The program cannot start. The message is for the person at the terminal: what is wrong and what would be right. */
export class StartError extends Error {}
