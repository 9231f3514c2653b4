// Shortens the answers of the search before the theme draws them: a short word is in a hundred
// sections of a page of the reference, and each one that is drawn delays the next letter. All pages
// stay; a longer word finds the other sections. It is loaded before the theme, which makes a Worker.
"use strict";

(() => {
  const SECTIONS = 5;
  const LETTERS = 1000;

  const shortened = (sections) => {
    const page = sections.findIndex(({ location }) => !location.includes("#"));
    return sections.filter((_, index) => index < SECTIONS || index === page);
  };

  // The theme shows two lines of a text, which is HTML: no tag and no entity is cut.
  const cut = (text) => text.slice(0, LETTERS).replace(/<[^>]*$|&[^;\s]*$/, "");

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
  };
})();
