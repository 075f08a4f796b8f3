/** The mark that tells the typed client that the data of an event is text. */

/** A comment (WHATWG HTML, 9.2.6), which other readers skip. It is sent before data that is text and could be taken for JSON. */
export const textMark = ':text';
