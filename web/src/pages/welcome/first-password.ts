// The password that somebody has just signed in with, for as long as the page lives: on the first visit they set one of
// their own, and should not have to find the printed one again.
let remembered: string | undefined;

export const rememberPassword = (password: string) => {
  remembered = password;
};

export const recallPassword = () => remembered;
