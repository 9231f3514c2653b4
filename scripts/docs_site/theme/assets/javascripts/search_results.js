// Shortens the questions and the answers of the search. A short word is in a hundred sections of a
// page of the reference, and each one that is drawn delays the next letter: all pages stay, and a
// longer word finds the other sections. One letter after a word is a whole word, such as that of
// `target c`, and no start of others: almost every page has one. It is loaded before the theme,
// which makes a Worker.
"use strict";

(() => {
  const SECTIONS = 5;
  const LETTERS = 1000;
  const QUESTION = 2; // The theme's number of a message with the text of the reader.

  const shortened = (sections) => {
    const page = sections.findIndex(({ location }) => !location.includes("#"));
    return sections.filter((_, index) => index < SECTIONS || index === page);
  };

  // The theme shows two lines of a text, which is HTML: no tag and no entity is cut.
  const cut = (text) => text.slice(0, LETTERS).replace(/<[^>]*$|&[^;\s]*$/, "");

  // A word with a weight is no start of others in the theme's language of questions.
  const whole = (question) => question.replace(/\s[\p{L}\p{N}]$/u, "$&^1");

  window.Worker = class extends window.Worker {
    constructor(...options) {
      super(...options);
      // Listeners are called in their order, each with the same data.
      this.addEventListener("message", ({ data }) => {
        const found = data.data?.items ?? [];
        for (const [index, sections] of found.entries()) {
          found[index] = shortened(sections);
          for (const section of found[index]) {
            if (section.text?.length > LETTERS) section.text = cut(section.text);
          }
        }
      });
    }

    postMessage(message, ...options) {
      const { type, data } = message;
      super.postMessage(type === QUESTION ? { type, data: whole(data) } : message, ...options);
    }
  };
})();
